/** spec: What the service does */
import { expect } from 'chai'
import { TestReceiver } from '../support/network/test-receiver.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

describe('What the service does', () => {
  let service: TestService
  let receiver: TestReceiver
  before(async () => {
    service = await aService()
    receiver = await TestReceiver.start()
  })
  after(() => Promise.all([service.stop(), receiver.stop()]))

  it('Rules › happy path: Received, Pending, the signer signs, Completed, the signed PDF, the saved-document id', async () => {
    const { client } = service
    const { secret } = await client.createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)

    const created = await client.createTask({ body: aCreateBody() })
    expect(created).to.deep.equal({ taskId: created.taskId, status: 'Received', statusReason: null })
    const { taskId } = created
    await service.reaches(taskId, 'Pending')
    await service.signs(taskId)
    const completed = await client.readTask({ params: { id: taskId }, query: { includeOutputAttachment: true } })
    expect(completed.status).to.equal('Completed')
    const signed = Buffer.from(completed.output!.attachment!, 'base64')
    expect(signed.subarray(0, 5).toString()).to.equal('%PDF-')
    expect(signed.length).to.be.greaterThan(Buffer.from(aCreateBody().document.attachment, 'base64').length)

    await client.updateTask({ params: { id: taskId }, query: { externalSavedDocumentId: 'SAVED-1', archived: true } })
    const { output } = await client.readTask({ params: { id: taskId } })
    expect(output).to.include({ externalSavedDocumentId: 'SAVED-1', isArchived: true, isFiled: false })
    await receiver.until(({ event }) => event?.taskId === taskId && event.status === 'Completed')
    expect(receiver.statusesOf(taskId)).to.deep.equal(['Pending', 'Completed'])
  })
})
