/** A document that names what it replaces, in a real Node-RED: what it replaces leaves the inbox before it comes. */
import { expect } from 'chai'
import type { OrphanList } from '../../nodes/shared/orphans/act.ts'
import type { TaskFile } from '../../server/operations/operator/messages/tasks.ts'
import { aVisit } from '../support/browser/a-visit.ts'
import { eventually } from '../support/eventually.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, retract } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import type { Seen } from '../support/node-red/watch-probe.ts'
import { aCreatedTask } from '../support/service/a-created-task.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

describe('a document that replaces others', function () {
  this.timeout(60_000)
  let red: NodeRed
  let service: HostedService

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
    await red.deploy(flow(service.node(), ...createTask(), ...retract()))
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  const sent = async (replaces: unknown, more: object = {}) => {
    const order = { ...anOrder(), ...more, replaces }
    red.inject('create', order)
    return red.next('create.0', ({ externalDocId }) => externalDocId === order.externalDocId)
  }

  it('takes the place of one that waits: a task is retracted once, and one is open', async () => {
    const old = await aCreatedTask(red, service)
    const message = await sent([old.externalDocId])
    expect(message).to.deep.include({ replaced: [{ externalDocId: old.externalDocId, status: 'Retracted' }] })
    expect(await service.statusOf(old.taskId)).to.equal('Retracted')
    await service.reaches(message.taskId, 'Pending')
    const reason = (await service.client.readTask({ params: { id: old.taskId } })).statusReason
    expect(reason).to.equal('Replaced by a newer document')
  })

  it('takes the place of one that waits for a person to decide whose it is', async () => {
    const patients = (which: string) => service.ask('POST', '/sandbox/v1/review', { body: { patients: which } })
    await patients('all')
    const old = { ...anOrder(), externalDocId: 'IN-REVIEW' }
    red.inject('create', old)
    const { taskId } = await red.next('create.0', ({ externalDocId }) => externalDocId === 'IN-REVIEW')
    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const path = `/admin/v1/tasks/${String(taskId)}`
    const review = await eventually(async () => {
      const { body } = await operator.ask<TaskFile>('GET', path)
      expect(body.review).to.be.an('object')
      return body.review!
    })
    await patients('none')
    const replacing = { ...anOrder(), externalDocId: 'AFTER-REVIEW', replaces: ['IN-REVIEW'] }
    red.inject('create', replacing)
    const decision = { decision: 'same', patientId: review.candidates[0]!.id }
    expect((await operator.ask('POST', `${path}/review`, decision)).status).to.equal(204)
    const message = await red.next('create.0', ({ externalDocId }) => externalDocId === 'AFTER-REVIEW')
    expect(message).to.deep.include({ replaced: [{ externalDocId: 'IN-REVIEW', status: 'Retracted' }] })
    await service.reaches(message.taskId, 'Pending')
  })

  it('takes the place of one that its signer has opened', async () => {
    const old = await aCreatedTask(red, service)
    const signer = aVisit(service.baseUrl)
    await signer.signInAs('Ruth Calder DO')
    const pages = `/inbox/api/documents/${old.taskId}/pages`
    expect((await signer.ask('GET', pages)).status).to.equal(200)
    const message = await sent([old.externalDocId])
    expect(message).to.deep.include({ replaced: [{ externalDocId: old.externalDocId, status: 'Retracted' }] })
    expect((await signer.ask('GET', pages)).status).to.not.equal(200)
  })

  it('is sent all the same after one that was signed, has ended, or is not known, and says so', async () => {
    const signed = await aCreatedTask(red, service, 'Completed')
    const rejected = await aCreatedTask(red, service)
    await service.rejects(rejected.taskId, 'Not my patient')
    const gone = await aCreatedTask(red, service)
    await service.client.retractTask({ params: { id: gone.taskId } })
    const ids = [signed, rejected, gone].map(({ externalDocId }) => externalDocId)
    const message = await sent([...ids, 'NEVER-SENT'])
    expect((message.replaced as { status: unknown }[]).map(({ status }) => status)).to.deep.equal([
      'Completed',
      'Rejected',
      'Retracted',
      null,
    ])
    await service.reaches(message.taskId, 'Pending')
  })

  it('withdraws nothing of its own, and nothing where the property holds no ids', async () => {
    const externalDocId = 'REPLACES-ITSELF'
    const message = await sent([externalDocId], { externalDocId })
    await service.reaches(message.taskId, 'Pending')
    for (const replaces of [undefined, null, 'text', [], [''], [7]])
      expect(await sent(replaces)).to.not.have.property('replaced')
    expect(await service.statusOf(message.taskId)).to.equal('Pending')
  })

  it('is withdrawn by any of the ids that its sender knows it by', async () => {
    const { taskId, externalDocId } = await aCreatedTask(red, service)
    red.inject('retract', { externalDocId: 'FILLER-1', aliases: ['FILLER-2', externalDocId] })
    expect(await red.next('retract.0')).to.include({ taskId, status: 'Retracted' })
    red.inject('retract', { externalDocId: 'FILLER-3', aliases: ['FILLER-4'] })
    expect(await red.next('retract.1'))
      .to.include({ status: 'Withdrawn' })
      .and.not.have.property('taskId')
  })

  const parked = async (externalDocId: string) =>
    eventually(async () => {
      const answer = await fetch(red.adminUrl('countersign/services/service/orphans'))
      const { rows } = (await answer.json()) as OrphanList
      expect(rows.filter((row) => row.externalDocId === externalDocId && row.reason === 'withdrawn')).to.have.length(1)
    })

  it('keeps what it replaces from being sent later, also by another id of it', async () => {
    const message = await sent(['LATE-1', 'LATE-FILLER'])
    expect((message.replaced as { status: unknown }[]).map(({ status }) => status)).to.deep.equal([null, null])
    red.inject('create', { ...anOrder(), externalDocId: 'LATE-1' })
    await parked('LATE-1')
    red.inject('create', { ...anOrder(), externalDocId: 'LATE-PLACER', aliases: ['LATE-FILLER'] })
    await parked('LATE-PLACER')
    for (const externalDocId of ['LATE-1', 'LATE-PLACER'])
      expect(await service.client.listTasks({ query: { externalDocId } })).to.deep.equal([])
  })

  it('is found by an id that only its order named, and stays when it is a version of what it replaces', async () => {
    const first = { ...anOrder(), externalDocId: 'PLACER-5', aliases: ['FILLER-5'] }
    red.inject('create', first)
    const { taskId } = await red.next('create.0', ({ externalDocId }) => externalDocId === 'PLACER-5')
    await service.reaches(taskId, 'Pending')
    const replaces = ['PLACER-5', 'FILLER-5']
    const version = { ...anOrder(), externalDocId: 'PLACER-5.r2', aliases: ['FILLER-5'], replaces }
    const isVersion = ({ externalDocId }: Seen) => externalDocId === 'PLACER-5.r2'
    red.inject('create', version)
    const second = await red.next('create.0', isVersion)
    expect(await service.statusOf(taskId)).to.equal('Retracted')
    await service.reaches(second.taskId, 'Pending')
    red.inject('create', version)
    expect(await red.next('create.0', isVersion)).to.include({ taskId: second.taskId, duplicate: true })
    expect(await service.statusOf(second.taskId)).to.equal('Pending')
    red.inject('retract', { externalDocId: 'FILLER-5' })
    expect(await red.next('retract.0')).to.include({ taskId: second.taskId, status: 'Retracted' })
  })
})
