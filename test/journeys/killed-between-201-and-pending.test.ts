/** What is acknowledged is not lost: the service is killed right after its 201, and the task still reaches its signer. */
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { eventually } from '../support/eventually.ts'
import { fixture } from '../support/fixtures.ts'
import { patience } from '../support/patience.ts'
import { base64 } from '../support/pdf/order-pdf.ts'
import { aClient } from '../support/service/a-client.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { leasesEnd, type Served, serve } from '../support/service/served.ts'

/** At most. */
const ROUNDS = 12

/** One of the documents is not plain, so that ingestion has to draw it. */
const isDrawn = { document: { attachment: base64(fixture('pdf/unusual/contents-with-null.pdf')) } }

describe('A service that is killed between 201 and Pending', function () {
  this.timeout(90_000)
  let running: Served | undefined
  afterEach(() => running?.kill())

  it('brings every accepted task to its signer after the restart', async () => {
    const data = aFolder()
    const args = ['--sandbox', '--seed', 'demo', '--data', data]
    running = await serve(args)
    const { key } = running.apiKeys[0]!
    const clientOf = ({ baseUrl }: Served) => aClient({ baseUrl, apiKey: key })
    const ids: number[] = []
    const statuses: string[] = []

    // Were all of them Pending already, the kill would have come too late to prove anything.
    const cameInTime = () => statuses.some((status) => status === 'Received' || status === 'Processing')
    for (let round = 0; round < 3 || (round < ROUNDS && !cameInTime()); round++) {
      const client = clientOf(running)
      const created = await Promise.all(
        [1, 2, 3].map((n) => client.createTask({ body: aCreateBody(n === 1 ? isDrawn : {}) })),
      )
      await running.kill()
      ids.push(...created.map(({ taskId }) => taskId))
      running = await serve(args)
      expect(running.apiKeys, 'seeded once').to.deep.equal([])
      const found = await Promise.all(ids.map((id) => clientOf(running!).readTask({ params: { id } })))
      statuses.push(...found.slice(-3).map(({ status }) => status))
    }
    expect(cameInTime()).to.equal(true)

    await leasesEnd(running, key)
    const client = clientOf(running)
    await eventually(async () => {
      const tasks = await client.listTasks()
      expect(tasks.map(({ taskId }) => taskId)).to.have.members(ids)
      expect(new Set(tasks.map(({ status }) => status))).to.deep.equal(new Set(['Pending']))
    }, patience(40_000))
    expect(await running.stop()).to.equal(0)
  })
})
