/**
 * Signing in through a provider of OpenID Connect. Knows no HTTP. A sign-in that is begun comes back once, in the same browser,
 * to whichever process. No account is made. choice: Single sign-on
 */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { SIGN_IN_WINDOW_MS, SIGN_ON_LIFE_MS, SIGN_ONS_PER_ADDRESS } from '../../choices.ts'
import { networkOf } from '../../domain/network.ts'
import { Busy, Refusal, TooMany } from '../../domain/refusal.ts'
import { limited } from '../../domain/tries.ts'
import type { Linked } from '../../store/sign-in/identities.ts'
import type { Bucket } from '../../store/sign-in/tries.ts'
import type { Store } from '../../store/store.ts'
import { newSession } from '../new-session.ts'
import { digestOf } from '../session-digest.ts'
import { createThrottle } from '../throttle.ts'
import { handshakeOf, isStateOf } from './handshake.ts'
import type { Provider } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'
import { accountFinder, type FinderParts, noAccount } from './whose.ts'

/** Where the provider sends the browser back to; registered there, after the public URL of the service. */
export const RETURN_PATH = '/account/sign-on'

/** The parameters with which a browser came back. */
export interface Return {
  /** The whole query of the URL. */
  query: string
  /** The state of the query; null when there is none, or more than one. */
  state: string | null
  /** The secret that `begin` gave to the browser; null when it has none. */
  secret: string | null
}

export interface SignOn {
  /** The name of the provider on the pages. */
  readonly name: string
  /** The origin of the public URL: sign-ins begin and end there. */
  readonly origin: string
  /** Where the visitor can sign out of the provider; null for those who came with a password, or when it has no such place. */
  endUrlFor(sessionId: string): Promise<string | null>
  /** Returns where the browser has to go, and the secret that only it may keep. Refuses with `unavailable` while the provider is away. */
  begin(returnTo: string, earlierSessionId: string | null, ip: string): Promise<{ url: string; secret: string }>
  /** Returns a new session, and the path of the page that it was begun on. */
  finish(came: Return, ip: string): Promise<{ sessionId: string; returnTo: string }>
}

export interface SignOnParts extends FinderParts {
  store: Pick<Store, 'people' | 'sessions' | 'identities' | 'signOnAttempts' | 'signInTries' | 'audit'>
  provider: Provider
  origin: string
  clock: Clock
  random(bytes: number): Uint8Array
  /** Called with the reason when a sign-in failed that the visitor can do nothing about. */
  onFailure(failure: ProviderFailure): void
}

const SECRET_BYTES = 32
const UNFINISHED = limited(SIGN_ONS_PER_ADDRESS, SIGN_IN_WINDOW_MS)
const bucketsOf = (ip: string): Bucket[] => [{ name: ['sign-on', networkOf(ip)], email: null, pace: UNFINISHED }]

export function createSignOn(parts: SignOnParts): SignOn {
  const { store, provider, name, origin } = parts
  return {
    name,
    origin,
    endUrlFor: async (sessionId) =>
      (await store.sessions.cameFrom(digestOf(sessionId), provider.issuer)) ? provider.endUrl() : null,
    begin: beginning(parts),
    finish: finishing(parts),
  }
}

function beginning(parts: SignOnParts): SignOn['begin'] {
  const { store, provider, clock, random } = parts
  return async (returnTo, earlierSessionId, ip) => {
    const at = timeOf(clock)
    const waitMs = await store.signInTries.take(bucketsOf(ip), at)
    if (waitMs > 0) throw new TooMany(waitMs, TOO_MANY)
    const secret = Buffer.from(random(SECRET_BYTES)).toString('base64url')
    const url = await answered(provider.urlFor(handshakeOf(secret)), parts)
    const earlierSession = earlierSessionId === null ? null : digestOf(earlierSessionId)
    const endsAt = new Date(at.getTime() + SIGN_ON_LIFE_MS)
    await store.signOnAttempts.begin(digestOf(secret), { returnTo, earlierSession }, at, endsAt)
    return { url, secret }
  }
}

function finishing(parts: SignOnParts): SignOn['finish'] {
  const { store, provider, clock, random, name } = parts
  const accountOf = accountFinder(parts)
  const attemptOf = attempts(parts)
  return async (came, ip) => {
    const { handshake, returnTo, earlierSession } = await attemptOf(came, ip)
    const found = async () => {
      const arrival = await provider.arrival(came.query, handshake)
      return { identity: arrival.identity, ...(await accountOf(arrival, ip)) }
    }
    const { identity, account, problem } = await answered(found(), parts).catch(async (failure) => {
      if (failure instanceof Refusal) await auditRefusal(parts, null, ip)
      throw failure
    })
    const { sessionId, session } = newSession(random, timeOf(clock), ip)
    const isOpen =
      account !== null &&
      problem === null &&
      (await store.sessions.openWithIdentity(identity, account.personId, session))
    if (!isOpen) {
      await auditRefusal(parts, account, ip)
      throw new Refusal('forbidden', problem ?? noAccount(name))
    }
    // A session id never outlives the visitor it was made for.
    if (earlierSession !== null) await store.sessions.end(earlierSession)
    await store.signInTries.settle(bucketsOf(ip))
    return { sessionId, returnTo }
  }
}

/** Returns what finds the attempt that a browser comes back from, and hands it out once. */
function attempts(parts: SignOnParts) {
  const { store, clock } = parts
  const strays = createThrottle({ clock, tries: 1, windowMs: SIGN_IN_WINDOW_MS })
  return async ({ secret, state }: Return, ip: string) => {
    // A return to another browser must not use up the attempt.
    const isOwn = secret !== null && state !== null && isStateOf(secret, state)
    const attempt = isOwn ? await store.signOnAttempts.take(digestOf(secret), timeOf(clock)) : null
    if (isOwn && attempt) return { ...attempt, handshake: handshakeOf(secret) }
    // Once in each window, or anyone could fill the log.
    if (strays.take(networkOf(ip)) === 0) await auditRefusal(parts, null, ip)
    throw new Refusal('invalid', NOT_OPEN)
  }
}

const auditRefusal = ({ store, clock }: SignOnParts, account: Linked | null, ip: string): Promise<void> =>
  store.audit.append({
    action: 'session.sign-on',
    outcome: 'refused',
    at: timeOf(clock),
    by: { kind: 'visitor', id: null, ip },
    organizationId: account?.organizationId ?? null,
    subject: account?.personId,
  })

/** Waits for the provider. Throws what it fails with as a refusal, and tells the operator why. */
const answered = <T>(asked: Promise<T>, { onFailure, name }: SignOnParts): Promise<T> =>
  asked.catch((failure: unknown) => {
    if (!(failure instanceof ProviderFailure)) throw failure
    onFailure(failure)
    throw refusalOf(failure, name)
  })

const NOT_OPEN = 'This sign-in was not begun in this browser, has been used already, or took too long. Begin again.'
const TOO_MANY =
  'Too many sign-ins from here were begun and not finished. Try again later, or sign in with your password.'

/** A provider that is away is asked again after this time. */
const AWAY_RETRY_MS = 30_000

function refusalOf({ fault }: ProviderFailure, name: string): Refusal {
  switch (fault) {
    case 'away':
      return new Busy(AWAY_RETRY_MS, `${name} does not answer at the moment. Try again in a minute.`)
    case 'declined':
      return new Refusal('forbidden', `${name} did not sign you in. Begin again, or ask its administrators.`)
    case 'untrusted':
      return new Refusal(
        'forbidden',
        `${name} and this service do not understand each other. Ask the operator of this service, who finds the reason in the log.`,
      )
  }
}
