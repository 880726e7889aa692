/**
 * The provider of single sign-on: OpenID Connect, authorization code flow with PKCE. The library checks what comes back: `iss`,
 * `state`, and of the ID token signature, issuer, audience, times and `nonce`. A call that takes too long is given up.
 */
import * as client from 'openid-client'
import type { Clock } from '../../../lib/clock.ts'
import { ID_TOKEN_TOLERANCE_S, PROVIDER_METADATA_LIFE_MS, PROVIDER_TIMEOUT_MS } from '../../choices.ts'
import { emailOf } from '../../domain/email.ts'
import type { ProxyPlace } from '../../domain/proxy-place.ts'
import type { Identity } from '../../store/sign-in/identities.ts'
import type { Handshake } from './handshake.ts'
import { outcomeOf } from './outcome-of.ts'
import { ProviderFailure } from './provider-failure.ts'
import { tunnelledFetch } from './tunnelled-fetch.ts'

export interface ProviderSettings {
  /** URL at which the provider is discovered, and which its tokens name. */
  issuer: string
  clientId: string
  clientSecret: string
  /** Separated by blanks; `openid` among them. */
  scopes: string
  /** Where the provider sends the browser back to. */
  redirectUri: string
  /** Through which the provider is called; undefined where it is called directly. */
  proxy?: ProxyPlace | undefined
}

export interface Email {
  address: string | null
  /** Whether the provider says that the address is the person's. */
  isVerified: boolean
}

export interface Arrival {
  identity: Identity
  /** Asks the provider when the ID token does not tell. */
  email(): Promise<Email>
}

/** Rejects with a `ProviderFailure`. */
export interface Provider {
  /** The issuer as identities name it. */
  readonly issuer: string
  /** Asks the provider what it can do; does nothing while that is known. */
  discover(): Promise<void>
  /** Where the browser has to go. */
  urlFor(handshake: Handshake): Promise<string>
  /** @param query with which the browser came back */
  arrival(query: string, handshake: Handshake): Promise<Arrival>
  /** Where someone can sign out of the provider; null when it has no such place, or has not answered yet. */
  endUrl(): string | null
}

export function createProvider(settings: ProviderSettings, clock: Clock): Provider {
  const issuer = new URL(settings.issuer)
  let known: { config: client.Configuration; until: number } | null = null
  let asking: Promise<client.Configuration> | null = null

  async function ask(): Promise<client.Configuration> {
    const config = await discovered(issuer, settings)
    known = { config, until: clock.now() + PROVIDER_METADATA_LIFE_MS }
    return config
  }

  /** Those who come while it is being asked wait for the same answer; after a failure, the next one asks again. */
  function configuration(): Promise<client.Configuration> {
    if (known && known.until > clock.now()) return Promise.resolve(known.config)
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }

  return {
    issuer: issuer.href,
    discover: async () => void (await configuration().catch(outcomeOf)),
    async urlFor({ state, nonce, verifier }) {
      const config = await configuration().catch(outcomeOf)
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: settings.redirectUri,
        scope: settings.scopes,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      return url.href
    },
    async arrival(query, { state, nonce, verifier }) {
      const config = await configuration().catch(outcomeOf)
      const came = new URL(settings.redirectUri)
      came.search = query
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      const tokens = await client.authorizationCodeGrant(config, came, checks).catch(outcomeOf)
      const claims = tokens.claims()!
      // OpenID Connect Core 1.0, 3.1.3.7, 5: the library looks at it only where there are several audiences.
      if (claims.azp !== undefined && claims.azp !== settings.clientId)
        throw new ProviderFailure('untrusted', 'token-of-another-client')
      if (isFromFuture(claims, clock.now())) throw new ProviderFailure('untrusted', 'token-from-the-future')
      // An empty subject would make all whom the provider does not know by one the same person.
      if (!SUBJECT.test(claims.sub)) throw new ProviderFailure('untrusted', 'not-a-subject')
      return {
        identity: { issuer: issuer.href, subject: claims.sub },
        async email() {
          const told =
            claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
              ? await client.fetchUserInfo(config, tokens.access_token, claims.sub).catch(outcomeOf)
              : claims
          // People type blanks around an address; one that a provider has verified has none.
          const isExact = typeof told.email === 'string' && told.email.trim() === told.email
          const address = isExact ? emailOf(String(told.email)) : null
          return { address, isVerified: told.email_verified === true }
        },
      }
    },
    endUrl: () =>
      known?.config.serverMetadata().end_session_endpoint ? client.buildEndSessionUrl(known.config).href : null,
  }
}

/** OpenID Connect Core 1.0, section 2: up to 255 ASCII characters. */
const SUBJECT = /^[\x21-\x7e][\x20-\x7e]{0,254}$/

/** The library checks `exp`. A time that has not come yet is that of a wrong clock, or of a token that was made to be used later. */
function isFromFuture(claims: client.IDToken, nowMs: number): boolean {
  const latest = nowMs / 1000 + ID_TOKEN_TOLERANCE_S
  const isPast = (time: unknown) => time === undefined || (typeof time === 'number' && time <= latest)
  return !(typeof claims.iat === 'number' && [claims.iat, claims.nbf, claims.auth_time].every(isPast))
}

async function discovered(
  issuer: URL,
  { clientId, clientSecret, proxy }: ProviderSettings,
): Promise<client.Configuration> {
  const isPlain = issuer.protocol === 'http:'
  const timeout = PROVIDER_TIMEOUT_MS / 1000
  const execute = [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])]
  const options = { timeout, execute, ...(proxy && { [client.customFetch]: tunnelledFetch(proxy) }) }
  const config = await client.discovery(issuer, clientId, undefined, authentication(clientSecret), options)
  // The library lets some providers answer for another issuer, that of every organization they serve.
  if (new URL(config.serverMetadata().issuer).href !== issuer.href)
    throw new ProviderFailure('untrusted', 'another-issuer')
  return config
}

/** HTTP Basic, which is what a provider must expect when nothing else was agreed; in the body where it takes nothing else. */
function authentication(clientSecret: string): client.ClientAuth {
  const basic = client.ClientSecretBasic(clientSecret)
  const post = client.ClientSecretPost(clientSecret)
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const chosen = !methods.includes('client_secret_basic') && methods.includes('client_secret_post') ? post : basic
    chosen(server, ...rest)
  }
}
