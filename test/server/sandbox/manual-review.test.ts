/** A sender says whose tasks wait for a manual review in a sandbox: of patients in doubt, of none, or of all. */
import { expect } from 'chai'
import type { TaskFile } from '../../../server/operations/operator/messages/tasks.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { eventually } from '../../support/eventually.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const PATH = '/sandbox/v1/review'

describe('the setting for manual reviews of a sandbox', () => {
  let service: TestService
  let operator: Visit
  before(async () => {
    service = await aService()
    operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
  })
  after(() => service.stop())
  beforeEach(() => service.ask('POST', '/sandbox/v1/reset'))

  const set = (patients: string) => service.ask<object>('POST', PATH, { body: { patients } })
  /** The same name, birth date and sex each time, and no identifier: only the id of the patient tells who it is. */
  const send = (externalId: string, client = service.client) =>
    client.createTask({ body: aCreateBody({ patient: { externalId, identifiers: null } }) })
  async function reviewOf(taskId: number, key = service.key) {
    await service.reaches(taskId, 'Processing', key)
    return eventually(async () => {
      const { body } = await operator.ask<TaskFile>('GET', `/admin/v1/tasks/${taskId}`)
      expect(body.review).to.be.an('object')
      return body.review!
    })
  }

  it('is as in production at first: a known patient under another id waits', async () => {
    expect((await service.ask('GET', PATH)).body).to.deep.equal({ patients: 'doubtful' })
    await service.reaches((await send('P|1')).taskId, 'Pending')
    const review = await reviewOf((await send('P|2')).taskId)
    expect(review.candidates.map(({ patient }) => patient.externalId)).to.deep.equal(['P|1'])
  })

  it('lets no patient wait, so that tests send one patient under many ids', async () => {
    expect(await set('none')).to.deep.include({ status: 200, body: { patients: 'none' } })
    for (const id of ['P|1', 'P|2', 'P|3']) await service.reaches((await send(id)).taskId, 'Pending')
    // A known id stays that patient, even with another name and birth date.
    const other = { externalId: 'P|1', names: [{ family: 'Other', given: ['One'] }], birthDate: '1950-01-01' }
    await service.reaches(await service.create(aCreateBody({ patient: other })), 'Pending')
    const vague = { externalId: 'P|4', sex: 'Unknown', identifiers: null } as const
    await service.reaches(await service.create(aCreateBody({ patient: vague })), 'Pending')
  })

  it('lets every patient wait, a known one too, whom the console then decides on', async () => {
    await service.reaches((await send('P|1')).taskId, 'Pending')
    await set('all')
    const { taskId } = await send('P|1')
    const review = await reviewOf(taskId)
    expect(review.reason).to.match(/every patient/)
    expect(review.candidates.map(({ patient }) => patient.externalId)).to.deep.equal(['P|1'])
    const decision = { decision: 'same', patientId: review.candidates[0]!.id }
    expect((await operator.ask('POST', `/admin/v1/tasks/${taskId}/review`, decision)).status).to.equal(204)
    await service.reaches(taskId, 'Pending')
    expect((await reviewOf((await send('P|NEW')).taskId)).candidates).to.have.length(1)
  })

  it('offers the patient who was created for an earlier order with the same id, and not a second new one', async () => {
    await service.reaches((await send('P|1')).taskId, 'Pending')
    const [first, second] = [await send('P|2'), await send('P|2')]
    for (const { taskId } of [first, second]) await reviewOf(taskId)
    const decide = (taskId: number, decision: object) =>
      operator.ask('POST', `/admin/v1/tasks/${taskId}/review`, decision)
    expect((await decide(first.taskId, { decision: 'new' })).status).to.equal(204)

    const { candidates } = await reviewOf(second.taskId)
    expect(candidates.map(({ patient }) => patient.externalId)).to.have.members(['P|1', 'P|2'])
    expect((await decide(second.taskId, { decision: 'new' })).status).to.equal(409)
    const created = candidates.find(({ patient }) => patient.externalId === 'P|2')!
    expect((await decide(second.taskId, { decision: 'same', patientId: created.id })).status).to.equal(204)
    for (const { taskId } of [first, second]) await service.reaches(taskId, 'Pending')
  })

  it("is each organization's own, and ends with a reset", async () => {
    await set('all')
    expect((await service.ask('GET', PATH, { key: service.otherKey })).body).to.deep.equal({ patients: 'doubtful' })
    await service.ask('POST', '/sandbox/v1/reset')
    expect((await service.ask('GET', PATH)).body).to.deep.equal({ patients: 'doubtful' })
  })

  it('refuses another word, and says which there are', async () => {
    expect(await set('some')).to.deep.include({ status: 400 })
    expect((await set('some')).errors.join()).to.contain('one of doubtful, none, all')
  })
})
