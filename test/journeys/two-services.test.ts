import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { TestReceiver } from '../support/network/test-receiver.ts'
import { patience } from '../support/patience.ts'
import { aClient } from '../support/service/a-client.ts'
import { aCreateBody, SIGNER } from '../support/service/a-create-body.ts'
import { type Served, serve } from '../support/service/served.ts'
import { aPostgres, type TestPostgres } from '../support/store/postgres/a-postgres.ts'

const TASKS = 30

describe('two services on one store', () => {
  const folder = aFolder()
  const started: Served[] = []
  let receiver: TestReceiver
  let postgres: TestPostgres | undefined

  beforeEach(async () => {
    receiver = await TestReceiver.start()
  })
  afterEach(async () => {
    await Promise.all(started.splice(0).map((served) => served.stop()))
    await receiver.stop()
  })
  after(() => postgres?.stop())

  for (const kind of ['SQLite', 'PostgreSQL'] as const)
    it(`${kind}: each change is told once, whichever service takes it`, async function () {
      this.timeout(90_000)
      if (kind === 'PostgreSQL') postgres = await aPostgres()
      const args = ['--data', postgres?.url ?? folder, '--sandbox', '--seed', 'demo', '--allow-http-webhooks']
      const environment = { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 3).toString('base64') }
      for (let n = 0; n < 2; n++) started.push(await serve(args, environment))
      const apiKey = started[0]!.apiKeys[0]!.key
      const clients = started.map(({ baseUrl }) => aClient({ baseUrl, apiKey, timeoutMs: patience(30_000) }))
      const { secret } = await clients[0]!.createSubscription({ body: { url: receiver.url } })
      receiver.secrets.push(secret)

      const created = await Promise.all(
        Array.from({ length: TASKS }, (_, n) => {
          const userNPI = n % 2 === 0 ? SIGNER.unknown : SIGNER.calder
          return clients[n % 2]!.createTask({ body: aCreateBody({ performer: { signer: { userNPI } } }) })
        }),
      )
      const ids = created.map(({ taskId }) => taskId)
      await receiver.until(() => ids.every((taskId) => receiver.statusesOf(taskId).length === 1), 40_000)
      // A second sending of the same would be under way, and a service that stops finishes what is.
      expect(await Promise.all(started.map((served) => served.stop()))).to.deep.equal([0, 0])
      expect(receiver.received.map(({ event }) => event?.taskId).sort()).to.deep.equal(ids.sort())
      const calls = started.map(({ log }) => log().split('"route":"/api/v1/signature/tasks"').length - 1)
      for (const count of calls) expect(count, 'creates that each took').to.be.above(5)
      for (const { log } of started) expect(log()).not.to.contain('fault')
    })
})
