/**
 * The door of a sandbox's control plane: the same keys as for the partner interface, without its rate and its faults; or an operator
 * or administrator who is signed in to the console, for the page /sandbox.
 */
import type { Request, RequestHandler } from 'express'
import { type Clock, timeOf } from '../../../lib/clock.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import type { Actor } from '../../domain/audit.ts'
import { CATCH_PATH } from '../../domain/delivery/target.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Keyring } from '../../keys/keyring.ts'
import type { Orders } from '../../operations/sandbox/orders/orders.ts'
import type { SandboxContext } from '../../operations/sandbox/sandbox-context.ts'
import type { Entrance } from '../../people/entrance.ts'
import type { Signing } from '../../signing/sign.ts'
import type { Store } from '../../store/store.ts'
import { actorOf } from '../callers/actor.ts'
import { authenticate, keyIn } from '../callers/authenticate.ts'
import { PLACE_HEADER } from '../callers/visit.ts'
import type { Door } from '../table-routes.ts'
import { admitVisitors, withServiceTime } from './session.ts'

/** The parts that only a sandbox has. */
export type SandboxPart =
  | 'catchers'
  | 'time'
  | 'faults'
  | 'reviewing'
  | 'scripts'
  | 'scenarios'
  | 'snapshots'
  | 'traffic'
  | 'lessonsBegun'
  | 'ordersOf'
  | 'countOrdersAgain'
  | 'keyringIn'
  | 'hosted'
  | 'origin'

export interface SandboxDoorParts extends Pick<SandboxContext, Exclude<SandboxPart, 'ordersOf' | 'origin'>> {
  store: Store
  newSecret: SandboxContext['newSecret']
  /** Returns the address of this service, without a slash at the end. */
  origin(): string
  signing: Signing
  keyring: Keyring
  entrance: Entrance
  clock: Clock
  /** How the service speaks to senders. */
  profile: HostProfile
  ordersOf(organizationId: number, baseUrl: string): Orders
}

/** The header in which the page of an operator says for which sender it acts. */
export const ORGANIZATION_HEADER = 'x-sandbox-organization'

export function sandboxDoor({
  keyring,
  entrance,
  clock,
  profile,
  ordersOf,
  origin,
  ...parts
}: SandboxDoorParts): Door<SandboxContext> {
  const { store } = parts
  const withKey = authenticate(keyring, clock, profile)
  const asVisitor = admitVisitors(entrance)
  /** A page says which it is; a program with a key does not. */
  const isPage = (req: Request) => req.headers[PLACE_HEADER] !== undefined && !keyIn(req, profile.apiKeyHeader)
  const onlyPages =
    (handler: RequestHandler): RequestHandler =>
    (req, res, next) =>
      isPage(req) ? handler(req, res, next) : next()

  const senders = async (within: number | null) =>
    (await store.organizations.list())
      .filter(({ id, ingestionEnabled, isActive }) => (within === null ? ingestionEnabled && isActive : id === within))
      .map(({ id, name }) => ({ id, name }))
      .sort((a, b) => a.id - b.id)

  const choose: RequestHandler = async (req, res, next) => {
    const { role, organizationId } = res.locals.visitor!
    const open = await senders(role === 'operator' ? null : (organizationId ?? 0))
    const wanted = req.headers[ORGANIZATION_HEADER]
    const found = wanted === undefined ? open[0] : open.find(({ id }) => String(id) === wanted)
    if (!found) throw new Refusal('forbidden', 'This organization is not one that you may act for.')
    res.locals.organizationId = found.id
    next()
  }

  async function isReceiverElsewhere(organizationId: number, url: string, by: Actor): Promise<boolean> {
    for (const { id } of await store.organizations.list())
      if (
        id !== organizationId &&
        (await store.forOrganization(id, by).subscriptions.list()).some((one) => one.url === url)
      )
        return true
    return false
  }

  return {
    admit: (row) => [
      withServiceTime(clock),
      (req, res, next) => (isPage(req) ? next() : withKey(req, res, next)),
      ...asVisitor({ ...row, who: ['operator', 'administrator'] }).map(onlyPages),
      onlyPages(choose),
    ],
    contextOf: (req, res) => {
      const organizationId = res.locals.caller?.organizationId ?? res.locals.organizationId ?? 0
      const { visitor } = res.locals
      return {
        ...parts,
        organizationId,
        orders: ordersOf(organizationId, ownAddress(req)),
        ordersOf: (id) => ordersOf(id, ownAddress(req)),
        isOperator: visitor?.role === 'operator',
        subscriptions: store.forOrganization(organizationId, actorOf(req, res)).subscriptions,
        isReceiverElsewhere: (url) => isReceiverElsewhere(organizationId, url, actorOf(req, res)),
        catchUrl: `${origin()}${CATCH_PATH}`,
        senders: () => senders(visitor?.role === 'operator' ? null : organizationId),
        by: actorOf(req, res),
        at: timeOf(clock),
      }
    },
  }
}

/** Returns where the request reached this service: never what its caller wrote into a header. */
function ownAddress({ socket: { localAddress = '127.0.0.1', localPort } }: Request): string {
  const address = localAddress.replace(/^::ffff:/, '')
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`
}
