/** Strangers who have large documents verified without end, and what a sender beside them notices of it. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { MAX_ATTACHMENT_BYTES } from '../../../server/choices.ts'
import { aFolder } from '../a-folder.ts'
import { eventually } from '../eventually.ts'
import { patience } from '../patience.ts'
import { costlyToVerify } from '../pdf/costly-pdf.ts'
import { aClient } from '../service/a-client.ts'
import { aCreateBody, SIGNER } from '../service/a-create-body.ts'
import { type Served, serve } from '../service/served.ts'
import type { Verifying } from './strangers-thread.ts'

const STRANGERS = ['198.51.100.1', '203.0.113.9', '2001:db8:0:1::7']
const LASTS_MS = 12_000

export interface Noticed {
  creates: number
  /** Of the creates. */
  p95Ms: number
  longestMs: number
  /** Answers that the strangers got, refusals among them. */
  verifications: number
  /** Of the service's memory. */
  peakBytes: number
}

/** Three strangers verify documents of 25 MiB in a loop, while a sender creates one task after another. */
export async function creatingBesideStrangers(): Promise<Noticed> {
  const served = await serve(['--data', aFolder(), '--sandbox', '--seed', 'demo', '--trust-proxy', '127.0.0.1'])
  try {
    return await noticedAt(served)
  } finally {
    await served.stop()
  }
}

async function noticedAt(served: Served): Promise<Noticed> {
  const { baseUrl, apiKeys, pid } = served
  const client = aClient({ baseUrl, apiKey: apiKeys[0]!.key })
  const create = () => client.createTask({ body: aCreateBody({ performer: { signer: { userNPI: SIGNER.calder } } }) })
  const costly = costlyToVerify(await aSealed(served, client), MAX_ATTACHMENT_BYTES)

  let verifications = 0
  const workerData: Verifying = { baseUrl, document: costly, addresses: STRANGERS }
  const strangers = new Worker(new URL('./strangers-thread.ts', import.meta.url), { workerData })
  strangers.on('message', () => verifications++)
  try {
    await eventually(() => {
      if (verifications === 0) throw new Error('No verification was answered.')
    })
    const waits = await waitsOf(create)
    return { ...noticedIn(waits), verifications, peakBytes: peakOf(pid) }
  } finally {
    await strangers.terminate()
  }
}

/** How long each of one create after another takes. */
async function waitsOf(create: () => Promise<unknown>): Promise<number[]> {
  const waits: number[] = []
  for (const until = performance.now() + LASTS_MS; performance.now() < until; await pause(50)) {
    const asked = performance.now()
    await create()
    waits.push(performance.now() - asked)
  }
  return waits
}

function noticedIn(waits: number[]): Pick<Noticed, 'creates' | 'p95Ms' | 'longestMs'> {
  const sorted = waits.toSorted((a, b) => a - b)
  return { creates: waits.length, p95Ms: sorted[Math.floor(waits.length * 0.95)]!, longestMs: sorted.at(-1)! }
}

export const inWords = ({ creates, p95Ms, longestMs, verifications, peakBytes }: Noticed): string =>
  `${creates} creates, p95 ${Math.round(p95Ms)} ms, longest ${Math.round(longestMs)} ms; ` +
  `${verifications} verifications, peak ${Math.round(peakBytes / 1e6)} MB`

async function aSealed({ baseUrl, apiKeys }: Served, client: ReturnType<typeof aClient>): Promise<Buffer> {
  const { taskId } = await client.createTask({
    body: aCreateBody({ performer: { signer: { userNPI: SIGNER.calder } } }),
  })
  await eventually(async () => {
    const { status } = await client.readTask({ params: { id: taskId } })
    if (status !== 'Pending') throw new Error(`The task is ${status}, not Pending.`)
  }, patience(20_000))
  const headers = { 'x-api-key': apiKeys[0]!.key, 'content-type': 'application/json' }
  const signed = await fetch(`${baseUrl}/sandbox/v1/tasks/${taskId}/sign`, { method: 'POST', headers, body: '{}' })
  if (signed.status !== 204) throw new Error(`The task was not signed: ${signed.status}`)
  const { output } = await client.readTask({ params: { id: taskId }, query: { includeOutputAttachment: true } })
  return Buffer.from(output!.attachment!, 'base64')
}

/** The most memory that the process had; 0 where the system does not tell. */
function peakOf(pid: number): number {
  const status = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}
