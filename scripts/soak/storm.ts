/**
 * Many of the largest documents at once, from senders who come again when they are asked to: what each is answered, how much memory
 * that takes, how long the loop is blocked, and how long others wait.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '../../lib/index.ts'
import { MAX_ATTACHMENT_BYTES } from '../../server/choices.ts'
import { aCreateBody } from '../../test/support/service/a-create-body.ts'
import { watchHealth } from './health.ts'
import { largeOrder } from './large-order.ts'
import { percentile } from './latencies.ts'
import { longestDelay } from './loop-delay.ts'
import { megabytes } from './memory.ts'
import { type Posted, post } from './post.ts'
import type { SoakedService } from './service.ts'

const HEALTH_EVERY_MS = 100
const SAMPLE_EVERY_MS = 100
/** A line of the curve of memory. */
const LINE_EVERY_MS = 5_000
const REST_MS = 60_000
const INGESTED_WITHIN_MS = 120_000
/** So long a sender comes again. */
const PATIENCE_MS = 300_000
const EXPECTED = ['201', '413', '503']

/** The limits that the service must keep during the storm. choice: Memory */
const LIMITS = { peakBytes: 1e9, restBytes: 300e6, delayMs: 100, healthMs: 1_000 }

/** The faults, a sentence each. */
export async function storm(service: SoakedService, count: number, print: (line: string) => void): Promise<string[]> {
  const order = await largeOrder(MAX_ATTACHMENT_BYTES)
  const body = createBody(order)
  const atRest = service.residentBytes()
  const endSampling = sampled(service, print)
  const endHealth = watchHealth(service.baseUrl, HEALTH_EVERY_MS)
  await longestDelay(service.metricsUrl)

  const began = performance.now()
  const url = `${service.baseUrl}/api/v1/signature/tasks`
  const key = (index: number) => service.keys[index % service.keys.length]!
  const tally = new Map<string, number>()
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => obediently(url, key(index), body, ({ ending }) => add(tally, ending))),
  )
  const seconds = (performance.now() - began) / 1000
  const { times, failed } = await endHealth()
  const faults = service.isRunning() ? [] : ['the service ended by itself']
  const told = [...tally].map(([ending, times]) => `${times} × ${ending}`).join(', ')
  print(`${count} documents of ${order.length} bytes at once, ${seconds.toFixed(1)} s: ${told}`)
  faults.push(...[...tally].filter(([ending]) => !EXPECTED.includes(ending)).map(([ending, n]) => `${n} × ${ending}`))
  const accepted = answers.flatMap(({ taskId }, index) => (taskId === undefined ? [] : [{ taskId, key: key(index) }]))
  if (accepted.length < count) faults.push(`${count - accepted.length} documents were never accepted`)
  const worst = percentile(times, 1)
  print(`health check   worst ${Math.round(worst)} ms, p99 ${Math.round(percentile(times, 0.99))} ms`)
  if (worst > LIMITS.healthMs) faults.push(`a health check took ${Math.round(worst)} ms`)
  if (failed > 0) faults.push(`${failed} health checks failed`)
  if (!service.isRunning()) return faults
  const delay = await longestDelay(service.metricsUrl)
  print(`loop           stood still for ${Math.round(delay)} ms at most`)
  if (delay > LIMITS.delayMs) faults.push(`the loop stood still for ${Math.round(delay)} ms`)

  await pause(REST_MS)
  const peak = Math.max(endSampling(), service.peakBytes())
  const rest = service.residentBytes()
  print(`memory         ${megabytes(atRest)} at rest, ${megabytes(peak)} at most, ${megabytes(rest)} a minute after`)
  if (peak > LIMITS.peakBytes) faults.push(`memory came to ${megabytes(peak)}`)
  if (rest > LIMITS.restBytes) faults.push(`memory stayed at ${megabytes(rest)}`)
  const lost = await notPending(service.baseUrl, accepted)
  print(`kept           ${accepted.length} creates; ${lost.length} lost or stuck`)
  return [...faults, ...lost]
}

function createBody(order: Uint8Array): Buffer {
  const attachment = Buffer.from(order).toString('base64')
  return Buffer.from(JSON.stringify(aCreateBody({ document: { attachment } })))
}

const add = (tally: Map<string, number>, name: string): void => void tally.set(name, (tally.get(name) ?? 0) + 1)

/** Sends it again when the service says so, after the time that it says, until that has taken too long. */
async function obediently(url: string, key: string, body: Buffer, each: (posted: Posted) => void): Promise<Posted> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const posted = await post(url, key, body)
    each(posted)
    if (posted.retryAfterMs === undefined || Date.now() > until) return posted
    await pause(posted.retryAfterMs)
  }
}

/** Prints the curve of memory. The returned function ends it, and gives the most that there was. */
function sampled(service: SoakedService, print: (line: string) => void): () => number {
  const began = Date.now()
  let peak = service.residentBytes()
  let printed = 0
  const sampling = setInterval(() => {
    if (!service.isRunning()) return
    const bytes = service.residentBytes()
    peak = Math.max(peak, bytes)
    const line = Math.floor((Date.now() - began) / LINE_EVERY_MS)
    if (line === printed) return
    printed = line
    print(`second ${String((line * LINE_EVERY_MS) / 1000).padStart(4)} ${megabytes(bytes).padStart(8)}`)
  }, SAMPLE_EVERY_MS)
  return () => {
    clearInterval(sampling)
    return peak
  }
}

/** A sentence for each accepted document that does not reach its signer. */
async function notPending(baseUrl: string, accepted: readonly { taskId: number; key: string }[]): Promise<string[]> {
  const broken: string[] = []
  const until = Date.now() + INGESTED_WITHIN_MS
  for (const { taskId, key } of accepted) {
    const client = createClient({ baseUrl, apiKey: key, proxy: false })
    for (; ; await pause(100)) {
      const { status, statusReason } = await client.readTask({ params: { id: taskId } })
      if (status === 'Pending') break
      if (status === 'Failed' || Date.now() > until) {
        broken.push(`task ${taskId} was acknowledged and is ${status} (${statusReason})`)
        break
      }
    }
  }
  return broken
}
