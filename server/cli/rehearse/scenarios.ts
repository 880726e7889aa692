/** The scenarios of a rehearsal, as data: how the host and the signers behave, and how far the clock goes. */
import type { ChosenScript } from '../../operations/sandbox/chosen-scripts.ts'
import type { Fault } from '../../operations/sandbox/fault.ts'

export interface RehearsedScenario {
  name: string
  signer: ChosenScript
  faults: readonly Fault[]
  /** How far the clocks of the sandbox and of Node-RED go forward before the signer acts. */
  silentDays?: number
  /** Whether forged webhooks about open tasks are sent to each input of the flow. */
  isForging?: boolean
  /** Whether the signer signs once a document was rejected, so that a flow that sends it again comes to an end. */
  signsLater?: boolean
  /** Whether each task waits until an operator has decided who the patient is. */
  isReviewed?: boolean
  /** Whether the scenario is only about webhooks, so that a flow without an input for them skips it. */
  needsWebhooks?: boolean
  /** Whether Node-RED keeps its context from the scenario before, and gets the same messages again. */
  isRepetition?: boolean
  /** Whether the flow must create as many tasks as when all is well. */
  isLossless?: boolean
}

export const SIGNS: ChosenScript = { act: 'sign', afterSeconds: 0 }
const WAITS: ChosenScript = { act: 'wait' }
const refused = (status: number, more: object): Fault => ({ on: 'request', fault: 'refuse', status, ...more }) as Fault

export const CALM: RehearsedScenario = { name: 'all is well', signer: SIGNS, faults: [] }

export const scenarios: readonly RehearsedScenario[] = [
  CALM,
  { name: 'the same messages again', signer: SIGNS, faults: [], isRepetition: true },
  {
    name: 'answers lost',
    signer: SIGNS,
    faults: [
      { on: 'request', operation: 'createTask', fault: 'lose-answer', times: 1 },
      { on: 'request', operation: 'updateTask', fault: 'lose-answer', times: 1 },
    ],
    isLossless: true,
  },
  { name: '429', signer: SIGNS, faults: [refused(429, { retryAfterSeconds: 1, times: 3 })], isLossless: true },
  { name: '503', signer: SIGNS, faults: [refused(503, { times: 3 })], isLossless: true },
  { name: 'order refused', signer: SIGNS, faults: [refused(400, { operation: 'createTask' })] },
  {
    name: 'webhooks doubled',
    signer: SIGNS,
    faults: [{ on: 'callback', fault: 'duplicate' }],
    needsWebhooks: true,
    isLossless: true,
  },
  {
    name: 'webhooks late',
    signer: SIGNS,
    faults: [{ on: 'callback', status: 'Pending', fault: 'delay', delaySeconds: 3 }],
    needsWebhooks: true,
    isLossless: true,
  },
  {
    name: 'webhooks forged',
    signer: WAITS,
    faults: (['wrong-signature', 'old-timestamp', 'changed-body'] as const).map((fault) => ({
      on: 'callback',
      fault,
      times: 1,
    })),
    isForging: true,
    needsWebhooks: true,
  },
  {
    name: 'rejection',
    signer: { act: 'reject', afterSeconds: 0, reason: 'Not my patient' },
    faults: [],
    signsLater: true,
  },
  { name: 'review', signer: SIGNS, faults: [], isReviewed: true, isLossless: true },
  { name: '30 silent days', signer: WAITS, faults: [], silentDays: 30 },
]

/** The scenario that is played once for each wire over which a message went. */
export const KILLED = 'killed'
