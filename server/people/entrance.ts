/** Signing in to the pages, and out. Knows no HTTP. A session id is handed out once and kept as a digest only. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { DEVICE_LIFE_MS, SESSION_IDLE_MS, SESSION_LIFE_MS, SIGN_IN_WINDOW_MS } from '../choices.ts'
import type { AuditEntry } from '../domain/audit.ts'
import { networkOf } from '../domain/network.ts'
import { Refusal, TooMany } from '../domain/refusal.ts'
import type { DemoPerson, Person, Visitor } from '../store/directory/people.ts'
import type { Store } from '../store/store.ts'
import { type ChangePassword, ownPassword } from './own-password.ts'
import { matchesPassword } from './password.ts'
import { digestOf, sha256 } from './session-digest.ts'
import { ofKnownDevice, ofStranger } from './sign-in-buckets.ts'
import { createThrottle } from './throttle.ts'

/** Where a visitor signs in from. */
export interface Origin {
  /** Network address. */
  address: string
  /** As an earlier sign-in gave it; null when there was none. */
  deviceId: string | null
}

export interface SignedIn {
  /** The id of a new session. */
  sessionId: string
  /** By which the device is known the next time. */
  deviceId: string
}

export interface Entrance {
  /** Is what is signed here a test? */
  readonly sandbox: boolean
  /** Refuses with `signedOut` when the address or the password is wrong, and with `tooMany` after too many failures. */
  signIn(email: string, password: string, from: Origin): Promise<SignedIn>
  /** The people whom anybody may sign in as: in a sandbox those of the demo, elsewhere nobody. */
  demoPeople(): Promise<DemoPerson[]>
  /** Resolves with the id of a new session of one of them. Refuses anybody else with `notFound`. */
  signInAs(personId: number, address: string): Promise<string>
  /** Whose session it is; null when it has ended. Keeps the session alive unless `isUse` is false. */
  visitorOf(sessionId: string, how?: { isUse: boolean }): Promise<Visitor | null>
  signOut(sessionId: string): Promise<void>
  changePassword: ChangePassword
  /** What a page must send along with every change. The session id cannot be told from it. */
  tokenOf(sessionId: string): string
  isTokenOf(sessionId: string, token: string): boolean
}

export interface EntranceParts {
  store: Pick<Store, 'people' | 'sessions' | 'devices' | 'signInTries' | 'audit'>
  clock: Clock
  random(bytes: number): Uint8Array
  /** In a sandbox the people of the demo need no password. */
  sandbox: boolean
}

const SESSION_BYTES = 32
const DEVICE_BYTES = 32
/** Milliseconds between two writes of the time of last use, so that a busy page does not write with each request. */
const SEEN_EVERY_MS = 60_000

export function createEntrance({ store, clock, random, sandbox }: EntranceParts): Entrance {
  const newId = (bytes: number) => Buffer.from(random(bytes)).toString('base64url')
  const audited = createThrottle({ clock, tries: 1, windowMs: SIGN_IN_WINDOW_MS })

  async function begin(personId: number, passwordHash: string | null, ip: string): Promise<string> {
    const sessionId = newId(SESSION_BYTES)
    const at = timeOf(clock)
    const expiresAt = new Date(at.getTime() + SESSION_LIFE_MS)
    const session = { digest: digestOf(sessionId), personId, passwordHash, at, expiresAt, ip }
    if (!(await store.sessions.open(session))) throw signInRefused()
    return sessionId
  }

  const demoPeople = async () => (sandbox ? store.people.listWithoutPassword() : [])
  const tokenOf = (sessionId: string) => createHmac('sha256', sessionId).update('page token').digest('base64url')

  return {
    sandbox,
    async signIn(given, password, { address, deviceId }) {
      const email = given.trim().toLowerCase()
      const person = await store.people.findForSignIn(email)
      const device = deviceId === null ? null : digestOf(deviceId)
      const knownTo = device === null ? [] : await store.devices.peopleOf(device, timeOf(clock))
      const isKnown = device !== null && person !== null && knownTo.includes(person.id)
      const buckets = isKnown ? ofKnownDevice(email, device) : ofStranger(email, networkOf(address))
      const waitMs = await store.signInTries.take(buckets, timeOf(clock))
      if (waitMs > 0) {
        // Once in each window, or anybody could fill the log.
        if (audited.take(networkOf(address)) === 0)
          await store.audit.append({ ...failureOf(person, address, timeOf(clock)), action: 'session.throttle' })
        throw new TooMany(waitMs, `Too many failed sign-ins. Try again in ${inWords(waitMs)}.`)
      }
      if (!(await matchesPassword(password, person?.passwordHash ?? null)) || !person) {
        await store.audit.append(failureOf(person, address, timeOf(clock)))
        throw signInRefused()
      }
      const sessionId = await begin(person.id, person.passwordHash, address)
      await store.signInTries.settle(buckets)
      // An id that we did not give may have been planted.
      const kept = deviceId !== null && knownTo.length > 0 ? deviceId : newId(DEVICE_BYTES)
      await store.devices.remember(digestOf(kept), person.id, new Date(clock.now() + DEVICE_LIFE_MS))
      return { sessionId, deviceId: kept }
    },
    demoPeople,
    async signInAs(personId, address) {
      const found = (await demoPeople()).find(({ id }) => id === personId)
      if (!found) throw new Refusal('notFound', 'personId: nobody here can be signed in as without a password')
      return begin(found.id, null, address)
    },
    changePassword: ownPassword({ store, clock }),
    async visitorOf(sessionId, { isUse } = { isUse: true }) {
      const at = timeOf(clock)
      const digest = digestOf(sessionId)
      const found = await store.sessions.find(digest, at, new Date(at.getTime() - SESSION_IDLE_MS))
      if (!found) return null
      if (isUse && at.getTime() - found.seenAt.getTime() >= SEEN_EVERY_MS) await store.sessions.seen(digest, at)
      return found.visitor
    },
    signOut: (sessionId) => store.sessions.end(digestOf(sessionId)),
    tokenOf,
    isTokenOf: (sessionId, token) => timingSafeEqual(sha256(token), sha256(tokenOf(sessionId))),
  }
}

/** The same whether the address, the password or the account is at fault, so that nobody learns which addresses have one. */
const signInRefused = () => new Refusal('signedOut', 'The e-mail address or the password is wrong.')

/**
 * The audit entry of a failed sign-in. Failures with an address that has no account are audited too, so that the time of the
 * answer does not tell which addresses have one. The throttles bound how many entries that makes.
 */
const failureOf = (person: Person | null, ip: string, at: Date): AuditEntry => ({
  action: 'session.begin',
  outcome: 'refused',
  at,
  by: { kind: 'visitor', id: null, ip },
  organizationId: person?.organizationId ?? null,
  subject: person?.id,
})

const inWords = (ms: number): string => {
  const seconds = Math.ceil(ms / 1_000)
  return seconds < 60 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
