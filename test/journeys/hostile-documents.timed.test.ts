/** Hostile documents sent to a service in a process of its own: each is refused or fails in time, and nobody else has to wait. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { fixture, fixtureNames } from '../support/fixtures.ts'
import { waitsBeside } from '../support/load/waits-beside.ts'
import { hostilePdfs } from '../support/pdf/hostile-pdfs.ts'
import { base64 } from '../support/pdf/order-pdf.ts'
import { aClient } from '../support/service/a-client.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { type Served, serve } from '../support/service/served.ts'

const TIME_LIMIT_MS = 5_000
const P99_LIMIT_MS = 100

describe('hostile documents at a service', () => {
  const data = aFolder()
  let served: Served
  const documents: [name: string, make: () => Uint8Array][] = [
    ...Object.entries(hostilePdfs),
    ...fixtureNames('pdf/hostile').map((name): [string, () => Uint8Array] => [name, () => fixture(name)]),
  ]

  before(async () => {
    served = await serve(['--data', data, '--sandbox', '--seed', 'demo'])
  })
  after(() => served?.stop())

  it(`end within 5 s each, while others are answered within 100 ms (p99)`, async function () {
    this.timeout(180_000)
    const { baseUrl, apiKeys } = served
    const client = aClient({ baseUrl, apiKey: apiKeys[0]!.key })

    /** Refused, or accepted and failed by ingestion. */
    async function end(make: () => Uint8Array): Promise<'refused' | 'failed'> {
      const body = aCreateBody({ document: { attachment: base64(make()), annotations: { type: 'SmartAnnotations' } } })
      const created = await client.createTask({ body }).catch((failure: { code?: string }) => {
        expect(failure.code).to.equal('REFUSED')
        return null
      })
      if (!created) return 'refused'
      for (;;) {
        const { status } = await client.readTask({ params: { id: created.taskId } })
        if (status === 'Failed') return 'failed'
        expect(status).to.be.oneOf(['Received', 'Processing'])
        await pause(25)
      }
    }

    const waits = await waitsBeside(baseUrl, async () => {
      for (const [name, make] of documents) {
        const begun = performance.now()
        expect(await end(make), name).to.be.oneOf(['refused', 'failed'])
        expect(performance.now() - begun, name).to.be.lessThan(TIME_LIMIT_MS)
      }
    })
    expect(waits.length).to.be.greaterThan(500)
    expect(waits[Math.floor(waits.length * 0.99)], 'p99 in ms').to.be.lessThan(P99_LIMIT_MS)
  })
})
