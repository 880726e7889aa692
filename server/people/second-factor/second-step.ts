/**
 * The step after the right password: a code, or the set-up of a second factor where one is required and missing. The step is
 * known by an id that only the browser of the sign-in has, expires soon, and gives no access.
 */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { SIGN_IN_STEP_MS } from '../../choices.ts'
import { Refusal } from '../../domain/refusal.ts'
import { mustHaveOne, type RequiredOf } from '../../domain/second-factor.ts'
import type { Person } from '../../store/directory/people.ts'
import type { SessionRow } from '../../store/directory/sessions.ts'
import type { Finished, Missing } from '../../store/directory/sign-in-steps.ts'
import type { Store } from '../../store/store.ts'
import type { KnownDevices } from '../known-device.ts'
import { newSession } from '../new-session.ts'
import { digestOf } from '../session-digest.ts'
import { ofCode } from '../sign-in-buckets.ts'
import type { Origin, SignedIn } from '../signed-in.ts'
import { SECRET_BYTES } from './authenticator.ts'
import { appCode, codeOf } from './code.ts'
import { limitCodes } from './limit-codes.ts'
import { newRecoveryCodes, written } from './recovery-codes.ts'
import { type ShownOffer, shownOffer } from './shown-offer.ts'

export interface StepAhead {
  stepId: string
  missing: Missing
}

/** All of it refuses with `signedOut` when the step has ended. */
export interface SecondStep {
  /** After the right password. Resolves with null when nothing is missing, and with `refused` when the person may not sign in. */
  begin(person: Person & { passwordHash: string | null }): Promise<StepAhead | null | 'refused'>
  /** Takes a code of the app or a recovery code. Refuses with `invalid` a wrong one, and with `tooMany` after too many. */
  enter(stepId: string, code: string, from: Origin): Promise<SignedIn>
  /** Makes a secret to be confirmed; one that was made before in this step is void. */
  offer(stepId: string): Promise<ShownOffer>
  /** Makes the secret the second factor with a first code of it, and resolves with the recovery codes, too. */
  enrol(stepId: string, code: string, from: Origin): Promise<SignedIn & { recoveryCodes: string[] }>
}

export interface SecondStepParts {
  store: Pick<Store, 'signInSteps' | 'secondFactors' | 'signInTries' | 'audit'>
  clock: Clock
  /** Decides which codes are right, even when a sandbox's clock is ahead. */
  realClock: Clock
  random(bytes: number): Uint8Array
  devices: KnownDevices
  requiredOf: RequiredOf
}

const STEP_BYTES = 32

export function createSecondStep(parts: SecondStepParts): SecondStep {
  const { store, clock, realClock, random, devices, requiredOf } = parts
  const limit = limitCodes({ store, clock })
  const { signInSteps: steps } = store

  async function stepOf(stepId: string, missing: Missing) {
    const step = await steps.find(digestOf(stepId), timeOf(clock))
    if (step?.missing !== missing) throw isOver()
    return step
  }

  return {
    async begin({ id: personId, role, passwordHash }) {
      const stepId = Buffer.from(random(STEP_BYTES)).toString('base64url')
      const at = timeOf(clock)
      const expiresAt = new Date(at.getTime() + SIGN_IN_STEP_MS)
      const mustEnrol = mustHaveOne(requiredOf, role)
      const missing = await steps.begin({ digest: digestOf(stepId), personId, passwordHash, mustEnrol, at, expiresAt })
      return missing === null || missing === 'refused' ? missing : { stepId, missing }
    },
    async enter(stepId, entered, from) {
      const { id, email, organizationId } = await stepOf(stepId, 'code')
      const { digest: device, knownTo } = await devices.recognise(from.deviceId)
      const who = { by: { kind: 'visitor', id: null, ip: from.address }, organizationId, subject: id } as const
      return letIn(parts, id, from, (session) =>
        limit(
          ofCode(email, knownTo.includes(id) ? device : null),
          who,
          codeOf(entered, timeOf(realClock)),
          async (code) => isDone(await steps.finish({ digest: digestOf(stepId), session, code })),
        ),
      )
    },
    async offer(stepId) {
      const { id: personId, email } = await stepOf(stepId, 'enrolment')
      const secret = random(SECRET_BYTES)
      const at = timeOf(clock)
      const expiresAt = new Date(at.getTime() + SIGN_IN_STEP_MS)
      const by = { kind: 'visitor', id: null } as const
      const offer = { personId, holder: digestOf(stepId), secret, code: null, at, expiresAt, by }
      if (!(await store.secondFactors.offer(offer))) throw isOver()
      return shownOffer(secret, email)
    },
    async enrol(stepId, entered, from) {
      const { id } = await stepOf(stepId, 'enrolment')
      const recoveryCodes = newRecoveryCodes(random)
      const code = appCode(entered, timeOf(realClock))
      const signedIn = await letIn(parts, id, from, async (session) => {
        if (!isDone(await steps.enrol({ digest: digestOf(stepId), session, code, recoveryCodes }))) throw notOfSecret()
      })
      return { ...signedIn, recoveryCodes: recoveryCodes.map(written) }
    },
  }
}

/** Makes a session of the step in the way that `finish` does, and knows the device from then on. */
async function letIn(
  { random, clock, devices }: SecondStepParts,
  personId: number,
  { address, deviceId }: Origin,
  finish: (session: SessionRow) => Promise<void>,
): Promise<SignedIn> {
  const { sessionId, session } = newSession(random, timeOf(clock), address)
  await finish(session)
  return { sessionId, deviceId: await devices.remember(deviceId, personId) }
}

function isDone(finished: Finished): boolean {
  if (finished === 'over') throw isOver()
  return finished === 'done'
}

const isOver = () => new Refusal('signedOut', 'This sign-in has ended. Enter your password again.')

/** The first code of a new secret is wrong. */
export const notOfSecret = () =>
  new Refusal('invalid', 'code: not one of this secret. Check the clock of your device, or scan the picture again.')
