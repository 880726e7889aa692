/** What operators and administrators see and do through the console's server. */
import { expect } from 'chai'
import { SESSION_IDLE_MS } from '../../../server/choices.ts'
import type { WorkerState } from '../../../server/domain/worker-health.ts'
import type { Delivery } from '../../../server/operations/operator/messages/deliveries.ts'
import type { Counts, OverviewTask, TaskFile } from '../../../server/operations/operator/messages/tasks.ts'
import type { ListedTemplate } from '../../../server/operations/operator/messages/templates.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { overhear } from '../../support/overheard.ts'
import { aCreateBody, daysFromToday } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

/** The same name, birth date and sex as the patient of `aCreateBody()`, under another id and without a common identifier. */
const TWIN = { externalId: 'WILLOW|TWIN', identifiers: null }

describe('the console', () => {
  const clock = runningClock()
  let service: TestService
  let receiver: TestReceiver
  let operator: Visit
  let administrator: Visit
  before(async () => {
    ;[service, receiver] = await Promise.all([aService({ clock }), TestReceiver.start()])
    operator = aVisit(service.baseUrl)
    administrator = aVisit(service.baseUrl)
    const { secret } = await service.client.createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)
  })
  beforeEach(async () => {
    await operator.signInAs('Service operator')
    await administrator.signInAs('Willow Creek administrator')
  })
  after(async () => {
    await service.stop()
    await receiver.stop()
  })

  const api = (path: string) => `/admin/v1${path}`
  const fileOf = async (taskId: number, visit = operator) =>
    (await visit.ask<TaskFile>('GET', api(`/tasks/${taskId}`))).body
  const aTaskInReview = async (patient = TWIN) => {
    await service.reaches(await service.create(aCreateBody()), 'Pending')
    const taskId = await service.create(aCreateBody({ patient }))
    await service.reaches(taskId, 'Processing')
    await eventually(async () => expect((await fileOf(taskId)).review).to.be.an('object'))
    return taskId
  }
  const anotherSendersTask = async () => {
    const taskId = (
      await service.other.createTask({ body: aCreateBody({ document: { annotations: { type: 'SmartAnnotations' } } }) })
    ).taskId
    await service.reaches(taskId, 'Pending', service.otherKey)
    return taskId
  }

  it('tells the whole story of a task: who, when, and how the sender was told', async () => {
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    await service.signs(taskId)
    await receiver.until(({ event }) => event?.taskId === taskId && event.status === 'Completed')
    const { task, events, story, deliveries } = await fileOf(taskId)
    expect(task.patient!.names[0]?.family).to.equal('Whitfield')
    expect(events.map(({ status }) => status)).to.deep.equal(['Pending', 'Completed'])
    expect(story.map(({ kind, by }) => `${kind} ${by.kind}`)).to.include.members([
      'task.create key',
      'task.present service',
      'task.sign key',
    ])
    expect(deliveries).to.have.length(2)
    expect(deliveries.every(({ log }) => log.length <= 1)).to.equal(true)
  })

  it('shows administrators their own organization only', async () => {
    const theirs = await anotherSendersTask()
    const own = await service.create(aCreateBody())
    const tasks = (await administrator.ask<OverviewTask[]>('GET', api('/tasks'))).body.map(({ taskId }) => taskId)
    expect(tasks).to.include(own).and.not.to.include(theirs)
    expect((await operator.ask<OverviewTask[]>('GET', api('/tasks'))).body.map(({ taskId }) => taskId)).to.include(
      theirs,
    )
    const foreign = await administrator.ask('GET', api(`/tasks/${theirs}`))
    const unknown = await administrator.ask('GET', api('/tasks/999999'))
    expect([foreign.status, foreign.errors[0]?.replace(String(theirs), 'ID')]).to.deep.equal([
      unknown.status,
      unknown.errors[0]?.replace('999999', 'ID'),
    ])
    const templates = (await administrator.ask<ListedTemplate[]>('GET', api('/templates'))).body
    expect(new Set(templates.map(({ organization }) => organization))).to.deep.equal(
      new Set(['Willow Creek Home Health']),
    )
    const mine = (await administrator.ask<Counts>('GET', api('/counts'))).body
    const all = (await operator.ask<Counts>('GET', api('/counts'))).body
    expect(mine.pending).to.be.below(all.pending)
  })

  it('is closed to signers and strangers', async () => {
    const signer = aVisit(service.baseUrl)
    await signer.signInAs('Ruth Calder DO')
    for (const path of ['/tasks', '/counts', '/deliveries', '/templates', '/senders', '/changes']) {
      expect((await signer.ask('GET', api(path))).status, path).to.equal(403)
      expect((await aVisit(service.baseUrl).ask('GET', api(path))).status, path).to.equal(401)
    }
  })

  it('lets an operator cancel with a reason, and nobody else', async () => {
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    const cancel = (visit: Visit, body: unknown) => visit.ask('POST', api(`/tasks/${taskId}/cancel`), body)
    expect((await cancel(administrator, { reason: 'No' })).status).to.equal(403)
    expect((await cancel(operator, { reason: ' ' })).status).to.equal(400)
    expect((await cancel(operator, { reason: 'Sent in error' })).status).to.equal(204)
    expect((await service.reaches(taskId, 'Cancelled')).statusReason).to.equal('Sent in error')
    expect((await cancel(operator, { reason: 'Again' })).status).to.equal(409)
    expect((await fileOf(taskId)).story.filter(({ status }) => status).at(-1)?.sentence).to.equal(
      'Cancelled by Service operator: Sent in error.',
    )
  })

  it('shows both patients of a review; a task whose patient is the same one goes on to its signer', async () => {
    const taskId = await aTaskInReview()
    const { review, mayDecide } = await fileOf(taskId)
    expect(review?.sent.externalId).to.equal('WILLOW|TWIN')
    expect(review?.candidates.map(({ patient }) => patient.externalId)).to.deep.equal(['WILLOW|WC100001'])
    expect(mayDecide).to.equal(true)
    expect((await fileOf(taskId, administrator)).mayDecide).to.equal(false)
    const decide = (visit: Visit, body: unknown) => visit.ask('POST', api(`/tasks/${taskId}/review`), body)
    const same = { decision: 'same', patientId: review!.candidates[0]!.id }
    expect((await decide(administrator, same)).status).to.equal(403)
    expect((await decide(operator, { ...same, patientId: 999 })).status).to.equal(400)
    expect((await decide(operator, same)).status).to.equal(204)
    await service.reaches(taskId, 'Pending')
    expect((await decide(operator, same)).status).to.equal(409)
    // The decision holds for the next document under the second id.
    await service.reaches(await service.create(aCreateBody({ patient: TWIN })), 'Pending')
    await service.reaches(await service.create(aCreateBody()), 'Pending')
  })

  it('makes a new patient from a review, who is known from then on', async () => {
    const namesake = { ...TWIN, externalId: 'WILLOW|NAMESAKE' }
    const taskId = await aTaskInReview(namesake)
    await operator.ask('POST', api(`/tasks/${taskId}/review`), { decision: 'new' })
    await service.reaches(taskId, 'Pending')
    const again = await service.create(aCreateBody({ patient: namesake }))
    await service.reaches(again, 'Pending')
  })

  it('fails a task under review with a reason that the sender reads', async () => {
    const taskId = await service.create(
      aCreateBody({ patient: { names: [{ family: 'Else', given: ['Somebody'] }], birthDate: '1960-01-01' } }),
    )
    await eventually(async () => expect((await fileOf(taskId)).review).to.be.an('object'))
    const path = api(`/tasks/${taskId}/review`)
    const asNew = await operator.ask('POST', path, { decision: 'new' })
    expect([asNew.status, asNew.errors[0]]).to.deep.equal([
      409,
      'The sender uses this patient id for another patient. Fail the task, so that the sender corrects the id.',
    ])
    expect((await operator.ask('POST', path, { decision: 'fail', reason: 'Wrong patient id' })).status).to.equal(204)
    expect((await service.reaches(taskId, 'Failed')).statusReason).to.equal('Wrong patient id')
  })

  it('sends again what failed, for the visitor’s own organization only', async () => {
    const taskId = await service.create(aCreateBody())
    await receiver.until(({ event }) => event?.taskId === taskId && event.status === 'Pending')
    const count = () => receiver.received.filter(({ event }) => event?.taskId === taskId).length
    const before = count()
    const { deliveries } = await fileOf(taskId)
    const again = { deliveryId: deliveries[0]!.id }
    await eventually(async () => expect((await fileOf(taskId)).deliveries[0]?.state).to.equal('delivered'))
    expect(
      (await administrator.ask<{ count: number }>('POST', api('/deliveries/redeliver'), again)).body.count,
    ).to.equal(1)
    await receiver.until(() => count() > before)

    const { secret } = await service.other.createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)
    const theirTask = await anotherSendersTask()
    await receiver.until(({ event }) => event?.taskId === theirTask)
    const [theirs] = (await fileOf(theirTask)).deliveries
    const listed = async (visit: Visit) =>
      (await visit.ask<Delivery[]>('GET', api('/deliveries'))).body.map((delivery) => delivery.id)
    expect(await listed(operator)).to.include(theirs!.id)
    expect(await listed(administrator)).not.to.include(theirs!.id)
    expect((await administrator.ask('GET', api(`/deliveries/${theirs!.id}`))).status).to.equal(404)
    const sent = await administrator.ask('POST', api('/deliveries/redeliver'), { deliveryId: theirs!.id })
    expect(sent.status).to.equal(409)
    const since = { failedSince: new Date(0).toISOString() }
    expect((await operator.ask<{ count: number }>('POST', api('/deliveries/redeliver'), since)).body.count).to.equal(0)
  })

  it('makes a template whose fields stand where they were put', async () => {
    const [sender] = (await administrator.ask<{ id: number; name: string }[]>('GET', api('/senders'))).body
    const body = {
      organizationId: sender!.id,
      summary: 'Wound order',
      clinicalDateLabel: 'Order date',
      diagnosisCode: 'none',
      daysBefore: 30,
      daysAfter: 0,
      fields: [
        {
          type: 'VisibleSignature',
          page: 1,
          required: true,
          box: { left: 100.5, top: 500, right: 280.5, bottom: 536 },
        },
      ],
    }
    const made = await administrator.ask<{ templateId: number }>('POST', api('/templates'), body)
    expect(made.status).to.equal(201)
    const { templateId } = made.body
    expect((await service.client.listTemplates()).map((template) => template.templateId)).to.include(templateId)
    const annotations = { type: 'Template' as const, templateId }
    const taskId = await service.create(aCreateBody({ document: { annotations, effectiveDate: daysFromToday(0) } }))
    await service.reaches(taskId, 'Pending')
    expect((await administrator.ask('POST', api('/templates'), { ...body, organizationId: 1 })).status).to.equal(403)
    expect((await administrator.ask('POST', api('/templates'), { ...body, fields: [] })).status).to.equal(400)
  })

  it('tells open pages that something changed, not what, and keeps no session alive by that', async () => {
    const stopped = new AbortController()
    const stream = await fetch(service.baseUrl + api('/changes'), {
      headers: { cookie: operator.cookie },
      signal: stopped.signal,
    })
    expect(stream.headers.get('content-type')).to.equal('text/event-stream')
    const reader = stream.body!.getReader()
    let heard = ''
    const listening = (async () => {
      while (!heard.includes('changed')) heard += Buffer.from((await reader.read()).value ?? []).toString()
    })()
    await service.create(aCreateBody())
    await listening
    overhear(heard)
    expect(heard).to.match(/^retry: 5000\n\n(event: workers\ndata: \[.*\]\n\n)+event: changed\ndata:\n\n$/)
    const [, told = ''] = /^data: (\[.*\])$/m.exec(heard) ?? []
    const workers = JSON.parse(told) as WorkerState[]
    expect(workers.map(({ name }) => name)).to.deep.equal(['ingestion', 'deliveries', 'retention', 'demo signers'])
    for (const worker of workers) expect(worker).to.have.all.keys('name', 'sinceRoundMs', 'sinceFaultMs', 'lateAfterMs')
    stopped.abort()

    clock.advance(SESSION_IDLE_MS - 1000)
    expect((await operator.ask('GET', api('/counts'))).status).to.equal(200)
    clock.advance(SESSION_IDLE_MS - 1000)
    const listen = await fetch(service.baseUrl + api('/changes'), { headers: { cookie: operator.cookie } })
    await listen.body?.cancel()
    expect(listen.status).to.equal(200)
    clock.advance(2000)
    expect((await operator.ask('GET', api('/counts'))).status).to.equal(401)
  })
})
