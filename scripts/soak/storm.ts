/** Many of the largest documents at once: what each is answered, how much memory that takes, and how long others wait. */
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '../../lib/index.ts'
import { MAX_ATTACHMENT_BYTES } from '../../server/choices.ts'
import { aCreateBody } from '../../test/support/service/a-create-body.ts'
import { watchHealth } from './health.ts'
import { largeOrder } from './large-order.ts'
import { percentile } from './latencies.ts'
import { megabytes } from './memory.ts'
import { post } from './post.ts'
import type { SoakedService } from './service.ts'

const HEALTH_EVERY_MS = 100
const SAMPLE_EVERY_MS = 100
const REST_MS = 60_000
const INGESTED_WITHIN_MS = 120_000
const EXPECTED = ['201', '413', '503']

/** The faults, a sentence each. */
export async function storm(service: SoakedService, count: number, print: (line: string) => void): Promise<string[]> {
  const order = await largeOrder(MAX_ATTACHMENT_BYTES)
  const attachment = Buffer.from(order).toString('base64')
  const body = Buffer.from(JSON.stringify(aCreateBody({ document: { attachment } })))
  const atRest = service.residentBytes()
  let peak = atRest
  const sampling = setInterval(() => {
    if (service.isRunning()) peak = Math.max(peak, service.residentBytes())
  }, SAMPLE_EVERY_MS)
  const endHealth = watchHealth(service.baseUrl, HEALTH_EVERY_MS)

  const began = performance.now()
  const url = `${service.baseUrl}/api/v1/signature/tasks`
  const key = (index: number) => service.keys[index % service.keys.length]!
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => post(url, key(index), body)))
  const seconds = (performance.now() - began) / 1000
  const { times, failed } = await endHealth()

  const tally = new Map<string, number>()
  for (const { ending } of answers) tally.set(ending, (tally.get(ending) ?? 0) + 1)
  const told = [...tally].map(([ending, times]) => `${times} × ${ending}`).join(', ')
  print(`${count} documents of ${order.length} bytes at once, ${seconds.toFixed(1)} s: ${told}`)
  print(`health check   worst ${Math.round(percentile(times, 1))} ms, p99 ${Math.round(percentile(times, 0.99))} ms`)
  const faults = [...tally.keys()]
    .filter((ending) => !EXPECTED.includes(ending))
    .map((ending) => `${tally.get(ending)} documents were answered ${ending}`)
  if (failed > 0) faults.push(`${failed} health checks failed`)
  if (!service.isRunning()) return [...faults, 'the service ended by itself']

  await pause(REST_MS)
  clearInterval(sampling)
  const now = megabytes(service.residentBytes())
  peak = Math.max(peak, service.peakBytes())
  print(`memory         ${megabytes(atRest)} at rest, ${megabytes(peak)} at most, ${now} a minute after`)
  const accepted = answers.flatMap(({ taskId }, index) => (taskId === undefined ? [] : [{ taskId, key: key(index) }]))
  const lost = await notPending(service.baseUrl, accepted)
  print(`kept           ${accepted.length} creates; ${lost.length} lost or stuck`)
  return [...faults, ...lost]
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
