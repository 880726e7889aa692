/** `npm run test:long`: what other organizations notice of one that opens thousands of streams of changes. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { CONSOLE_STREAMS } from '../../server/choices.ts'
import { aFolder } from '../support/a-folder.ts'
import { called } from '../support/commands/called.ts'
import { eventually } from '../support/eventually.ts'
import type { Streaming } from '../support/load/streams-thread.ts'
import { serve } from '../support/service/served.ts'

const STREAMS = 3_000
const LASTS_MS = 20_000
const P95_LIMIT_MS = 200
const MEMORY_LIMIT_BYTES = 500e6

describe('thousands of streams of one organization', () => {
  it('are refused in part, and hardly noticed by others', async () => {
    const data = aFolder()
    const served = await serve(['--data', data, '--sandbox', '--seed', 'demo'])
    const { baseUrl, apiKeys, pid } = served
    const keys: string[] = []
    for (let made = 0; made < 20; made++) {
      const of = ['--organization', apiKeys[0]!.organization]
      const { stdout } = await called(['operator-keys', 'create', ...of, '--data', data, '--sandbox', '--json'])
      keys.push((JSON.parse(stdout) as { key: string }).key)
    }
    const statuses: Record<number, number> = {}
    const workerData: Streaming = { baseUrl, keys, streams: STREAMS }
    const alone = await waitsOf(listOf(baseUrl, apiKeys[1]!.key), 3_000)
    const streams = new Worker(new URL('../support/load/streams-thread.ts', import.meta.url), { workerData })
    streams.on('message', (status: number) => {
      statuses[status] = (statuses[status] ?? 0) + 1
    })
    try {
      const waits = await waitsOf(listOf(baseUrl, apiKeys[1]!.key), LASTS_MS)
      await eventually(() => expect((statuses[200] ?? 0) + (statuses[503] ?? 0)).to.equal(STREAMS))
      const ready = await fetch(`${baseUrl}/ready`)
      const { warnings } = (await ready.json()) as { warnings: unknown }
      const peakBytes = peakOf(pid)
      console.log(
        `      streams by status ${JSON.stringify(statuses)}; ${waits.length} lists of another organization, ` +
          `p95 ${p95Of(waits)} ms (${p95Of(alone)} ms before), longest ${Math.round(Math.max(...waits))} ms; ` +
          `peak ${Math.round(peakBytes / 1e6)} MB; /ready ${ready.status} ${JSON.stringify(warnings)}`,
      )
      expect(statuses[200]).to.equal(CONSOLE_STREAMS.group)
      expect(ready.status).to.equal(200)
      expect(String(warnings)).to.match(/^streams: \/admin\/v1\/changes refuses more to/)
      expect(p95Of(waits), 'p95 in ms').to.be.lessThan(P95_LIMIT_MS)
      expect(peakBytes, 'peak of memory').to.be.lessThan(MEMORY_LIMIT_BYTES)
    } finally {
      await streams.terminate()
      await served.stop()
    }
  })
})

const listOf = (baseUrl: string, key: string) => async () => {
  const { status } = await fetch(`${baseUrl}/api/v1/signature/tasks?limit=1`, { headers: { 'x-api-key': key } })
  expect(status).to.equal(200)
}

async function waitsOf(ask: () => Promise<void>, lastsMs: number): Promise<number[]> {
  const waits: number[] = []
  for (const until = performance.now() + lastsMs; performance.now() < until; await pause(50)) {
    const asked = performance.now()
    await ask()
    waits.push(performance.now() - asked)
  }
  return waits
}

const p95Of = (waits: readonly number[]) =>
  Math.round(waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)]!)

/** The most memory that the process had; 0 where the system does not tell. */
function peakOf(pid: number): number {
  const status = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}
