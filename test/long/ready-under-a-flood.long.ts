/** `npm run test:long`: `/ready` while a real flood of requests makes others wait, and afterwards. */
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { eventually } from '../support/eventually.ts'
import type { Flood } from '../support/load/flood-thread.ts'
import { serve } from '../support/service/served.ts'

/** What a process says that cannot keep up; it names what requests wait for. */
const WAITS = /^(event loop|store): requests wait for it longer than [\d.]+ s; send them to another instance$/
const REQUESTS_OF_A_THREAD = 500
/** A flood grows until it slows requests. More than this, and it is the machine of the test that does not keep up. */
const MOST_THREADS = 12
const LOOKS_BETWEEN_THREADS = 10

describe('/ready', () => {
  it('is 503 with what waits while a flood slows requests, and 200 when it has ended', async () => {
    const served = await serve(['--data', aFolder(), '--sandbox', '--seed', 'demo'])
    const ready = async () => {
      const answer = await fetch(`${served.baseUrl}/ready`, { headers: { connection: 'close' } })
      return { status: answer.status, errors: ((await answer.json()) as { errors?: string[] }).errors ?? [] }
    }
    const threads: Worker[] = []
    const workerData: Flood = {
      url: `${served.baseUrl}/api/v1/signature/tasks?limit=1`,
      key: served.apiKeys[0]!.key,
      requests: REQUESTS_OF_A_THREAD,
    }
    try {
      await eventually(async () => expect(await ready()).to.deep.equal({ status: 200, errors: [] }))
      let said = await ready()
      for (let looks = 0; said.status === 200; looks++) {
        if (looks % LOOKS_BETWEEN_THREADS === 0) {
          expect(threads.length, 'threads that flood').to.be.lessThan(MOST_THREADS)
          threads.push(new Worker(new URL('../support/load/flood-thread.ts', import.meta.url), { workerData }))
        }
        said = await ready()
      }
      console.log(`      ${threads.length * REQUESTS_OF_A_THREAD} requests at once: ${JSON.stringify(said)}`)
      expect(said.status).to.equal(503)
      expect(said.errors).to.satisfy((errors: string[]) => errors.some((error) => WAITS.test(error)))
      await Promise.all(threads.splice(0).map((thread) => thread.terminate()))
      await eventually(async () => expect(await ready()).to.deep.equal({ status: 200, errors: [] }))
    } finally {
      await Promise.all(threads.map((thread) => thread.terminate()))
      await served.stop()
    }
  })
})
