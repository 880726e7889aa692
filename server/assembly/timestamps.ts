/** The authority that gives timestamps to seals, as the settings have it. */
import { randomBytes } from 'node:crypto'
import type { Settings } from '../config.ts'
import { bareHost, isLoopbackHost, type TargetPolicy } from '../domain/delivery/target.ts'
import { proxyFor, proxyOf } from '../domain/proxy-place.ts'
import type { Timestamps } from '../signing/sealing.ts'
import { guardedLookup } from '../workers/delivery/guarded-lookup.ts'
import type { Resolve } from '../workers/delivery/resolve.ts'
import { askAuthority } from '../workers/timestamps/ask-authority.ts'

export interface TimestampsSurroundings {
  /** Addresses that the service may call. */
  targets: TargetPolicy
  resolve: Resolve
  onProblem: Timestamps['onProblem']
}

/** No organization: the authority is the operator's. */
const NOBODY = 0
const NONCE_BYTES = 8

/** Returns null when there is no authority. */
export function timestampsOf(
  { timestampUrl, timestampRule: rule, timestampCa, timestampTimeout, ...settings }: Settings,
  { targets, resolve, onProblem }: TimestampsSurroundings,
): Timestamps | null {
  if (timestampUrl === undefined) return null
  const url = new URL(timestampUrl)
  // Who names this machine means it; any other name may resolve to public addresses only, unless it is on the list.
  const policy = { ...targets, allowHttp: targets.allowHttp || isLoopbackHost(bareHost(url)) }
  const lookup = guardedLookup(policy, resolve)(NOBODY)
  const [name = '', value = ''] = settings.timestampHeader?.split(/:\s*(.*)/s) ?? []
  const authority = {
    url,
    password: settings.timestampPassword,
    header: settings.timestampHeader === undefined ? undefined : ([name, value] as const),
    timeoutMs: timestampTimeout * 1000,
    ca: timestampCa,
    lookup,
    proxy: proxyFor(bareHost(url), proxyOf(settings)),
  }
  return {
    authority: url.host,
    rule,
    authorities: timestampCa ?? '',
    newNonce,
    ask: (query) => askAuthority(query, authority),
    onProblem,
  }
}

/** Positive, and without a zero in front. */
function newNonce(): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  nonce[0] = (nonce[0]! & 0x3f) | 0x40
  return nonce
}
