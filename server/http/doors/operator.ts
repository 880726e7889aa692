/** The door of the operator's interface: somebody of the staff who is signed in to the console. */
import type { Request, Response } from 'express'
import { type Clock, timeOf } from '../../../lib/clock.ts'
import type { Keyring } from '../../keys/keyring.ts'
import type { ChangesContext } from '../../operations/operator/changes.ts'
import type { Entrance } from '../../people/entrance.ts'
import type { Visitor } from '../../store/people.ts'
import type { Store } from '../../store/store.ts'
import type { Live } from '../../workers/live.ts'
import { actorOf } from '../actor.ts'
import type { Door } from '../mount.ts'
import { sessionIdOf } from '../visit.ts'
import { admitVisitors } from './session.ts'

export interface OperatorDoorParts {
  store: Store
  keyring: Keyring
  entrance: Entrance
  clock: Clock
  live: Live
  newId(): string
}

export function operatorDoor({ entrance, clock, live, ...parts }: OperatorDoorParts): Door<ChangesContext> {
  const isStillIn = (req: Request, res: Response) => async () => {
    const sessionId = sessionIdOf(req)
    const visitor = sessionId && (await entrance.visitorOf(sessionId, { isUse: false }))
    const before = res.locals.visitor
    return visitor ? visitor.role === before?.role && visitor.organizationId === before.organizationId : false
  }
  return {
    admit: admitVisitors(entrance),
    contextOf: (req, res) => ({
      ...parts,
      scope: scopeOf(res.locals.visitor!),
      by: actorOf(req, res),
      at: timeOf(clock),
      follow: live.follow,
      isStillIn: isStillIn(req, res),
    }),
  }
}

/** An operator's is everything, an administrator's the own organization. Nobody's organization is 0. */
export const scopeOf = ({ role, organizationId }: Visitor): number | null =>
  role === 'operator' ? null : (organizationId ?? 0)
