/** Two instances on one PostgreSQL: what the operator is shown of each, and the limits that they keep together. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { INSTANCE_LIFE_MS, INSTANCE_SILENT_MS, VERIFICATIONS_PER_ADDRESS } from '../../../server/choices.ts'
import type { ServiceOptions } from '../../../server/index.ts'
import type { Instance, SparedReceiver } from '../../../server/operations/operator/messages/instances.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { version } from '../../../server/version.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aPostgres, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'

const PER_MINUTE = 60

describe('Two instances on one PostgreSQL', function () {
  this.timeout(60_000)
  let postgres: TestPostgres | undefined
  let store: Store
  let one: TestService
  let two: TestService
  let operator: Visit
  let options: ServiceOptions
  before(async () => {
    postgres = await aPostgres()
    const data = await postgres.database()
    const masterKey = randomBytes(32)
    options = { data, masterKey: masterKey.toString('base64'), rateLimit: PER_MINUTE }
    one = await aService(options)
    two = await aService(options)
    store = await openStore(data, masterKey)
    operator = aVisit(one.baseUrl)
    await operator.signInAs('Service operator')
  })
  after(async () => {
    await store?.close()
    await Promise.all([one?.stop(), two?.stop()])
    await postgres?.stop()
  })

  const listed = async () => (await operator.ask<Instance[]>('GET', '/admin/v1/instances')).body
  const portOf = ({ baseUrl }: TestService) => `:${new URL(baseUrl).port}`
  const ago = (ms: number) => new Date(Date.now() - ms)
  const dead = (id: string) => ({ id, name: `${id}:8091`, version: '0.1.0', since: ago(3_600_000), workers: [] })

  it('are both shown to an operator, with what their workers do', async () => {
    const found = await eventually(async () => {
      const now = await listed()
      expect(now.map(({ name }) => name.replace(/^.*:/, ':'))).to.have.members([portOf(one), portOf(two)])
      return now
    })
    for (const instance of found) {
      expect(instance).to.include({ version, isSilent: false })
      expect(instance.workers.map(({ name }) => name)).to.include.members(['ingestion', 'deliveries', 'retention'])
    }
  })

  it('are shown as silent when they have not been heard from, and forgotten later', async () => {
    await store.instances.beat(dead('silent'), ago(INSTANCE_SILENT_MS + 1_000))
    await store.instances.beat(dead('heard'), ago(INSTANCE_SILENT_MS - 10_000))
    const silent = new Map((await listed()).map(({ id, isSilent }) => [id, isSilent]))
    expect([silent.get('silent'), silent.get('heard')]).to.deep.equal([true, false])
    await store.instances.beat(dead('silent'), ago(INSTANCE_LIFE_MS + 1_000))
    await store.instances.beat(dead('heard'), ago(0))
    expect((await listed()).map(({ id }) => id))
      .to.include('heard')
      .and.not.to.include('silent')
    await store.instances.remove('heard')
  })

  it('are forgotten at once when they are stopped', async () => {
    const third = await aService(options)
    const port = portOf(third)
    const isListed = async () => (await listed()).some(({ name }) => name.endsWith(port))
    await eventually(async () => expect(await isListed()).to.equal(true))
    await third.stop()
    expect(await isListed()).to.equal(false)
  })

  it('show the operator alone what instances there are, and administrators the receivers of their own', async () => {
    const administrator = aVisit(two.baseUrl)
    await administrator.signInAs('Willow Creek administrator')
    expect((await administrator.ask('GET', '/admin/v1/instances')).status).to.equal(403)
    const spared = await administrator.ask<SparedReceiver[]>('GET', '/admin/v1/receivers/spared')
    expect([spared.status, spared.body]).to.deep.equal([200, []])
  })

  it('let a key through as often as one instance would', async () => {
    const path = '/api/v1/documenttypes'
    const { key } = one
    const answers = await Promise.all(
      Array.from({ length: 2 * PER_MINUTE + 40 }, (_, n) => (n % 2 ? one : two).ask('GET', path, { key })),
    )
    const through = answers.filter(({ status }) => status === 200).length
    // What the bucket has gained meanwhile comes along: one a second.
    expect(through).to.be.within(PER_MINUTE, PER_MINUTE + 10)
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200, 429]))
  })

  it('verify as many documents of a network as one instance would', async () => {
    const visits = [aVisit(one.baseUrl), aVisit(two.baseUrl)] as const
    const statuses: number[] = []
    for (let n = 0; n < VERIFICATIONS_PER_ADDRESS + 4; n++)
      statuses.push((await visits[n % 2]!.ask('POST', '/verify/api/document', Buffer.from('no PDF'))).status)
    expect(statuses.filter((status) => status !== 429)).to.have.length(VERIFICATIONS_PER_ADDRESS)
    expect(statuses.slice(-4)).to.deep.equal([429, 429, 429, 429])
  })
})
