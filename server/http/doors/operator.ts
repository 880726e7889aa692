/**
 * The door of the operator's interface: an operator or administrator who is signed in to the console, or a program with an
 * operator key. No browser adds that header by itself, so a change made with a key needs no other proof.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Request, RequestHandler, Response } from 'express'
import { timeOf } from '../../../lib/clock.ts'
import { RESEND_ANSWER_MS } from '../../choices.ts'
import { networkOf } from '../../domain/network.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { StaffDocuments } from '../../domain/staff-documents.ts'
import type { PatientsInLists } from '../../domain/task/patient-label.ts'
import { type Keyring, OPERATOR_KEY_HEADER } from '../../keys/keyring.ts'
import type { ChangesContext } from '../../operations/operator/changes.ts'
import type { TestReceiver } from '../../operations/operator/running.ts'
import type { Row } from '../../operations/row.ts'
import type { Entrance } from '../../people/entrance.ts'
import { digestOf } from '../../people/session-digest.ts'
import type { Standing } from '../../store/directory/people.ts'
import { type Followed, type Live, roleOfKey } from '../../workers/live.ts'
import { actorOf } from '../callers/actor.ts'
import { keyIn } from '../callers/authenticate.ts'
import { holderOf } from '../callers/holder.ts'
import { rateLimit } from '../callers/rate-limit.ts'
import { sessionIdOf } from '../callers/visit.ts'
import type { StreamPlaces } from '../stream-places.ts'
import type { Door } from '../table-routes.ts'
import { type SenderParts, senderContext } from './sender.ts'
import { admitVisitors, withServiceTime } from './session.ts'

export interface OperatorDoorParts extends SenderParts {
  keyring: Keyring
  entrance: Entrance
  live: Live
  consoleStreams: StreamPlaces
  /** The limit of each key; undefined sets none. */
  requestsPerMinute: number | undefined
  patientsInLists: PatientsInLists
  staffDocuments: StaffDocuments
  offersNotices: boolean
  testReceiver: TestReceiver
}

export function operatorDoor(parts: OperatorDoorParts): Door<ChangesContext> {
  const { store, keyring, entrance, clock, live, newId, newSecret, patientsInLists, staffDocuments } = parts
  const asVisitor = admitVisitors(entrance)
  const withinRate = rateLimit({ perMinute: parts.requestsPerMinute, clock, keyRates: store.keyRates })

  const identify: RequestHandler = async (req, res, next) => {
    const key = keyIn(req, OPERATOR_KEY_HEADER)
    if (key !== undefined) res.locals.operatorKey = await keyring.operatorOf(key, timeOf(clock), networkOf(req.ip))
    next()
  }

  return {
    admit: (row) => [withServiceTime(clock), identify, withinRate, ...asVisitor(row).map(unlessKey), onlyKeysFor(row)],
    contextOf: (req, res) => ({
      store,
      keyring,
      patientsInLists,
      staffDocuments,
      offersNotices: parts.offersNotices,
      running: {
        asSender: (organizationId) => senderContext(parts, { req, res, organizationId, caller: null }),
        testReceiver: parts.testReceiver,
      },
      newId,
      newSecret,
      attemptWithinMs: RESEND_ANSWER_MS,
      pause,
      scope: scopeOf(standingOf(res)),
      by: actorOf(req, res),
      at: timeOf(clock),
      follow() {
        const whose = followedBy(req, res)
        const { group } = holderOf(req, res)
        return parts.consoleStreams.open({ group, name: `${whose.by} ${whose.id}` }, (to) => live.follow(to, whose))
      },
    }),
  }
}

/** Returns the organization that a caller is limited to, or null. An administrator without one has 0, which is no one's. */
export const scopeOf = ({ role, organizationId }: Standing): number | null =>
  role === 'operator' ? null : (organizationId ?? 0)

/** A stream lasts as long as the session or the key for which it was opened. */
function followedBy(req: Request, res: Response): Followed {
  const { operatorKey } = res.locals
  const who: Pick<Followed, 'by' | 'id'> = operatorKey
    ? { by: 'key', id: operatorKey.keyId }
    : { by: 'session', id: digestOf(sessionIdOf(req) ?? '') }
  return { ...who, ...standingOf(res) }
}

const standingOf = ({ locals: { operatorKey, visitor } }: Response): Standing =>
  operatorKey
    ? { role: roleOfKey(operatorKey.organizationId), organizationId: operatorKey.organizationId }
    : { role: visitor!.role, organizationId: visitor!.organizationId }

/** Asks no proof of a session from a caller with a key. */
const unlessKey =
  (handler: RequestHandler): RequestHandler =>
  (req, res, next) =>
    res.locals.operatorKey ? next() : handler(req, res, next)

const onlyKeysFor =
  ({ who, scope }: Pick<Row, 'who' | 'scope'>): RequestHandler =>
  (_req, res, next) => {
    const { operatorKey } = res.locals
    if (operatorKey && !who.includes(roleOfKey(operatorKey.organizationId)))
      throw new Refusal('forbidden', 'This is not for the key of one organization; it needs the key of an operator.')
    if (operatorKey && scope && !operatorKey.scopes.includes(scope))
      throw new Refusal('forbidden', `This key may not do this; it needs a key that was made with --scope ${scope}.`)
    next()
  }
