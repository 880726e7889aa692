/** The scenarios of a rehearsal, as data: what the host and the signers do, and how far its clock goes. */

import type { ChosenScript } from '../../operations/sandbox/chosen-scripts.ts'
import type { Fault } from '../../operations/sandbox/fault.ts'

export interface RehearsedScenario {
  name: string
  signer: ChosenScript
  faults: readonly Fault[]
  /** How far the clock of the sandbox goes forward before the signer acts. */
  silentDays?: number
  /** Whether unsigned webhooks about open tasks are sent to each input of the flow. */
  isForging?: boolean
}

const SIGNS: ChosenScript = { act: 'sign', afterSeconds: 0 }
const WAITS: ChosenScript = { act: 'wait' }
const refused = (status: number, more: object): Fault => ({ on: 'request', fault: 'refuse', status, ...more }) as Fault

export const scenarios: readonly RehearsedScenario[] = [
  { name: 'all is well', signer: SIGNS, faults: [] },
  {
    name: 'answers lost',
    signer: SIGNS,
    faults: [
      { on: 'request', operation: 'createTask', fault: 'lose-answer', times: 1 },
      { on: 'request', operation: 'updateTask', fault: 'lose-answer', times: 1 },
    ],
  },
  { name: '429', signer: SIGNS, faults: [refused(429, { retryAfterSeconds: 1, times: 3 })] },
  { name: '503', signer: SIGNS, faults: [refused(503, { times: 3 })] },
  { name: 'order refused', signer: SIGNS, faults: [refused(400, { operation: 'createTask' })] },
  { name: 'webhooks doubled', signer: SIGNS, faults: [{ on: 'callback', fault: 'duplicate' }] },
  {
    name: 'webhooks late',
    signer: SIGNS,
    faults: [{ on: 'callback', status: 'Pending', fault: 'delay', delaySeconds: 5 }],
  },
  { name: 'webhooks forged', signer: WAITS, faults: [], isForging: true },
  { name: 'rejection', signer: { act: 'reject', afterSeconds: 0, reason: 'Not my patient' }, faults: [] },
  { name: '30 silent days', signer: WAITS, faults: [], silentDays: 30 },
]
