/** Sends deliveries: checks the receiver's address, signs the body, and keeps connections for the next delivery. */
import type { AgentOptions, OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import type { Clock } from '../../../lib/clock.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import { defaultProfile } from '../../../lib/profile/parse-profile.ts'
import { DELIVERY_SLOTS } from '../../choices.ts'
import { receiverUrlProblem } from '../../domain/delivery/receiver-url.ts'
import type { TargetPolicy } from '../../domain/delivery/target.ts'
import { http } from '../../node-http.ts'
import { type Agents, attempt } from './attempt.ts'
import { guardedLookup, type LookupWatch } from './guarded-lookup.ts'
import { NO_REPLY, type Reply } from './reply.ts'
import type { Resolve } from './resolve.ts'
import { type Sending, signedHeaders } from './signed-headers.ts'

export interface Poster {
  /**
   * Makes one attempt. Resolves with null when the receiver's name did not get its turn to be looked up: nothing was sent,
   * which says nothing of the receiver. Never rejects.
   * @param cutOff ends the attempt early
   * @param headersAt the headers at a time in milliseconds since 1970; optional, the right ones by default
   */
  post(sending: Sending, cutOff: AbortSignal, headersAt?: (at: number) => OutgoingHttpHeaders): Promise<Reply | null>
  /** Ends the connections that are kept for the next delivery. */
  close(): void
}

export interface PosterParts {
  clock: Clock
  targets: TargetPolicy
  resolve: Resolve
  /** How the service speaks to receivers. Optional; as the interface is worded by default. */
  profile?: HostProfile
}

/** A kept connection that was idle for longer may have been forgotten by something in between; it is closed. */
const IDLE_MS = 20_000

export function createPoster({ clock, targets, resolve, profile = defaultProfile }: PosterParts): Poster {
  const lookupOf = guardedLookup(targets, resolve)
  // As many as may be sent at once, because all of them may go to the same host.
  const kept = createAgents({ keepAlive: true, maxFreeSockets: DELIVERY_SLOTS, timeout: IDLE_MS })
  const fresh = createAgents()
  return {
    async post(sending, cutOff, headersAt = (at) => signedHeaders(sending, at, profile)) {
      const { organizationId, url, body } = sending
      // A literal address is never looked up, and the rules may have changed since the URL was accepted.
      if (receiverUrlProblem(url, targets)) return { ...NO_REPLY, outcome: 'blocked_target' }
      const headers = headersAt(clock.now())
      const lookupFor = (watch?: LookupWatch) => lookupOf(organizationId, watch)
      return attempt({ clock, url: new URL(url), headers, body, lookupFor, kept, fresh }, cutOff)
    },
    close() {
      for (const agents of [kept, fresh]) for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

const createAgents = (options: AgentOptions = {}): Agents => ({
  'http:': new http.Agent(options),
  'https:': new https.Agent(options),
})
