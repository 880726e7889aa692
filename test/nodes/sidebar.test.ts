/** What the sidebar learns of a real host, and has done there: by the routes that it calls. */
import { expect } from 'chai'
import type { Overview } from '../../nodes/shared/sidebar/overview.ts'
import { eventually } from '../support/eventually.ts'
import { aGateway } from '../support/network/a-gateway.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, host, reconcile, wait } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { aCreatedTask } from '../support/service/a-created-task.ts'
import { aPatient } from '../support/service/a-patient.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder, SIGNER } from '../support/service/order.ts'

const CONSOLE = 'https://console.example.org/tasks/{taskId}'
const REASON = 'Alma Turner is not my patient'
type PartName = 'open' | 'waiting' | 'failed' | 'unrecorded'

describe('the routes of the sidebar', function () {
  this.timeout(40_000)
  let red: NodeRed
  let service: HostedService

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
    await red.deploy(nodes())
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  const nodes = (...more: Parameters<typeof flow>) =>
    flow(service.node({ consoleUrl: CONSOLE }), ...createTask(), ...wait(), ...more)
  const url = (path = '') => red.adminUrl(`countersign/services/service/tasks${path}`)
  const overview = async () => (await (await fetch(url())).json()) as Overview
  const idsIn = (seen: Overview, part: PartName) => seen[part].rows.map(({ taskId }) => taskId)
  async function post(path: string, body: string, contentType = 'application/json') {
    const answer = await fetch(url(path), { method: 'POST', headers: { 'content-type': contentType }, body })
    return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) }
  }
  const aTask = async (status?: 'Pending' | 'Completed') => (await aCreatedTask(red, service, status)).taskId
  async function aRejectedTask() {
    const taskId = await aTask()
    await service.rejects(taskId, REASON)
    return taskId
  }
  async function aFailedTask() {
    red.inject('create', anOrder(SIGNER.unknown))
    const { taskId } = await red.next('create.0')
    await service.reaches(taskId, 'Failed')
    return taskId as number
  }

  it('list each task in its part, newest first, with what may be done to it', async () => {
    const began = Date.now()
    const [pending, signed, rejected, failed] = [
      await aTask(),
      await aTask('Completed'),
      await aRejectedTask(),
      await aFailedTask(),
    ]
    red.inject('wait', { taskId: pending })
    await red.statusOf('wait', '1 waiting')
    const seen = await overview()
    expect(idsIn(seen, 'open')).to.deep.equal([pending])
    expect(idsIn(seen, 'waiting')).to.deep.equal([pending])
    expect(idsIn(seen, 'failed')).to.deep.equal([failed])
    expect(idsIn(seen, 'unrecorded')).to.deep.equal([rejected, signed])
    const [row] = seen.open.rows
    expect(row).to.include({
      taskId: pending,
      status: 'Pending',
      documentType: 'Physician Order (verbal)',
      reason: null,
    })
    expect(row!.externalDocId).to.match(/^ORDER-/)
    // The time of the task may be in whole seconds.
    expect(Date.parse(row!.at!)).to.be.within(began - 1_000, Date.now())
    expect(row!.consoleUrl).to.equal(`https://console.example.org/tasks/${pending}`)
    const actions = Object.values(seen).flatMap((part) => (typeof part === 'number' ? [] : part.rows))
    expect(Object.fromEntries(actions.map(({ taskId, actions }) => [taskId, actions]))).to.deep.equal({
      [pending]: ['retract'],
      [signed]: ['download', 'resend'],
      [rejected]: ['resend'],
      [failed]: ['resend'],
    })
  })

  it('say why a task failed, and nothing of a patient or of what a signer wrote', async () => {
    const seen = await overview()
    expect(seen.failed.rows[0]!.reason).to.match(/NPI/)
    const all = JSON.stringify(seen)
    const { names, birthDate } = aPatient()
    for (const secret of [names[0]!.family, birthDate, REASON]) expect(all).to.not.contain(secret)
  })

  it('no longer list what is recorded, at the host or by a flow', async () => {
    await red.deploy(nodes(...reconcile()), 'full')
    const { failed, unrecorded } = await overview()
    const [byHost, byFlow] = [unrecorded.rows[0]!.taskId, failed.rows[0]!.taskId]
    await service.client.updateTask({ params: { id: byHost }, query: { externalSavedDocumentId: 'SAVED-1' } })
    red.inject('reconcile', { taskId: byFlow, acknowledge: true })
    await red.next('completed')
    const seen = await overview()
    expect(idsIn(seen, 'failed')).to.deep.equal([])
    expect(idsIn(seen, 'unrecorded')).to.not.include(byHost)
    expect(await post(`/${byHost}/resend`, '{}')).to.include({ status: 409, error: 'ALREADY_RECORDED' })
    expect(await post(`/${byFlow}/resend`, '{}')).to.include({ status: 409, error: 'ALREADY_RECORDED' })
  })

  it('retract a task, and the flow that waits for it learns of it', async () => {
    const taskId = await aTask()
    red.inject('wait', { taskId, topic: 'of the flow' })
    await red.statusOf('wait', '2 waiting')
    expect(await post(`/${taskId}/retract`, '{"reason":"A corrected order follows"}')).to.include({ status: 200 })
    const ended = await red.next('wait.2', (message) => message.taskId === taskId)
    expect(ended).to.include({ status: 'Retracted', statusReason: 'A corrected order follows', topic: 'of the flow' })
    const signed = await aTask('Completed')
    expect(await post(`/${signed}/retract`, '{}')).to.include({ status: 409, error: 'ALREADY_SIGNED' })
  })

  it('act on JSON alone, which a page of another origin cannot send, and on ids and reasons that can be', async () => {
    const taskId = await aTask()
    for (const act of ['retract', 'resend'])
      for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
        expect(await post(`/${taskId}/${act}`, '', type), type).to.include({ status: 400, error: 'INVALID_INPUT' })
    expect(await post('/1e3/retract', '{}')).to.include({ status: 400 })
    expect(await post(`/${taskId}/retract`, '{"reason":7}')).to.include({ status: 400 })
    expect(await post(`/${taskId}/retract`, `{"reason":"${'x'.repeat(501)}"}`)).to.include({ status: 409 })
    expect(await service.statusOf(taskId)).to.equal('Pending')
  })

  it('send an outcome into the flow again, as often as asked, and say why they cannot', async () => {
    const taskId = await aRejectedTask()
    expect(await post(`/${taskId}/resend`, '{}')).to.deep.equal({ status: 200, name: 'reconcile' })
    const message = await red.next('reconcile.1')
    expect(message).to.include({ taskId, status: 'Rejected', statusReason: REASON, sentBefore: 0 })
    await post(`/${taskId}/resend`, '{}')
    expect(await red.next('reconcile.1')).to.include({ taskId, sentBefore: 1 })

    // The wait may look before the request comes, and then has sent the outcome itself.
    await eventually(async () => {
      const awaited = await aTask()
      red.inject('wait', { taskId: awaited })
      await eventually(async () => expect(idsIn(await overview(), 'waiting')).to.include(awaited))
      await service.rejects(awaited, REASON)
      expect(await post(`/${awaited}/resend`, '{}')).to.include({ status: 409, error: 'STILL_AWAITED' })
    })
    const pending = await aTask()
    expect(await post(`/${pending}/resend`, '{}')).to.include({ status: 409, error: 'NO_OUTCOME' })
    await red.deploy(nodes())
    expect(await post(`/${taskId}/resend`, '{}')).to.include({ status: 409, error: 'NO_RECONCILE' })
  })

  it('give a signed document under a name that tells nothing of the patient', async () => {
    const taskId = await aTask('Completed')
    const answer = await fetch(url(`/${taskId}/signed-pdf`))
    expect(answer.headers.get('content-type')).to.equal('application/pdf')
    expect(answer.headers.get('content-disposition')).to.equal(`attachment; filename="task-${taskId}-signed.pdf"`)
    expect(answer.headers.get('cache-control')).to.equal('no-store')
    const task = await service.client.readTask({ params: { id: taskId }, query: { includeOutputAttachment: true } })
    expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).to.equal(task.output!.attachment)
    const pending = await fetch(url(`/${await aTask()}/signed-pdf`))
    expect(pending.status).to.equal(409)
    expect(await pending.json()).to.include({ error: 'NOT_COMPLETED' })
  })

  it('look at a service once at a time, however many editors ask', async () => {
    const gateway = await aGateway(service.baseUrl)
    try {
      await red.deploy(flow(host(gateway.baseUrl, { credentials: { apiKey: service.apiKey }, timeout: '60' })))
      expect((await fetch(url())).status).to.equal(200)
      const calls = () => gateway.passed.filter(({ url }) => url.startsWith('/api/v1/signature/tasks?')).length
      const ofOneLook = calls()
      gateway.pace.holdsAnswers = true
      const first = fetch(url())
      await eventually(() => expect(calls()).to.be.greaterThan(ofOneLook))
      // They come while the first look is under way, and an answer to each of the last ones has come after them.
      const others = Array.from({ length: 20 }, () => fetch(url()))
      for (let n = 0; n < 5; n++) await (await fetch(red.adminUrl('countersign/held'))).json()
      gateway.pace.holdsAnswers = false
      for (let n = calls(); n > ofOneLook; n--) await gateway.answerNext()
      const answers = await Promise.all([first, ...others])
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(21).fill(200))
      expect(calls(), 'with the look that all others share').to.equal(3 * ofOneLook)
    } finally {
      await gateway.stop()
      await red.deploy(nodes())
    }
  })

  it('say that a service is not deployed, or cannot be reached', async () => {
    const elsewhere = (id: string) => fetch(red.adminUrl(`countersign/services/${id}/tasks`))
    expect(await (await elsewhere('nowhere')).json()).to.include({ error: 'NOT_DEPLOYED' })
    await red.deploy([...nodes(), { ...service.node({ baseUrl: 'http://127.0.0.1:9' }), id: 'nobody' }])
    const answer = await elsewhere('nobody')
    expect(answer.status).to.equal(503)
    expect(await answer.json()).to.include({ error: 'ECONNREFUSED' })
  })
})
