/** A decision about a patient is undone until a signer has opened the document; then the task is in review as before. */
import { expect } from 'chai'
import type { TaskFile } from '../../../server/operations/operator/messages/tasks.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

describe('the decision of a review', function () {
  this.timeout(60_000)
  let service: TestService
  let [operator, administrator, calder] = [] as unknown as [Visit, Visit, Visit]
  beforeEach(async () => {
    service = await aService()
    ;[operator, administrator, calder] = [aVisit(service.baseUrl), aVisit(service.baseUrl), aVisit(service.baseUrl)]
    await operator.signInAs('Service operator')
    await administrator.signInAs('Willow Creek administrator')
    await calder.signInAs('Ruth Calder DO')
    await service.reaches(await service.create(aCreateBody()), 'Pending')
  })
  afterEach(() => service.stop())

  const fileOf = async (taskId: number) => (await operator.ask<TaskFile>('GET', `/admin/v1/tasks/${taskId}`)).body
  const inReview = (taskId: number) =>
    eventually(async () => {
      const { review } = await fileOf(taskId)
      expect(review).to.be.an('object')
      return review!
    })
  const TWIN = { externalId: 'WILLOW|TWIN', identifiers: null, telecoms: null }
  /** An order whose patient may be one who is known by another id. */
  const twin = async () => {
    const taskId = await service.create(aCreateBody({ patient: TWIN }))
    await inReview(taskId)
    return taskId
  }
  const decide = async (taskId: number, body: object) => {
    expect((await operator.ask('POST', `/admin/v1/tasks/${taskId}/review`, body)).status).to.equal(204)
    await service.reaches(taskId, 'Pending')
  }
  const undo = (taskId: number, visit = operator) => visit.ask('POST', `/admin/v1/tasks/${taskId}/review/undo`)
  const documents = async () => (await calder.ask<{ taskId: number }[]>('GET', '/inbox/api/documents')).body

  for (const decision of ['same', 'new'] as const)
    it(`is undone: the task is in review as before, with what was known of the patients (${decision})`, async () => {
      const taskId = await twin()
      const before = await fileOf(taskId)
      const { id: patientId = 0 } = before.review!.candidates[0] ?? {}
      const body = decision === 'same' ? { decision, patientId } : { decision }
      await decide(taskId, body)
      expect((await fileOf(taskId)).mayUndoReview).to.equal(true)
      expect((await undo(taskId, administrator)).status).to.equal(403)
      expect((await undo(taskId)).status).to.equal(204)
      const { task, review, story, mayUndoReview, mayDecide } = await fileOf(taskId)
      expect(review).to.deep.equal(before.review)
      expect({ ...task, updatedAt: null }).to.deep.equal({ ...before.task, updatedAt: null })
      expect([mayUndoReview, mayDecide]).to.deep.equal([false, true])
      expect(story.at(-1)!.sentence).to.equal(
        'Decision about the patient undone by Service operator; it is in review again.',
      )
      expect((await documents()).map((one) => one.taskId)).not.to.include(taskId)
      // The sender's id means the other patient no more: the next order is in review, too.
      const next = await twin()
      expect((await fileOf(next)).review).to.deep.equal({
        ...before.review,
        sent: (await fileOf(next)).review!.sent,
      })
      for (const other of ['new', 'fail'] as const) {
        const last = other === 'new' ? taskId : next
        const reason = other === 'fail' ? { reason: 'Unclear' } : {}
        expect(
          (await operator.ask('POST', `/admin/v1/tasks/${last}/review`, { decision: other, ...reason })).status,
        ).to.equal(204)
      }
      await service.reaches(taskId, 'Pending')
    })

  it('is not undone once a signer has opened the document', async () => {
    const taskId = await twin()
    await decide(taskId, { decision: 'new' })
    expect((await calder.ask('GET', `/inbox/api/documents/${taskId}/pages`)).status).to.equal(200)
    expect((await fileOf(taskId)).mayUndoReview).to.equal(false)
    const { status, errors } = await undo(taskId)
    expect(status).to.equal(409)
    expect(errors[0]).to.match(/cannot be undone: a signer has opened the document\.$/)
    await service.reaches(taskId, 'Pending')
  })

  it('is not undone once another order of the patient has arrived', async () => {
    const taskId = await twin()
    await decide(taskId, { decision: 'new' })
    await service.reaches(await service.create(aCreateBody({ patient: TWIN })), 'Pending')
    const { status, errors } = await undo(taskId)
    expect(status).to.equal(409)
    expect(errors[0]).to.match(/another order of this patient has arrived since\.$/)
  })

  it('is not undone where it was not made, or the task has ended', async () => {
    const plain = await service.create(aCreateBody())
    await service.reaches(plain, 'Pending')
    expect((await undo(plain)).errors[0]).to.match(/it was not made in a review\.$/)
    const taskId = await twin()
    expect((await undo(taskId)).status, 'in review').to.equal(409)
    await decide(taskId, { decision: 'new' })
    await service.client.retractTask({ params: { id: taskId }, query: { reason: 'Sent twice' } })
    expect((await undo(taskId)).status, 'retracted').to.equal(409)
  })
})
