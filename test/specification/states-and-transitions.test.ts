/** spec: States and transitions. The table itself, all statuses and triggers, is held in test/server/domain/task.test.ts. */
import { expect } from 'chai'
import type { TaskStatus } from '../../lib/contract/task/task.ts'
import { TestReceiver } from '../support/network/test-receiver.ts'
import { aCreateBody, SIGNER } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

describe('States and transitions', () => {
  let service: TestService
  let receiver: TestReceiver
  before(async () => {
    service = await aService()
    receiver = await TestReceiver.start()
    receiver.secrets.push((await service.client.createSubscription({ body: { url: receiver.url } })).secret)
  })
  after(() => Promise.all([service.stop(), receiver.stop()]))

  const told = async (taskId: number, ...statuses: TaskStatus[]) => {
    await receiver.until(({ event }) => event?.taskId === taskId && event.status === statuses.at(-1))
    expect(receiver.statusesOf(taskId)).to.deep.equal(statuses)
  }
  const pending = async () => {
    const taskId = await service.create(aCreateBody())
    const task = await service.reaches(taskId, 'Pending')
    expect(task.documentId, 'Pending: documentId is populated').to.be.a('number')
    return taskId
  }

  it('(none) → Received: 201 with taskId, and no event', async () => {
    const created = await service.client.createTask({ body: aCreateBody() })
    expect(created.status).to.equal('Received')
    await told(created.taskId, 'Pending')
  })

  it('Received, Processing → Pending: documentId populated, a status webhook sent', async () => {
    const taskId = await pending()
    await told(taskId, 'Pending')
    const { event } = await receiver.until(({ event }) => event?.taskId === taskId)
    const task = await service.client.readTask({ params: { id: taskId } })
    expect(event).to.include({ documentId: task.documentId, statusReason: null })
  })

  for (const [who, npi] of [
    ['a well-formed but unknown signer NPI', SIGNER.unknown],
    ['an inactive signer', SIGNER.rowe],
  ] as const)
    it(`Received, Processing → Failed: ${who}; statusReason set, a status webhook sent`, async () => {
      const taskId = await service.create(aCreateBody({ performer: { signer: { userNPI: npi } } }))
      const { statusReason, output, documentId } = await service.reaches(taskId, 'Failed')
      expect(statusReason).to.match(/^No active signer has the NPI of this order\./)
      expect(statusReason).not.to.include(npi)
      expect({ reason: output!.statusReason, documentId }).to.deep.equal({ reason: statusReason, documentId: null })
      await told(taskId, 'Failed')
      const { event } = await receiver.until(({ event }) => event?.taskId === taskId)
      expect(event).to.include({ documentId: null, statusReason })
    })

  it('Pending → Completed: signed PDF on read, a status webhook sent', async () => {
    const taskId = await pending()
    await service.signs(taskId)
    await told(taskId, 'Pending', 'Completed')
    const query = { includeOutputAttachment: true }
    const { output } = await service.client.readTask({ params: { id: taskId }, query })
    expect(output!.attachment).to.be.a('string')
  })

  it('Pending → Rejected: no output.attachment, the reason, a status webhook sent', async () => {
    const taskId = await pending()
    await service.rejects(taskId, 'Not my patient')
    const query = { includeOutputAttachment: true }
    const task = await service.client.readTask({ params: { id: taskId }, query })
    expect(task).to.include({ status: 'Rejected', statusReason: 'Not my patient' })
    expect(task.output).not.to.have.property('attachment')
    await told(taskId, 'Pending', 'Rejected')
  })

  it('Pending → Retracted: the reason is stored as the status reason, a status webhook sent', async () => {
    const taskId = await pending()
    await service.client.retractTask({ params: { id: taskId }, query: { reason: 'Corrected PDF follows' } })
    await told(taskId, 'Pending', 'Retracted')
    const { event } = await receiver.until(({ event }) => event?.taskId === taskId && event.status === 'Retracted')
    expect(event!.statusReason).to.equal('Corrected PDF follows')
  })

  it('From a final status nothing leads on: sign, reject and retract are refused, and no event is sent', async () => {
    const taskId = await pending()
    await service.signs(taskId)
    const task = `/api/v1/signature/tasks/${taskId}`
    expect((await service.ask('POST', `/sandbox/v1/tasks/${taskId}/sign`, { body: {} })).status).to.equal(409)
    expect((await service.ask('POST', `/sandbox/v1/tasks/${taskId}/reject`, { body: {} })).status).to.equal(409)
    expect((await service.ask('DELETE', task)).status).to.equal(400)
    // A later event proves that the one before it would have come.
    const next = await pending()
    await told(next, 'Pending')
    await told(taskId, 'Pending', 'Completed')
  })

  it('Rule 2 under a race: of a sign and a retract at the same moment exactly one wins, and one event is sent', async () => {
    for (let round = 0; round < 6; round++) {
      const taskId = await pending()
      const [sign, retract] = await Promise.all([
        service.ask('POST', `/sandbox/v1/tasks/${taskId}/sign`, { body: {} }),
        // Signing takes a while; the retract comes before, within and after it.
        new Promise((resolve) => setTimeout(resolve, round * 12)).then(() =>
          service.ask('DELETE', `/api/v1/signature/tasks/${taskId}`),
        ),
      ])
      const signed = sign.status === 204
      expect([sign.status, retract.status]).to.deep.equal(signed ? [204, 400] : [409, 204])
      const { status } = await service.client.readTask({ params: { id: taskId } })
      expect(status).to.equal(signed ? 'Completed' : 'Retracted')
      await told(taskId, 'Pending', status)
    }
  })

  it('Rule 1: update is allowed only from Completed, Rejected, Retracted, and sends no event', async () => {
    const taskId = await pending()
    await service.rejects(taskId)
    await service.client.updateTask({ params: { id: taskId }, query: { externalSavedDocumentId: 'S-1' } })
    const next = await pending()
    await told(next, 'Pending')
    await told(taskId, 'Pending', 'Rejected')
  })
})
