/**
 * Single sign-on as the settings have it, and who may sign in with a password alongside it. What speaks to a provider is loaded only
 * where there is one, because it is large.
 */
import type { Logger } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import type { Settings } from '../config.ts'
import { proxyOf } from '../domain/proxy-place.ts'
import { type PasswordPolicy, passwordPolicy } from '../people/password-policy.ts'
import type { ProviderFailure } from '../people/sign-on/provider-failure.ts'
import { createSignOn, RETURN_PATH, type SignOn } from '../people/sign-on/sign-on.ts'
import type { Store } from '../store/store.ts'

export interface SignOnSurroundings {
  store: Store
  clock: Clock
  /** The provider lives in real time, even when a sandbox's clock is ahead. */
  realClock: Clock
  random(bytes: number): Uint8Array
  log: Logger
}

export async function signOnOf(
  settings: Settings,
  { store, clock, realClock, random, log }: SignOnSurroundings,
): Promise<{ signOn: SignOn | null; passwords: PasswordPolicy }> {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcScopes: scopes, publicUrl, passwords: mode } = settings
  if (!oidcIssuer || !oidcClientId || !oidcClientSecret || !publicUrl)
    return { signOn: null, passwords: passwordPolicy(store, mode, null) }
  const { origin } = new URL(publicUrl)
  const client = { clientId: oidcClientId, clientSecret: oidcClientSecret, scopes, redirectUri: origin + RETURN_PATH }
  const { createProvider } = await import('../people/sign-on/provider.ts')
  const provider = createProvider({ issuer: oidcIssuer, ...client, proxy: proxyOf(settings) }, realClock)
  const name = settings.oidcName ?? new URL(oidcIssuer).host
  const onFailure = ({ fault, code }: ProviderFailure) => log.warn({ fault, code }, 'single sign-on failed')
  const trustsEmail = settings.oidcTrustEmail
  // So that the first to sign in does not wait, and a wrong setting shows in the log. Each sign-in asks again until it is known.
  provider.discover().catch(onFailure)
  return {
    signOn: createSignOn({ store, provider, clock, random, name, origin, trustsEmail, onFailure }),
    passwords: passwordPolicy(store, mode, { name, issuer: provider.issuer }),
  }
}
