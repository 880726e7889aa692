/** A real service on a free port with the demo's people and catalog, and what a test asks of it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { CreateTask, Task, TaskStatus } from '../../../lib/contract/task/task.ts'
import { profileOf } from '../../../lib/profile/parse-profile.ts'
import { createService, type Service, type ServiceOptions } from '../../../server/index.ts'
import { overhear, overheardFailure, overheardLog } from '../overheard.ts'
import { patience } from '../patience.ts'
import { sharedPool } from '../pdf/shared-pool.ts'
import { aClient } from './a-client.ts'
import { checkAnswer } from './check-answer.ts'

export interface Asking {
  /** The first sender's key when left out; null sends none. */
  key?: string | null
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it stands, with the Content-Type of `headers` or none. */
  raw?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

export interface Answer<T> {
  status: number
  headers: Headers
  /** Parsed JSON; undefined where there is no body. */
  body: T
  text: string
  /** The sentences of an error. */
  errors: string[]
}

export type TestService = Awaited<ReturnType<typeof aService>>

/** A service that is not started yet, with exactly these options, whose log and failures are overheard. No test makes one in another way. */
export const createOverheard = (options: ServiceOptions): Promise<Service> =>
  overheardFailure(createService({ logger: overheardLog, ...options }))

/** Sandbox, store in memory, demo data, plain http receivers on this machine; `options` change that. Stop it after the test. */
export async function aService(options: ServiceOptions = {}) {
  const service = await createOverheard({
    port: 0,
    data: ':memory:',
    sandbox: true,
    seed: 'demo',
    allowHttpWebhooks: true,
    createPool: sharedPool,
    ...options,
  })
  await service.start()
  const { baseUrl, apiKeys } = service
  // Without a seed there is none.
  const [key = 'none', otherKey = 'none'] = apiKeys.map((made) => made.key)
  const { profile } = options
  const { apiKeyHeader } = profileOf(profile)
  const clientOf = (apiKey: string) => aClient({ baseUrl, apiKey, ...(profile && { profile }) })
  const client = clientOf(key)

  /** One request as it stands; its answer is checked against the contract. */
  async function ask<T = unknown>(
    method: string,
    path: string,
    { key: given = key, body, raw, headers = {} }: Asking = {},
  ): Promise<Answer<T>> {
    const response = await fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(given !== null && { [apiKeyHeader]: given }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const parsed: unknown = text === '' ? undefined : isJson ? JSON.parse(text) : text
    checkAnswer(method, path, response.status, parsed)
    // Anybody may read a refusal, or the health of the service.
    if (response.status >= 400 || /health/.test(path)) overhear(text)
    const { errors = [] } = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as { errors?: string[] }
    return { status: response.status, headers: response.headers, body: parsed as T, text, errors }
  }

  /** Waits until the task is in the status; fails with the status it is in when that takes too long. */
  async function reaches(taskId: number, status: TaskStatus, asKey = key): Promise<Task> {
    const sender = clientOf(asKey)
    for (const until = Date.now() + patience(10_000); ; ) {
      const task = await sender.readTask({ params: { id: taskId } })
      if (task.status === status) return task
      if (Date.now() > until) throw new Error(`Task ${taskId} is ${task.status} (${task.statusReason}), not ${status}.`)
      await pause(15)
    }
  }

  const act = async (verb: 'sign' | 'reject', taskId: number, body: unknown, as: string) => {
    const answer = await ask('POST', `/sandbox/v1/tasks/${taskId}/${verb}`, { body, key: as })
    if (answer.status !== 204) throw new Error(`${verb}: ${answer.status} ${answer.text}`)
  }

  return {
    service,
    baseUrl,
    key,
    otherKey,
    client,
    other: clientOf(otherKey),
    clientOf,
    ask,
    reaches,
    create: async (body: CreateTask) => (await client.createTask({ body })).taskId,
    /** The signer signs; what is required is filled in. */
    signs: (taskId: number, as = key) => act('sign', taskId, {}, as),
    rejects: (taskId: number, reason = 'Not my patient', as = key) => act('reject', taskId, { reason }, as),
    stop: () => service.stop(),
  }
}
