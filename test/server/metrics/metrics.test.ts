/** The metrics of a service that was used: what they count, and that nothing private is in them. */
import { expect } from 'chai'
import { systemClock } from '../../../lib/clock.ts'
import { StoreAway } from '../../../server/domain/store-refusals.ts'
import { createMetrics } from '../../../server/metrics/metrics.ts'
import { operator } from '../../../server/operations/operator/table.ts'
import { sandbox } from '../../../server/operations/sandbox/table.ts'
import { sender } from '../../../server/operations/sender/table.ts'
import { signer } from '../../../server/operations/signer/table.ts'
import { openStore } from '../../../server/store/store.ts'
import { CANARY, searched } from '../../support/canary.ts'
import { eventually } from '../../support/eventually.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { aCreateBody, SIGNER } from '../../support/service/a-create-body.ts'
import { textsOfPatient } from '../../support/service/a-patient.ts'
import { aService, createOverheard, type TestService } from '../../support/service/a-service.ts'

/** Routes that are in no table. */
const FURTHER = ['none', '/ready', '/openapi.json', '/account/api/session', '/console', '/web']

interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

describe('GET /metrics', () => {
  let service: TestService
  let receiver: TestReceiver
  const read = async () => (await fetch(service.service.metricsUrl!)).text()
  const samples = async () => samplesIn(await read())

  before(async () => {
    receiver = await TestReceiver.start()
    service = await aService({ metricsPort: 0 })
    const subscription = { url: `${receiver.url}/${CANARY.webhookPath}`, description: CANARY.description }
    await service.client.createSubscription({ body: subscription })
    const taskId = await service.create(aCreateBody({ document: { externalDocId: CANARY.externalDocId } }))
    await service.reaches(taskId, 'Pending')
    await service.signs(taskId)
    const unknown = await service.create(aCreateBody({ performer: { signer: { userNPI: SIGNER.unknown } } }))
    await service.reaches(unknown, 'Failed')
    await eventually(() => expect(receiver.received.length).to.be.at.least(3))
    await service.ask('GET', `/api/v1/signature/tasks?externalDocId=${encodeURIComponent(CANARY.externalDocId)}`)
    await service.ask('GET', `/${CANARY.family}/${CANARY.externalId}`)
    await service.ask('PURGE', `/api/v1/signature/tasks/${CANARY.savedId}`)
    await service.ask('GET', '/api/v1/signature/tasks', { key: CANARY.key })
    await service.ask('POST', '/account/api/session', { body: { email: CANARY.email, password: CANARY.password } })
  })
  after(async () => {
    await service.stop()
    await receiver.stop()
  })

  it('counts and times requests by route, method and class of the status', async () => {
    const counts = (await samples()).filter(({ name }) => name === 'countersign_request_seconds_count')
    const count = (route: string, method: string, status: string) =>
      counts.find(({ labels }) => labels.route === route && labels.method === method && labels.status === status)?.value
    expect(count('/api/v1/signature/tasks', 'POST', '2xx')).to.equal(2)
    expect(count('/api/v1/signature/tasks', 'GET', '4xx')).to.equal(1)
    expect(count('/api/v1/signature/tasks/:id', 'GET', '2xx')).to.be.at.least(2)
    expect(count('/api/v1/signature/tasks/:id', 'other', '4xx')).to.equal(1)
    expect(count('none', 'GET', '4xx')).to.equal(1)
  })

  it('says what came of tasks and callbacks', async () => {
    const found = await samples()
    const value = (name: string, outcome: string) =>
      found.find((sample) => sample.name === name && sample.labels.outcome === outcome)?.value
    expect(value('countersign_ingestion_seconds_count', 'presented')).to.equal(1)
    expect(value('countersign_ingestion_seconds_count', 'failed')).to.equal(1)
    await eventually(async () =>
      expect(await read()).to.include('countersign_delivery_attempts_total{outcome="delivered"} 3\n'),
    )
  })

  it('says what waits, what is busy, and how the process is', async () => {
    const names = new Map((await samples()).map(({ name, value }) => [name, value]))
    expect(names.get('countersign_store_up')).to.equal(1)
    for (const name of ['oldest_task_seconds', 'oldest_delivery_seconds', 'pdf_jobs_busy', 'pdf_jobs_queued'])
      expect(names.get(`countersign_${name}`), name).to.be.at.least(0)
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'])
      expect(names.get(name), name).to.be.at.least(0)
  })

  it('says how old the oldest callback is that waits', async () => {
    receiver.status = 500
    await service.create(aCreateBody())
    await eventually(async () => {
      const found = (await samples()).find(({ name }) => name === 'countersign_oldest_delivery_seconds')
      expect(found?.value).to.be.above(0)
    })
  })

  it('has nothing private in a label, and of paths only how they are written', async () => {
    const text = await read()
    const isIn = searched(text)
    const planted = [...Object.values(CANARY), ...Object.values(textsOfPatient()), service.key]
    expect(planted.filter((value) => isIn(String(value)))).to.deep.equal([])
    const tables = [sender, signer, operator, sandbox].flatMap((table) => Object.values(table))
    const known = new Set([...FURTHER, ...tables.map(({ path }) => path)])
    const routes = new Set(samplesIn(text).flatMap(({ labels }) => labels.route ?? []))
    expect([...routes].filter((route) => !known.has(route))).to.deep.equal([])
    expect(routes.size).to.be.above(5)
  })

  it('is on a port of its own, and has nothing else there', async () => {
    expect((await service.ask('GET', '/metrics')).status).to.equal(404)
    expect(service.service.metricsUrl).to.match(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
    const elsewhere = new URL('/health-check', service.service.metricsUrl!)
    expect((await fetch(elsewhere)).status).to.equal(404)
  })
})

describe('Metrics', () => {
  it('are handed out nowhere unless asked for', async () => {
    const service = await createOverheard({ port: 0, data: ':memory:', sandbox: true })
    expect(service.metricsUrl).to.equal(null)
    await service.stop()
  })

  it('say that the store is away, and whose the faults are', async () => {
    const store = await openStore(':memory:', Buffer.alloc(32))
    const metrics = createMetrics({
      store,
      clock: systemClock,
      pdfLoad: () => ({ busy: 2, queued: 7 }),
      eventLoop: { waitMs: () => 750 },
    })
    await store.close()
    for (const reason of ['57P01', 'ECONNREFUSED']) metrics.outage({ is: 'away', reason })
    metrics.outage({ is: 'back', seconds: 12 })
    metrics.fault('requests', new StoreAway(1_000))
    metrics.fault('requests', new TypeError('x is not a function'))
    const text = await metrics.text()
    for (const line of [
      'countersign_store_up 0',
      'countersign_oldest_task_seconds Nan',
      'countersign_store_outages_total{kind="away"} 2',
      'countersign_store_outages_total{kind="unanswered"} 0',
      'countersign_store_away_seconds_total 12',
      'countersign_store_waiting 0',
      'countersign_store_oldest_wait_seconds 0',
      'countersign_event_loop_wait_seconds 0.75',
      'countersign_pdf_jobs_busy 2',
      'countersign_pdf_jobs_queued 7',
      'countersign_faults_total{at="requests",kind="store"} 1',
      'countersign_faults_total{at="requests",kind="other"} 1',
    ])
      expect(text).to.include(`${line}\n`)
  })
})

function samplesIn(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label, text])
      return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }
    })
}
