/** The door of the partner interface: lets in a key, within its rate. */
import type { Request, RequestHandler, Response } from 'express'
import { type Clock, timeOf } from '../../../lib/clock.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import type { TargetPolicy } from '../../domain/delivery/target.ts'
import type { Keyring } from '../../keys/keyring.ts'
import type { SenderContext } from '../../operations/sender/sender-context.ts'
import type { PdfPool } from '../../pdf/workers/pool.ts'
import type { Store } from '../../store/store.ts'
import { actorOf } from '../callers/actor.ts'
import { authenticate } from '../callers/authenticate.ts'
import { rateLimit } from '../callers/rate-limit.ts'
import { asBase64 } from '../large-json.ts'
import type { Door } from '../table-routes.ts'

/** The parts of the service that an order of a sender needs. */
export interface SenderParts {
  store: Store
  pdf: PdfPool
  clock: Clock
  newId(): string
  newSecret(): Uint8Array
  targets: TargetPolicy
  stopping: AbortSignal
  /** How the service speaks to senders. */
  profile: HostProfile
}

export interface SenderDoorParts extends SenderParts {
  keyring: Keyring
  /** The limit of each key; undefined sets none. */
  requestsPerMinute: number | undefined
  /** Handlers that run before the body of a known sender's request is read, such as the faults of a sandbox. */
  beforeReading: readonly RequestHandler[]
}

export function senderDoor(parts: SenderDoorParts): Door<SenderContext> {
  const { store, keyring, clock, profile } = parts
  const known = [
    authenticate(keyring, clock, profile),
    rateLimit({ perMinute: parts.requestsPerMinute, clock, keyRates: store.keyRates }),
    ...parts.beforeReading,
  ]
  return {
    admit: ({ who }) => (who.includes('anybody') ? [] : known),
    contextOf: (req, res) => {
      const caller = res.locals.caller ?? null
      // No one's organization is 0, so an operation without a caller finds nothing.
      return senderContext(parts, { req, res, caller, organizationId: caller?.organizationId ?? 0 })
    },
  }
}

interface Sender {
  req: Request
  res: Response
  /** Null for the operation that needs no key, and for an operator who acts for the organization. */
  caller: SenderContext['caller']
  organizationId: number
}

/** Returns the context in which an organization sends. */
export function senderContext(parts: SenderParts, { req, res, caller, organizationId }: Sender): SenderContext {
  const { store, pdf, clock, newId, newSecret, targets, stopping, profile } = parts
  return {
    caller,
    store: store.forOrganization(organizationId, actorOf(req, res)),
    shared: store,
    pdf,
    at: timeOf(clock),
    newId,
    newSecret,
    targets,
    stopping,
    isGone: () => res.closed,
    profile,
    attachmentOf: (text) => res.locals.longTexts?.get(text) ?? text,
    asBase64: (bytes) => asBase64(res, bytes),
    linkNext: (query) => linkNext(req, res, query),
  }
}

function linkNext(req: Request, res: Response, query: Record<string, string | readonly string[]>): void {
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(query)) for (const value of [values].flat()) search.append(name, value)
  res.setHeader('Link', `<${req.path}?${search}>; rel="next"`)
}
