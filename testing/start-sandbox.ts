/** Starts a sandbox for tests: the real service in this process, on a free port, with its store in memory. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient } from '../lib/client/client.ts'
import { isFinal } from '../lib/contract/task/task-status.ts'
import type { ProfileInput } from '../lib/profile/host-profile.ts'
import { createService } from '../server/door.ts'
import type { Fault } from '../server/operations/sandbox/fault.ts'
import type { ReviewedPatients } from '../server/operations/sandbox/reviewed-patients.ts'
import type { ScenarioInput, ScenarioState } from '../server/operations/sandbox/scenarios/scenario.ts'
import { type ClockReading, type ControlPlane, controlPlane, type FieldValues } from './control-plane.ts'
import { type SandboxReceiver, startReceiver } from './receiver.ts'

/** How the sandbox differs from the usual one. */
export interface SandboxOptions {
  /** The host as which the service speaks. Optional; as the interface is worded by default. */
  profile?: ProfileInput
  /** Played to its end before the promise resolves. Optional; none by default. */
  scenario?: ScenarioInput
}

/** A service of its own, with the demo's organizations, signers, document types and templates. */
export interface TestSandbox {
  /** A client for it, with `key`. */
  client: Client
  /** The base URL for clients of your own, for example `http://127.0.0.1:40123`. */
  baseUrl: string
  /** The API key of the sender Willow Creek Home Health. */
  key: string
  /**
   * Signs as the signer, as soon as the task is Pending. Required fields that `values` omits are filled in. Rejects when
   * the task ends otherwise, or is not Pending within ten seconds.
   */
  sign(taskId: number, values?: FieldValues): Promise<void>
  /** Rejects as the signer, as soon as the task is Pending. The promise rejects as that of `sign` does. */
  reject(taskId: number, reason?: string): Promise<void>
  /** Lets up to 100 days pass: demo signers act, and callbacks are repeated. Resolves when all that became due is done. */
  advance(seconds: number): Promise<ClockReading>
  /** Plans what goes wrong, such as `{ on: 'request', operation: 'createTask', fault: 'lose-answer', times: 1 }`. */
  fault(fault: Fault): Promise<void>
  /** Takes back every planned fault. */
  clearFaults(): Promise<void>
  /**
   * Sets whose tasks wait in Processing for a person who says who the patient is: `doubtful`, as in production; `none`, so that
   * one patient can be sent under many ids; or `all`.
   */
  review(patients: ReviewedPatients): Promise<void>
  /** Plays a scenario to its end, from its first step. Rejects with the reason when a step is refused. */
  play(scenario: ScenarioInput): Promise<ScenarioState>
  /**
   * Removes tasks, patients, events, faults and the setting of `review`, here and at the receiver. Keys, templates and
   * subscriptions stay.
   */
  reset(): Promise<void>
  /** Subscribed to every change of status. */
  receiver: SandboxReceiver
  /** Stops the receiver and the service. Nothing is left behind. */
  stop(): Promise<void>
}

/** Resolves when the sandbox answers; the first takes about a quarter of a second. It uses no file and no fixed port. */
export async function startSandbox({ profile, scenario }: SandboxOptions = {}): Promise<TestSandbox> {
  const spoken = profile ? { profile } : {}
  const service = await createService({
    port: 0,
    data: ':memory:',
    sandbox: true,
    seed: 'demo',
    allowHttpWebhooks: true,
    ...spoken,
  })
  await service.start()
  const { baseUrl, apiKeys } = service
  const key = apiKeys[0]!.key
  const options = { baseUrl, apiKey: key, proxy: false, ...spoken } as const
  const client = createClient(options)
  const plane = controlPlane(options)
  const begun = async () => {
    const receiver = await startReceiver(client, profile)
    if (scenario) await plane.play(scenario)
    return receiver
  }
  const receiver = await begun().catch(async (failure) => {
    await service.stop()
    throw failure
  })
  return {
    client,
    baseUrl,
    key,
    ...whenPending(client, plane, receiver),
    receiver,
    async stop() {
      await receiver.stop()
      await service.stop()
    },
  }
}

function whenPending(client: Client, plane: ControlPlane, receiver: SandboxReceiver) {
  return {
    ...plane,
    async sign(taskId: number, values?: FieldValues) {
      await pending(client, taskId)
      await plane.sign(taskId, values)
    },
    async reject(taskId: number, reason?: string) {
      await pending(client, taskId)
      await plane.reject(taskId, reason)
    },
    async reset() {
      await plane.reset()
      receiver.clear()
    },
  }
}

const PENDING_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 20

async function pending(client: Client, taskId: number): Promise<void> {
  for (const end = performance.now() + PENDING_WITHIN_MS; ; await pause(LOOK_EVERY_MS)) {
    const { status } = await client.readTask({ params: { id: taskId } })
    if (status === 'Pending') return
    if (isFinal(status)) throw new Error(`Task ${taskId} is ${status}; only a Pending task can be signed or rejected.`)
    if (performance.now() > end) throw new Error(`Task ${taskId} is still ${status} after ${PENDING_WITHIN_MS} ms.`)
  }
}
