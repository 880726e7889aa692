/** Sends deliveries: checks the receiver's address, signs the body, and keeps connections for the next delivery. */
import type { AgentOptions, OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import type { Clock } from '../../../lib/clock.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import { defaultProfile } from '../../../lib/profile/parse-profile.ts'
import { DELIVERY_SLOTS } from '../../choices.ts'
import { parseAddress } from '../../domain/address.ts'
import { receiverUrlProblem } from '../../domain/delivery/receiver-url.ts'
import { bareHost, isAllowed, type TargetPolicy } from '../../domain/delivery/target.ts'
import { type ProxyPlace, proxyFor } from '../../domain/proxy-place.ts'
import { http } from '../../node-http.ts'
import { tunnelAgent } from '../../tunnel.ts'
import { type Agents, attempt, type Connections } from './attempt.ts'
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
  /** Through which receivers are called; undefined where they are called directly. */
  proxy?: ProxyPlace | undefined
}

/** A kept connection that was idle for longer may have been forgotten by something in between; it is closed. */
const IDLE_MS = 20_000

export function createPoster({ clock, targets, resolve, profile = defaultProfile, proxy }: PosterParts): Poster {
  const lookupOf = guardedLookup(targets, resolve)
  // As many as may be sent at once, because all of them may go to the same host.
  const options = { keepAlive: true, maxFreeSockets: DELIVERY_SLOTS, timeout: IDLE_MS }
  const direct: Connections = { kept: createAgents(options), fresh: createAgents() }
  const tunnelled: Connections | undefined = proxy && {
    kept: createTunnels(proxy, options),
    fresh: createTunnels(proxy),
  }
  return {
    async post(sending, cutOff, headersAt = (at) => signedHeaders(sending, at, profile)) {
      const { organizationId, url, body } = sending
      // A literal address is never looked up, and the rules may have changed since the URL was accepted.
      if (receiverUrlProblem(url, targets)) return { ...NO_REPLY, outcome: 'blocked_target' }
      const target = new URL(url)
      const way = proxyFor(bareHost(target), proxy)
      const isResolvedByProxy = way?.resolves ?? false
      if (isResolvedByProxy && !isKnown(bareHost(target), targets)) return { ...NO_REPLY, outcome: 'blocked_target' }
      const headers = headersAt(clock.now())
      const lookupFor = (watch?: LookupWatch) => (isResolvedByProxy ? undefined : lookupOf(organizationId, watch))
      const connections = (way && tunnelled) ?? direct
      return attempt({ clock, url: target, headers, body, lookupFor, ...connections }, cutOff)
    },
    close() {
      for (const { kept, fresh } of [direct, tunnelled ?? direct])
        for (const agent of [...Object.values(kept), ...Object.values(fresh)]) agent.destroy()
    },
  }
}

/** The proxy resolves the name, so nothing is known of the address: only a host that the operator has named may be called. */
const isKnown = (host: string, targets: TargetPolicy): boolean =>
  parseAddress(host) !== null || isAllowed(host, targets)

const createTunnels = (proxy: ProxyPlace, options: AgentOptions = {}): Agents => ({
  'http:': tunnelAgent('http:', proxy, options),
  'https:': tunnelAgent('https:', proxy, options),
})

const createAgents = (options: AgentOptions = {}): Agents => ({
  'http:': new http.Agent(options),
  'https:': new https.Agent(options),
})
