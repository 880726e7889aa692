/** Typed calls for what only a sandbox lets a sender do. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientOptions } from '../lib/client/client-settings.ts'
import { type CallSandbox, sandboxCaller } from '../lib/client/sandbox-call.ts'
import type { Fault } from '../server/operations/sandbox/fault.ts'
import type { ReviewedPatients } from '../server/operations/sandbox/reviewed-patients.ts'
import type { ScenarioInput, ScenarioState } from '../server/operations/sandbox/scenarios/scenario.ts'

/** The signer's entries, by the index of the fields of the document: text, or whether a box is ticked. */
export type FieldValues = Readonly<Record<number, string | boolean>>

/** The clock of the sandbox. */
export interface ClockReading {
  /** ISO 8601, in UTC. */
  now: string
  /** How far it is ahead of the real time. */
  aheadSeconds: number
  /** Where it was being put forward to. */
  target: string
  /** Whether it is there. */
  reached: boolean
}

export interface ControlPlane {
  sign(taskId: number, values?: FieldValues): Promise<void>
  reject(taskId: number, reason?: string): Promise<void>
  advance(seconds: number): Promise<ClockReading>
  fault(fault: Fault): Promise<void>
  clearFaults(): Promise<void>
  review(patients: ReviewedPatients): Promise<void>
  reset(): Promise<void>
  play(scenario: ScenarioInput): Promise<ScenarioState>
}

/** Days of retries are gone through one by one, so advancing may take longer than any call of a client. */
const TIMEOUT_MS = 120_000
/** While the clock is on its way. */
const LOOK_EVERY_MS = 250

export function controlPlane(options: ClientOptions): ControlPlane {
  const call: CallSandbox = sandboxCaller({ ...options, timeoutMs: TIMEOUT_MS })
  const post = (name: string, path: string, body: object = {}, params: object = {}) =>
    call({ name, method: 'POST', path, params, body })
  return {
    async sign(taskId, values = {}) {
      await post('sign', 'tasks/:id/sign', { values }, { id: taskId })
    },
    async reject(taskId, reason) {
      await post('reject', 'tasks/:id/reject', { reason }, { id: taskId })
    },
    async advance(advanceSeconds) {
      let reading = (await post('advance', 'clock', { advanceSeconds })) as ClockReading
      while (!reading.reached) {
        await pause(LOOK_EVERY_MS)
        reading = (await call({ name: 'readClock', method: 'GET', path: 'clock' })) as ClockReading
      }
      return reading
    },
    async fault(fault) {
      await post('fault', 'faults', fault)
    },
    async clearFaults() {
      await call({ name: 'clearFaults', method: 'DELETE', path: 'faults' })
    },
    async review(patients) {
      await post('review', 'review', { patients })
    },
    async reset() {
      await post('reset', 'reset')
    },
    async play(scenario) {
      await post('addScenario', 'scenarios', scenario)
      const params = { name: scenario.name }
      return (await post('playScenario', 'scenarios/:name/play', { fromStart: true }, params)) as ScenarioState
    },
  }
}
