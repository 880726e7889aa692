/** The sandbox of one scenario, as the rehearsal sees and steers it: as each sender, and as the operator. */
import { setTimeout as pause } from 'node:timers/promises'
import { sandboxCaller } from '../../../lib/client/sandbox-call.ts'
import { isFinal, type TaskStatus } from '../../../lib/contract/task/task.ts'
import { createService } from '../../index.ts'
import type { Exchange } from '../../operations/sandbox/traffic/exchange.ts'
import { createPdfPool, type PdfPool, type PdfPoolOptions } from '../../pdf/workers/pool.ts'
import type { RehearsedScenario } from './scenarios.ts'

export interface SeenTask {
  taskId: number
  status: TaskStatus
  inReview: boolean
  externalDocId: string
  /** Whether the sender recorded the outcome. */
  isRecorded: boolean
}

export interface World {
  readonly baseUrl: string
  keyOf(organization: string): string
  /** Oldest first. */
  tasks(): Promise<SeenTask[]>
  /** Requests of the senders and webhooks to them. */
  exchanges(): Promise<Exchange[]>
  /** How many webhooks have not been tried yet. */
  untriedWebhooks(): Promise<number>
  /** Decides about each task in review: its patient is the candidate with the id that was sent, else the first, else a new one. */
  decideReviews(): Promise<void>
  script(signer: RehearsedScenario['signer']): Promise<void>
  advance(seconds: number): Promise<void>
  /** Sends an order as another program would, for flows that take outcomes and send nothing. */
  sendSample(): Promise<void>
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 200
const MOST_TASKS = 200
/** The signers of the demo who exist and are active. */
const SIGNERS = ['9999900019', '9999900027', '9999900035']

/** Makes one pool of worker threads for all sandboxes, because each thread takes longer to start than a sandbox. */
export function createSharedPool() {
  let pool: PdfPool | undefined
  return {
    createPool(options: PdfPoolOptions): PdfPool {
      pool ??= createPdfPool(options)
      return { ...pool, close: async () => {} }
    },
    close: async () => pool?.close(),
  }
}
export type SharedPool = ReturnType<typeof createSharedPool>

/** @param senders the names of the organizations that send */
export async function openWorld(
  senders: readonly string[],
  scenario: RehearsedScenario,
  { createPool }: SharedPool,
): Promise<World> {
  const service = await createService({
    port: 0,
    data: ':memory:',
    sandbox: true,
    seed: 'demo',
    allowHttpWebhooks: true,
    createPool,
  })
  await service.start()
  const { baseUrl } = service
  const keys = new Map(service.apiKeys.map(({ organization, key }) => [organization, key]))
  for (const name of senders) if (!keys.has(name)) keys.set(name, await service.issueTemporaryKey(name))
  const keyOf = (name: string) => keys.get(name) ?? ''
  const asOperator = await operatorOf(baseUrl)
  const calls = senders.map((name) => {
    const call = sandboxCaller({ baseUrl, apiKey: keyOf(name), proxy: false, timeoutMs: 120_000 })
    return (method: 'GET' | 'POST', path: string, body?: object) =>
      call({ name: path, method, path, ...(body && { body }) })
  })
  const ofEach = async <T>(path: string) => (await Promise.all(calls.map((call) => call('GET', path)))) as T[]
  const toEach = async (path: string, body: object) => {
    for (const call of calls) await call('POST', path, body)
  }
  const script = async (signer: RehearsedScenario['signer']) => {
    for (const npi of SIGNERS) await toEach(`signers/${npi}`, signer)
  }
  const listed = async () => (await asOperator('GET', `/admin/v1/tasks?limit=${MOST_TASKS}`)) as SeenTask[]
  const seeded = new Set((await listed()).map(({ taskId }) => taskId))
  const tasks = async () => (await listed()).filter(({ taskId }) => !seeded.has(taskId)).toReversed()

  const decide = async (taskId: number) => {
    const { review } = (await asOperator('GET', `/admin/v1/tasks/${taskId}`)) as Reviewed
    const { candidates = [], sent } = review ?? {}
    const candidate = candidates.find(({ patient }) => patient.externalId === sent?.externalId) ?? candidates[0]
    const decision = candidate ? { decision: 'same', patientId: candidate.id } : { decision: 'new' }
    if (review) await asOperator('POST', `/admin/v1/tasks/${taskId}/review`, decision)
  }

  // Documents of one sample patient may come under several ids.
  await toEach('review', { patients: scenario.isReviewed ? 'all' : 'none' })
  await script(scenario.signer)
  for (const fault of scenario.faults) await toEach('faults', fault)
  return {
    baseUrl,
    keyOf,
    tasks,
    script,
    async exchanges() {
      return (await ofEach<{ requests: Exchange[] }>('requests')).flatMap(({ requests }) => requests)
    },
    async untriedWebhooks() {
      const due = await ofEach<{ webhooks: { attempts: number }[] }>('clock/due')
      return due.flatMap(({ webhooks }) => webhooks).filter(({ attempts }) => attempts === 0).length
    },
    async decideReviews() {
      for (const { taskId, inReview, status } of await tasks()) if (inReview && !isFinal(status)) await decide(taskId)
    },
    async advance(advanceSeconds) {
      const [call] = calls
      let at = (await call?.('POST', 'clock', { advanceSeconds })) as { reached: boolean } | undefined
      while (at && !at.reached) {
        await pause(LOOK_EVERY_MS)
        at = (await call?.('GET', 'clock')) as { reached: boolean } | undefined
      }
    },
    async sendSample() {
      const sample = { patient: 'usual', document: 'order', placement: 'coordinates', signer: SIGNERS[0] }
      await calls[0]?.('POST', 'orders', sample)
    },
    stop: () => service.stop(),
  }
}

interface Patient {
  externalId: string
}

interface Reviewed {
  review: { sent: Patient; candidates: { id: number; patient: Patient }[] } | null
}

/** Signs in as the operator of the demo, without a password, as people do in a sandbox. */
async function operatorOf(baseUrl: string) {
  const session = `${baseUrl}/account/api/session`
  const { demoPeople } = (await (await fetch(session)).json()) as { demoPeople: { id: number; name: string }[] }
  const operator = demoPeople.find(({ name }) => name === 'Service operator')
  const headers = { origin: baseUrl, 'content-type': 'application/json' }
  const signedIn = await fetch(session, { method: 'POST', headers, body: JSON.stringify({ personId: operator?.id }) })
  const { token } = (await signedIn.json()) as { token: string }
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return async (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: { ...headers, cookie, 'x-page-token': token },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}
