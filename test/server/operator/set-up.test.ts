/** Setting an agency up: its receiver, a test event before there is any order, and a test order on its way through the service. */
import { expect } from 'chai'
import type { TestAnswer } from '../../../server/domain/delivery/attempt.ts'
import type { AuditListed } from '../../../server/operations/operator/messages/audit.ts'
import type { MadeReceiver } from '../../../server/operations/operator/messages/receivers.ts'
import type { TaskFile } from '../../../server/operations/operator/messages/tasks.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { textOf } from '../../support/seen/text-of.ts'
import { SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const PHYSICIAN_ORDER = 104

describe('setting an agency up', function () {
  this.timeout(60_000)
  let service: TestService
  let receiver: TestReceiver
  let operator: Visit
  let agency: number
  let key: string
  before(async () => {
    ;[service, receiver] = await Promise.all([aService(), TestReceiver.start()])
    operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    agency = (
      await post<{ id: number }>('/organizations', { name: 'Pine Ridge', addresses: [], ingestionEnabled: true })
    ).id
    key = (await post<{ key: string }>(`/organizations/${agency}/keys`, { personName: 'Lee Park' })).key
  })
  after(async () => {
    await service?.stop()
    await receiver?.stop()
  })

  const ask = <T>(method: string, path: string, body?: unknown) => operator.ask<T>(method, `/admin/v1${path}`, body)
  async function post<T>(path: string, body?: unknown): Promise<T> {
    const answer = await ask<T>('POST', path, body)
    expect(answer.status, `${path}: ${answer.errors.join()}`).to.be.within(200, 204)
    return answer.body
  }
  const entriesOf = async (action: string) =>
    (await ask<AuditListed[]>('GET', `/audit?action=${action}`)).body.map(({ by, organizationId, outcome }) => [
      by.kind,
      organizationId,
      outcome,
    ])
  const order = (change: object = {}) =>
    ask<{ taskId: number }>('POST', `/organizations/${agency}/test-order`, {
      signerNpi: SIGNER.calder,
      documentTypeId: PHYSICIAN_ORDER,
      ...change,
    })

  it('adds a receiver whose secret is shown once, and refuses an address that callbacks may not go to', async () => {
    const refused = await ask('POST', '/receivers', { organizationId: agency, url: 'ftp://ehr.example.org/' })
    expect([refused.status, refused.errors]).to.deep.equal([400, ['url: an absolute https URL']])
    const strange = await ask('POST', '/receivers', { organizationId: 9_999, url: receiver.url })
    expect(strange.status).to.equal(404)
    const made = await post<MadeReceiver>('/receivers', {
      organizationId: agency,
      url: receiver.url,
      description: 'EHR',
    })
    receiver.secrets.push(made.secret)
    const listed = await service.clientOf(key).listSubscriptions({})
    expect(listed.map(({ id, url, description }) => ({ id, url, description }))).to.deep.equal([
      { id: made.subscriptionId, url: receiver.url, description: 'EHR' },
    ])
    expect(await entriesOf('subscription.create')).to.deep.equal([['operator', agency, 'done']])
  })

  it('sends a test event that is signed with that secret, and returns the answer', async () => {
    const { id } = (await service.clientOf(key).listSubscriptions({}))[0]!
    const answered = await post<TestAnswer>(`/receivers/${id}/test`)
    expect(answered).to.include({ outcome: 'delivered', status: 204 })
    const { event, refusal } = receiver.received.at(-1)!
    expect(refusal).to.equal(null)
    expect(event).to.include({
      taskId: 2_147_483_647,
      status: 'Pending',
      statusReason: 'Test event: there is no such task.',
    })
    receiver.status = 500
    receiver.answer = 'error: disk full for Alma Whitfield'
    const failed = await post<TestAnswer>(`/receivers/${id}/test`)
    expect(failed).to.include({ outcome: 'http', status: 500 })
    expect(failed.answer)
      .to.match(/^error:/)
      .and.not.include('Alma')
    receiver.status = 204
    expect(await entriesOf('subscription.test')).to.deep.equal(Array(2).fill(['operator', agency, 'done']))
    // It leaves no trace in the log of deliveries, and pauses nothing.
    expect((await ask<unknown[]>('GET', `/deliveries?subscriptionId=${id}`)).body).to.deep.equal([])
    await ask('PATCH', `/receivers/${id}`, { isActive: false })
    expect((await ask('POST', `/receivers/${id}/test`)).status).to.equal(409)
    await ask('PATCH', `/receivers/${id}`, { isActive: true })
  })

  it('sends a test order that says what it is, tells its story, and comes back signed', async () => {
    const sent = await order()
    expect(sent.status).to.equal(201)
    const { taskId } = sent.body
    await service.reaches(taskId, 'Pending', key)
    const { body: file } = await ask<TaskFile>('GET', `/tasks/${taskId}`)
    expect(file.task.externalDocId).to.match(/^TEST-ORDER-/)
    expect(file.task.patient?.names[0]?.family).to.equal('TEST ORDER')
    expect(file.story[0]?.sentence).to.equal('Test order of Pine Ridge, sent by Service operator.')
    await service.signs(taskId, key)
    await service.reaches(taskId, 'Completed', key)
    const read = { params: { id: taskId }, query: { includeOutputAttachment: true } }
    const text = await textOf((await service.clientOf(key).readTask(read)).output!.attachment!)
    expect(text).to.include('TEST ORDER').and.include('There is no such patient. Nothing is to be done.')
    await eventually(() => expect(receiver.statusesOf(taskId)).to.deep.equal(['Pending', 'Completed']))
  })

  it('cancels a test order that nobody signs', async () => {
    const { taskId } = (await order()).body
    await service.reaches(taskId, 'Pending', key)
    await post(`/tasks/${taskId}/cancel`, { reason: 'Test order: nobody signed' })
    await service.reaches(taskId, 'Cancelled', key)
  })

  it('says what stands in the way of a test order', async () => {
    const errorsOf = async (change: object) => {
      const { status, errors } = await order(change)
      return [status, ...errors]
    }
    expect(await errorsOf({ signerNpi: SIGNER.unknown })).to.deep.equal([404, 'npi: no provider of this service'])
    expect(await errorsOf({ documentTypeId: 9_999 })).to.deep.equal([
      400,
      'documentTypeId: the id of a document type of this service',
    ])
    await ask('PATCH', `/organizations/${agency}`, { ingestionEnabled: false })
    expect(await errorsOf({})).to.deep.equal([409, 'This organization may not send orders. Allow it to first.'])
    await ask('PATCH', `/organizations/${agency}`, { ingestionEnabled: true })
    const administrator = aVisit(service.baseUrl)
    await administrator.signInAs('Willow Creek administrator')
    const path = `/admin/v1/organizations/${agency}/test-order`
    expect((await administrator.ask('POST', path, { signerNpi: SIGNER.calder })).status).to.equal(403)
    const theirs = await administrator.ask('POST', '/admin/v1/receivers', { organizationId: agency, url: receiver.url })
    expect(theirs.status).to.equal(404)
  })
})
