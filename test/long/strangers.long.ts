/** `npm run test:long`: thousands of made-up keys at once, and what a sender with a known key waits for. */
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { eventually } from '../support/eventually.ts'
import type { MadeUp } from '../support/load/made-up-keys-thread.ts'
import { serve } from '../support/service/served.ts'

const LISTS = 200
const AT_ONCE = 2000

describe(`${AT_ONCE} requests at once with keys that are made up`, () => {
  it('are all refused, and let a known key be answered as soon as the event loop allows', async () => {
    const served = await serve(['--data', aFolder(), '--sandbox', '--seed', 'demo'])
    const url = `${served.baseUrl}/api/v1/signature/tasks?limit=1`
    const list = async () => {
      const asked = performance.now()
      const { status } = await fetch(url, { headers: { 'x-api-key': served.apiKeys[0]!.key } })
      expect(status).to.equal(200)
      return performance.now() - asked
    }
    const p95Of = async () => {
      const waits: number[] = []
      for (let number = 0; number < LISTS; number++) waits.push(await list())
      return Math.round(waits.toSorted((a, b) => a - b)[Math.floor(LISTS * 0.95)]!)
    }
    const workerData: MadeUp = { url, atOnce: AT_ONCE }
    let thread: Worker | undefined
    try {
      const alone = await p95Of()
      thread = new Worker(new URL('../support/load/made-up-keys-thread.ts', import.meta.url), { workerData })
      const answers = new Map<number, number>()
      thread.on('message', (status: number) => answers.set(status, (answers.get(status) ?? 0) + 1))
      await eventually(() => expect(answers.size).to.be.at.least(1), 60_000)
      const flooded = await p95Of()
      console.log(`      p95 of a list: ${alone} ms alone, ${flooded} ms; ${JSON.stringify([...answers])}`)
      expect([...answers.keys()].filter((status) => status !== 403 && status !== 503)).to.deep.equal([])
    } finally {
      await thread?.terminate()
      await served.stop()
    }
  })
})
