/** Signing in to the pages, and out. Knows no HTTP. A session id is handed out once and kept as a digest only. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { shareById } from '../../lib/share-by-id.ts'
import { createStrangers } from '../../lib/strangers.ts'
import { BUSY_RETRY_MS, SESSION_IDLE_MS, SIGN_IN_WINDOW_MS, STRANGERS } from '../choices.ts'
import type { Actor, AuditEntry } from '../domain/audit.ts'
import { emailOf } from '../domain/email.ts'
import { networkOf } from '../domain/network.ts'
import { Refusal, strangersWait, TooMany } from '../domain/refusal.ts'
import type { DemoPerson, Person, Visitor } from '../store/directory/people.ts'
import type { Store } from '../store/store.ts'
import { inWords } from './in-words.ts'
import type { KnownDevices } from './known-device.ts'
import { newSession } from './new-session.ts'
import { type ChangePassword, ownPassword } from './own-password.ts'
import { matchesPassword, refuseWhenCrowded } from './password.ts'
import type { PasswordPolicy } from './password-policy.ts'
import type { SecondStep, StepAhead } from './second-factor/second-step.ts'
import { digestOf, sha256 } from './session-digest.ts'
import { ofKnownDevice, ofStranger } from './sign-in-buckets.ts'
import type { SignOn } from './sign-on/sign-on.ts'
import type { Origin, SignedIn } from './signed-in.ts'
import { createThrottle } from './throttle.ts'

export interface Entrance {
  /** Is what is signed here a test? */
  readonly sandbox: boolean
  /** Whether anyone may sign in with a password. */
  readonly hasPasswords: boolean
  /** The other way in; null where there is none. */
  readonly signOn: SignOn | null
  /**
   * Refuses with `signedOut` when the address or the password is wrong, or passwords are switched off, and with `tooMany` after
   * too many failures, and with `unavailable` while too many sign in at once. Resolves with a step when the password is right and not all that it takes.
   */
  signIn(email: string, password: string, from: Origin): Promise<SignedIn | StepAhead>
  /** The people whom anyone may sign in as: in a sandbox those of the demo, elsewhere no one. */
  demoPeople(): Promise<DemoPerson[]>
  /** Resolves with the id of a new session of one of them. Refuses anyone else with `notFound`. */
  signInAs(personId: number, address: string): Promise<string>
  /**
   * Returns the visitor of a session; null when it has ended. Keeps the session alive unless `isUse` is false. Refuses with `Busy` when too
   * many unknown sessions wait. `network` is where the request comes from; one name for all by default.
   */
  visitorOf(sessionId: string, how?: { isUse: boolean; network?: string }): Promise<Visitor | null>
  signOut(sessionId: string): Promise<void>
  /** Ends every session of the visitor, this one too. */
  signOutEverywhere(visitor: Visitor, by: Actor): Promise<void>
  changePassword: ChangePassword
  /** Returns the token that a page must send with every change. The session id cannot be derived from it. */
  tokenOf(sessionId: string): string
  isTokenOf(sessionId: string, token: string): boolean
}

export interface EntranceParts {
  store: Pick<Store, 'people' | 'sessions' | 'signInTries' | 'audit'>
  clock: Clock
  random(bytes: number): Uint8Array
  devices: KnownDevices
  secondStep: Pick<SecondStep, 'begin'>
  /** In a sandbox the people of the demo need no password. */
  sandbox: boolean
  passwords: PasswordPolicy
  signOn: SignOn | null
}

/** Milliseconds between two writes of the time of last use, so that a busy page does not write with each request. */
const SEEN_EVERY_MS = 60_000

export function createEntrance(parts: EntranceParts): Entrance {
  const { store, clock, random, devices, secondStep, sandbox, passwords, signOn } = parts
  const rightPassword = passwordCheck(parts)

  async function begin(personId: number, passwordHash: string | null, ip: string): Promise<string> {
    const { sessionId, session } = newSession(random, timeOf(clock), ip)
    if (!(await store.sessions.open({ ...session, personId, passwordHash, byPasswordAlone: true })))
      throw signInRefused()
    return sessionId
  }

  const demoPeople = async () => (sandbox ? store.people.listWithoutPassword() : [])
  const tokenOf = (sessionId: string) => createHmac('sha256', sessionId).update('page token').digest('base64url')

  return {
    sandbox,
    hasPasswords: passwords.allowsAny,
    signOn,
    async signIn(email, password, from) {
      const { person, buckets } = await rightPassword(email, password, from)
      const ahead = await secondStep.begin(person)
      if (ahead === 'refused') throw signInRefused()
      // A device is known only once nothing is missing any more.
      const signedIn = ahead ?? {
        sessionId: await begin(person.id, person.passwordHash, from.address),
        deviceId: await devices.remember(from.deviceId, person.id),
      }
      await store.signInTries.settle(buckets)
      return signedIn
    },
    demoPeople,
    async signInAs(personId, address) {
      const found = (await demoPeople()).find(({ id }) => id === personId)
      if (!found) throw new Refusal('notFound', 'personId: not a person of the demo')
      return begin(found.id, null, address)
    },
    changePassword: ownPassword({ store, clock }),
    visitorOf: visitorFinder(store, clock),
    signOutEverywhere: ({ personId, organizationId }, by) =>
      store.people.signOut({ id: personId, organizationId }, timeOf(clock), by),
    signOut: (sessionId) => store.sessions.end(digestOf(sessionId)),
    tokenOf,
    isTokenOf: (sessionId, token) => timingSafeEqual(sha256(token), sha256(tokenOf(sessionId))),
  }
}

/** Returns what resolves with the person whose password it is, and with the tries that it counted for. Refuses all others. */
function passwordCheck({ store, clock, devices, passwords }: EntranceParts) {
  const audited = createThrottle({ clock, tries: 1, windowMs: SIGN_IN_WINDOW_MS })
  return async (given: string, password: string, { address, deviceId }: Origin) => {
    if (!passwords.allowsAny) throw passwords.refusal()
    refuseWhenCrowded()
    // An invalid address is counted like one that has no account.
    const email = emailOf(given) ?? ''
    const person = email === '' ? null : await store.people.findForSignIn(email)
    const { digest: device, knownTo } = await devices.recognise(deviceId)
    const isKnown = device !== null && person !== null && knownTo.includes(person.id)
    const buckets = isKnown ? ofKnownDevice(email, device) : ofStranger(email, networkOf(address))
    const waitMs = await store.signInTries.take(buckets, timeOf(clock))
    if (waitMs > 0) {
      // Once in each window, or anyone could fill the log.
      if (audited.take(networkOf(address)) === 0)
        await store.audit.append({ ...failureOf(person, address, timeOf(clock)), action: 'session.throttle' })
      throw new TooMany(waitMs, `Too many failed sign-ins. Try again in ${inWords(waitMs)}.`)
    }
    if (!(await matchesPassword(password, person?.passwordHash ?? null)) || !person) {
      await store.audit.append(failureOf(person, address, timeOf(clock)))
      throw signInRefused()
    }
    if (!(await passwords.allows(person.id))) {
      await store.audit.append(failureOf(person, address, timeOf(clock)))
      throw passwords.refusal()
    }
    return { person, buckets }
  }
}

function visitorFinder({ sessions }: Pick<Store, 'sessions'>, clock: Clock): Entrance['visitorOf'] {
  const inLine = createStrangers(STRANGERS, () => strangersWait(BUSY_RETRY_MS))
  const find = inLine((digest) => {
    const at = timeOf(clock)
    return sessions.find(digest, at, new Date(at.getTime() - SESSION_IDLE_MS))
  })
  const markSeen = shareById((digest) => sessions.seen(digest, timeOf(clock)))
  return async (sessionId, { isUse, network = '' } = { isUse: true }) => {
    const digest = digestOf(sessionId)
    const found = await find(digest, network)
    if (!found) return null
    if (isUse && clock.now() - found.seenAt.getTime() >= SEEN_EVERY_MS) await markSeen(digest)
    return found.visitor
  }
}

/** The same whether the address, the password or the account is at fault, so that no one learns which addresses have one. */
const signInRefused = () => new Refusal('signedOut', 'The e-mail address or the password is wrong.')

/**
 * The audit entry of a failed sign-in. Failures with an address that has no account are audited too, so that the time of the
 * answer does not tell which addresses have one. The throttles bound how many entries that makes.
 */
const failureOf = (person: Person | null, ip: string, at: Date) =>
  ({
    action: 'session.begin',
    outcome: 'refused',
    at,
    by: { kind: 'visitor', id: null, ip },
    organizationId: person?.organizationId ?? null,
    subject: person?.id,
  }) satisfies AuditEntry
