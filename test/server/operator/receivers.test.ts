/** Receivers as the console shows them, turning one off, and resending what one missed from one time to another. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import type { Delivery, DeliveryFile, Redelivered } from '../../../server/operations/operator/messages/deliveries.ts'
import type { Receiver } from '../../../server/operations/operator/messages/receivers.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { aCreateBody, SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { countersign } from '../../support/service/served.ts'

/** Writes that the receiver is down, as another instance would that had found that out. */
function pause(file: string, id: number): void {
  // Does not wait for a lock: its holder in this process would wait for it.
  using database = new DatabaseSync(file, { timeout: 0 })
  database.exec('BEGIN IMMEDIATE')
  const { url } = database.prepare('SELECT sealed_url AS url FROM subscription WHERE id = ?').get(id) as {
    url: Uint8Array
  }
  const [at, address] = [Date.now(), Buffer.from(url).toString('base64')]
  const finding = { at, openings: 1, slots: 1, pausedFrom: at, pausedUntil: at + 300_000, address }
  database.prepare('UPDATE subscription SET finding = ? WHERE id = ?').run(JSON.stringify(finding), id)
  database.exec('COMMIT')
}

describe('the receivers of callbacks', function () {
  this.timeout(60_000)
  const folder = aFolder()
  let service: TestService
  let receiver: TestReceiver
  let operator: Visit
  let id: number
  before(async () => {
    ;[service, receiver] = await Promise.all([aService({ data: folder }), TestReceiver.start()])
    operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const made = await service.client.createSubscription({
      body: { url: `${receiver.url}?token=not-for-people`, description: 'EHR' },
    })
    receiver.secrets.push(made.secret)
    id = made.id
  })
  after(async () => {
    await service.stop()
    await receiver.stop()
  })

  const read = async () => (await operator.ask<Receiver>('GET', `/admin/v1/receivers/${id}`)).body
  const list = async () => (await operator.ask<Delivery[]>('GET', `/admin/v1/deliveries?subscriptionId=${id}`)).body
  const fails = () => service.create(aCreateBody({ performer: { signer: { userNPI: SIGNER.unknown } } }))

  it('are listed with their host, state and last answer, and without the rest of their URL', async () => {
    expect((await read()).lastAttempt).to.equal(null)
    await fails()
    await eventually(async () => expect((await read()).lastAttempt?.outcome).to.equal('delivered'))
    const { status, body } = await operator.ask<Receiver[]>('GET', '/admin/v1/receivers')
    expect(status).to.equal(200)
    const { lastAttempt, ...shown } = body.find(({ subscriptionId }) => subscriptionId === id)!
    expect(lastAttempt!.status).to.equal(receiver.status)
    expect([shown.description, shown.origin]).to.deep.equal(['EHR', new URL(receiver.url).origin])
    expect([shown.isActive, shown.pause, shown.waiting, shown.oldestWaiting]).to.deep.equal([true, null, 0, null])
    expect(JSON.stringify(body)).not.to.include('token')
  })

  it('get again what they had, from one time to another', async () => {
    await fails()
    await eventually(async () => expect((await list()).filter(({ state }) => state === 'delivered')).to.have.length(2))
    const [newer, older] = (await list()) as [Delivery, Delivery]
    const window = { subscriptionId: id, since: older.occurredAt, until: newer.occurredAt, states: ['delivered'] }
    const ask = (body: object) => operator.ask<Redelivered>('POST', '/admin/v1/deliveries/redeliver', body)
    expect((await ask({ ...window, dryRun: true })).body.count).to.equal(1)
    const before = receiver.received.length
    expect((await ask(window)).body).to.deep.equal({ count: 1, next: null })
    await eventually(async () => expect(receiver.received.length).to.equal(before + 1))
    expect(receiver.received.at(-1)!.headers['x-service-event-id']).to.equal(older.eventId)
    expect((await ask({ until: newer.occurredAt })).status).to.equal(400)
    const listed = await operator.ask<Delivery[]>(
      'GET',
      `/admin/v1/deliveries?since=${older.occurredAt}&until=${newer.occurredAt}`,
    )
    expect(listed.body.map(({ eventId }) => eventId)).to.deep.equal([older.eventId])
  })

  it('get the same from the command line', async () => {
    const [newer, older] = (await list()) as [Delivery, Delivery]
    const since = ['--since', older.occurredAt, '--state', 'delivered', '--dry-run', '--data', folder, '--sandbox']
    const ask = (...options: string[]) => countersign(['deliveries', 'redeliver', ...since, ...options])
    expect(JSON.parse((await ask()).stdout)).to.deep.equal({ deliveries: 2, dryRun: true })
    expect(JSON.parse((await ask('--until', newer.occurredAt)).stdout)).to.deep.equal({ deliveries: 1, dryRun: true })
    expect((await ask('--until', 'yesterday')).code).not.to.equal(0)
  })

  it('are turned off, which cancels what waits, and on again', async () => {
    receiver.status = 500
    await fails()
    await eventually(async () => expect((await read()).waiting).to.equal(1))
    expect((await read()).oldestWaiting).to.be.a('string')
    const turn = (isActive: boolean) => operator.ask<Receiver>('PATCH', `/admin/v1/receivers/${id}`, { isActive })
    expect((await turn(false)).body.isActive).to.equal(false)
    await eventually(async () => expect((await read()).waiting).to.equal(0))
    expect((await list())[0]!.state).to.equal('cancelled')
    expect((await turn(true)).body.isActive).to.equal(true)
    expect((await operator.ask('PATCH', '/admin/v1/receivers/99999', { isActive: false })).status).to.equal(404)
  })

  it('show what they answered without anything private, and how the last hours went', async () => {
    receiver.status = 500
    receiver.answer = '{"error":"Patient Alma Whitfield, born 1948-03-12, not found","status":404}'
    const taskId = await fails()
    const ofTask = async () => (await list()).find((delivery) => delivery.taskId === taskId)
    await eventually(async () => expect((await ofTask())?.attempts).to.be.at.least(1))
    const { body } = await operator.ask<DeliveryFile>('GET', `/admin/v1/deliveries/${(await ofTask())!.id}`)
    expect(body.log[0]!.answer).to.equal('{"error":"… not found","status":404}')
    const { hours } = await read()
    expect(hours).to.have.length(24)
    expect(hours.at(-1)!.failed).to.be.at.least(1)
    expect(hours.reduce((sum, { accepted }) => sum + accepted, 0)).to.be.at.least(2)
  })

  it('are resumed before their pause ends, and get what is due', async () => {
    receiver.answer = ''
    receiver.status = 204
    expect((await operator.ask('POST', `/admin/v1/receivers/${id}/resume`)).status).to.equal(409)
    await eventually(() => pause(join(folder, 'countersign.sqlite'), id))
    const paused = await read()
    expect(paused.pause?.isDown).to.equal(true)
    const taskId = await fails()
    await service.reaches(taskId, 'Failed')
    const ofTask = async () => (await list()).find((delivery) => delivery.taskId === taskId)
    await eventually(async () => expect((await ofTask())?.state).to.equal('waiting'))
    const { status, body } = await operator.ask<Receiver>('POST', `/admin/v1/receivers/${id}/resume`)
    expect([status, body.pause]).to.deep.equal([200, null])
    await eventually(async () => expect((await ofTask())?.state).to.equal('delivered'))
  })

  it('of other organizations are not there for an administrator', async () => {
    const theirs = await service.other.createSubscription({ body: { url: receiver.url } })
    const administrator = aVisit(service.baseUrl)
    await administrator.signInAs('Willow Creek administrator')
    const { body } = await administrator.ask<Receiver[]>('GET', '/admin/v1/receivers')
    expect(body.map(({ subscriptionId }) => subscriptionId))
      .to.include(id)
      .and.not.to.include(theirs.id)
    const path = `/admin/v1/receivers/${theirs.id}`
    expect((await administrator.ask('GET', path)).status).to.equal(404)
    expect((await administrator.ask('PATCH', path, { isActive: false })).status).to.equal(404)
    expect((await operator.ask<Receiver>('GET', path)).body.isActive).to.equal(true)
  })
})
