/** Mixed load for some minutes, a line of figures for each; afterwards, whether memory stayed flat and nothing was lost. */
import { setTimeout as pause } from 'node:timers/promises'
import { brokenPromises } from '../../test/support/load/broken.ts'
import { startLoad } from '../../test/support/load/load.ts'
import { createSender, type Sender } from '../../test/support/load/sender.ts'
import { settled } from '../../test/support/load/settled.ts'
import { subscribed } from '../../test/support/load/subscribed.ts'
import { unreadable } from '../../test/support/load/unreadable.ts'
import { watchHealth } from './health.ts'
import { latencyLines } from './latencies.ts'
import { longestDelay } from './loop-delay.ts'
import { judgeMemory, megabytes, RULE } from './memory.ts'
import type { SoakedService } from './service.ts'

const LOOPS = 4
const REST_MS = 100
const PATIENCE_MS = 30_000
const SAMPLE_EVERY_MS = 10_000
/** No request holds it up for 50 ms; the system may, now and then. */
const LONGEST_DELAY_MS = 100
const HEALTH_EVERY_MS = 1_000
const SETTLED_WITHIN_MS = 120_000
/** Of this many callbacks, one is refused when it first comes. */
const REFUSED_ONE_IN = 50

/** The faults, a sentence each. */
export async function endure(
  service: SoakedService,
  minutes: number,
  seed: number,
  print: (line: string) => void,
): Promise<string[]> {
  const sender = createSender({ baseUrls: [service.baseUrl], key: service.keys[0]! })
  const { acknowledged, receivers, moved, stop } = await subscribed(sender, REFUSED_ONE_IN)
  try {
    const atRest = service.residentBytes()
    print(`at rest     ${megabytes(atRest)}`)

    const endHealth = watchHealth(service.baseUrl, HEALTH_EVERY_MS)
    const patches = ['url'] as const
    const load = { sender, acknowledged, seed, loops: LOOPS, restMs: REST_MS, patienceMs: PATIENCE_MS }
    const endLoad = startLoad({ ...load, moved, patches })
    await longestDelay(service.metricsUrl)
    const samples = await sampled(service, minutes, (minute, bytes) =>
      print(
        `minute ${String(minute).padStart(4)} ${megabytes(bytes).padStart(8)}   ${acknowledged.created.size} tasks`,
      ),
    )
    const faults = service.isRunning() ? [] : ['the service ended by itself']
    await endLoad()
    if (service.isRunning()) faults.push(...(await delayFaults(service, minutes, print)))
    const { times, failed } = await endHealth()
    sender.latencies.set('health check', times)
    for (const line of latencyLines(sender.latencies)) print(line)
    if (failed > 0) faults.push(`${failed} health checks failed`)
    faults.push(...errorsIn(sender))
    if (!service.isRunning()) return faults

    const { isFlat, earlyBytes, lateBytes } = judgeMemory(samples, SAMPLE_EVERY_MS)
    const growth = `${megabytes(earlyBytes)} to ${megabytes(lateBytes)}`
    print(isFlat === null ? 'memory      too short a run to tell' : `memory      from ${growth}; ${RULE}`)
    if (isFlat === false) faults.push(`memory is not flat: from ${growth}`)
    const broken = brokenPromises(acknowledged, await settled(sender, receivers, SETTLED_WITHIN_MS))
    broken.push(...(await unreadable(sender, acknowledged)))
    print(
      `kept        ${acknowledged.created.size} creates, ${acknowledged.outcomes.size} outcomes; ${broken.length} broken`,
    )
    print(`peak        ${megabytes(service.peakBytes())}; now ${megabytes(service.residentBytes())}`)
    return [...faults, ...broken]
  } finally {
    sender.close()
    await stop()
  }
}

async function delayFaults(
  { metricsUrl }: SoakedService,
  minutes: number,
  print: (line: string) => void,
): Promise<string[]> {
  const delay = Math.round(await longestDelay(metricsUrl))
  print(`loop        stood still for ${delay} ms at most`)
  // In a short run, what is loaded for the first request of its kind may be all that there is to see.
  return delay > LONGEST_DELAY_MS && minutes >= 1 ? [`the loop stood still for ${delay} ms`] : []
}

/** Bytes of memory in even steps, until the time is over or the service is gone. */
async function sampled(service: SoakedService, minutes: number, each: (minute: number, bytes: number) => void) {
  const samples: number[] = []
  const began = Date.now()
  let minute = 0
  while (Date.now() - began < minutes * 60_000 && service.isRunning()) {
    await pause(Math.min(SAMPLE_EVERY_MS, minutes * 60_000))
    if (!service.isRunning()) break
    const bytes = service.residentBytes()
    samples.push(bytes)
    const passed = Math.floor((Date.now() - began) / 60_000)
    if (passed > minute) each(passed, bytes)
    minute = passed
  }
  return samples
}

/** Nothing befalls the service, so every call has to be acknowledged. */
const errorsIn = ({ endings }: Sender): string[] =>
  [...endings].filter(([ending]) => !/ 20[0-4]$/.test(ending)).map(([ending, times]) => `${times} × ${ending}`)
