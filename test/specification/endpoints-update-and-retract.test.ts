/** spec: Endpoints › Update, Endpoints › Retract */
import { expect } from 'chai'
import type { Task, TaskStatus } from '../../lib/contract/task/task.ts'
import { aCreateBody, SIGNER } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const TASKS = '/api/v1/signature/tasks'
const NOT_READ = 'body: not read; this call takes its values from the query of the URL'
const USED = 'externalSavedDocumentId: already used; each saved document needs an id of its own'

describe('Endpoints › PATCH update and DELETE retract', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  const patch = (id: number | string, query: string, key = service.key) =>
    service.ask('PATCH', `${TASKS}/${id}${query}`, { key })
  /** Sends the body without its length. */
  const chunked = async (method: string, path: string, text: string) => {
    const headers = { 'x-api-key': service.key, 'content-type': 'application/json' }
    const body = new Blob([text]).stream()
    return (await fetch(service.baseUrl + path, { method, headers, body, duplex: 'half' } as RequestInit)).status
  }
  const outputOf = async (id: number) => (await service.ask<Task>('GET', `${TASKS}/${id}`)).body.output
  let serial = 0
  const fresh = () => `SAVED-${++serial}`

  async function inStatus(status: TaskStatus): Promise<number> {
    const sparse = { externalId: `W|${++serial}`, sex: 'Unknown' as const, identifiers: [] }
    const performer = { signer: { userNPI: status === 'Failed' ? SIGNER.unknown : SIGNER.calder } }
    const taskId = await service.create(aCreateBody({ performer, ...(status === 'Processing' && { patient: sparse }) }))
    if (status === 'Processing' || status === 'Failed') return await service.reaches(taskId, status).then(() => taskId)
    await service.reaches(taskId, 'Pending')
    if (status === 'Completed') await service.signs(taskId)
    if (status === 'Rejected') await service.rejects(taskId)
    if (status === 'Retracted') await service.client.retractTask({ params: { id: taskId } })
    return taskId
  }

  for (const status of ['Completed', 'Rejected', 'Retracted'] as const)
    it(`PATCH: 204 No Content from ${status}; a read shows externalSavedDocumentId, isArchived, isFiled`, async () => {
      const taskId = await inStatus(status)
      const saved = fresh()
      const { status: code, text } = await patch(taskId, `?externalSavedDocumentId=${saved}&archived=true&saved=true`)
      expect({ code, text }).to.deep.equal({ code: 204, text: '' })
      expect(await outputOf(taskId)).to.include({ externalSavedDocumentId: saved, isArchived: true, isFiled: true })
      expect((await service.client.readTask({ params: { id: taskId } })).status, 'the status stays').to.equal(status)
    })

  for (const status of ['Processing', 'Pending', 'Failed'] as const)
    it(`PATCH 400: the task is ${status}`, async () => {
      const taskId = await inStatus(status)
      const saved = fresh()
      const { status: code, errors } = await patch(taskId, `?externalSavedDocumentId=${saved}`)
      expect({ code, errors }).to.deep.equal({
        code: 400,
        errors: [`Task ${taskId} is ${status}; only a Completed, Rejected, Retracted task can be updated.`],
      })
      const other = await inStatus('Retracted')
      expect((await patch(other, `?externalSavedDocumentId=${saved}`)).status, 'the id is not used up').to.equal(204)
    })

  it('PATCH 400: externalSavedDocumentId is omitted, empty, or given twice', async () => {
    const taskId = await inStatus('Retracted')
    for (const query of [
      '',
      '?archived=true',
      '?externalSavedDocumentId=',
      '?externalSavedDocumentId=a&externalSavedDocumentId=b',
    ]) {
      const { status, errors } = await patch(taskId, query)
      expect(status, query).to.equal(400)
      expect(errors.join()).to.match(/^externalSavedDocumentId: (required; )?text of 1 to 255 characters$/)
    }
  })

  it('PATCH takes query parameters only: values in a JSON body are refused with a sentence that says so', async () => {
    const taskId = await inStatus('Retracted')
    const { status, errors } = await service.ask('PATCH', `${TASKS}/${taskId}`, {
      body: { externalSavedDocumentId: fresh() },
    })
    expect({ status, errors }).to.deep.equal({
      status: 400,
      errors: ['externalSavedDocumentId: required; text of 1 to 255 characters', NOT_READ],
    })
    const saved = fresh()
    const lost = await service.ask('PATCH', `${TASKS}/${taskId}?externalSavedDocumentId=${saved}`, {
      body: { archived: true },
    })
    expect({ status: lost.status, errors: lost.errors }).to.deep.equal({ status: 400, errors: [NOT_READ] })
    const query = `?externalSavedDocumentId=${saved}&archived=true`
    expect(await chunked('PATCH', `${TASKS}/${taskId}${query}`, ''), 'a body that turns out empty').to.equal(204)
  })

  it('PATCH 400: the task id is unknown for this API key, or is none', async () => {
    for (const [id, error] of [
      ['999999', 'There is no task 999999 for this key.'],
      ['x', 'id: a whole number from 1 to 2147483647'],
    ] as const) {
      const { status, errors } = await patch(id, '?externalSavedDocumentId=a')
      expect({ status, errors }).to.deep.equal({ status: 400, errors: [error] })
    }
  })

  it('PATCH 400: the same value a second time, on this task or another; never reusable after it was replaced (choice: Recording again)', async () => {
    const [first, second] = [await inStatus('Retracted'), await inStatus('Rejected')]
    const saved = fresh()
    expect((await patch(first, `?externalSavedDocumentId=${saved}`)).status).to.equal(204)
    for (const id of [first, second]) {
      const { status, errors } = await patch(id, `?externalSavedDocumentId=${saved}`)
      expect({ status, errors }).to.deep.equal({ status: 400, errors: [USED] })
    }
    const replacement = fresh()
    expect((await patch(first, `?externalSavedDocumentId=${replacement}`)).status, 'a new value replaces').to.equal(204)
    expect(await outputOf(first)).to.include({ externalSavedDocumentId: replacement })
    expect((await patch(second, `?externalSavedDocumentId=${saved}`)).errors).to.deep.equal([USED])
  })

  it('PATCH: unique for this sender only; another organization may use the same value', async () => {
    const mine = await inStatus('Retracted')
    const theirs = (await service.other.createTask({ body: aCreateBody() })).taskId
    await service.reaches(theirs, 'Pending', service.otherKey)
    await service.other.retractTask({ params: { id: theirs } })
    const saved = fresh()
    expect((await patch(mine, `?externalSavedDocumentId=${saved}`)).status).to.equal(204)
    expect((await patch(theirs, `?externalSavedDocumentId=${saved}`, service.otherKey)).status).to.equal(204)
  })

  it('PATCH: 50 concurrent calls with one value: one 204, the others 400', async () => {
    const ids: number[] = []
    for (let count = 0; count < 5; count++) ids.push(await inStatus('Retracted'))
    const saved = fresh()
    const calls = Array.from({ length: 50 }, (_, index) => patch(ids[index % 5]!, `?externalSavedDocumentId=${saved}`))
    const answers = await Promise.all(calls)
    expect(answers.filter(({ status }) => status === 204)).to.have.length(1)
    for (const { status, errors } of answers.filter((answer) => answer.status !== 204))
      expect({ status, errors }).to.deep.equal({ status: 400, errors: [USED] })
    const found = await service.client.listTasks({ query: { externalSavedDocumentIds: [saved] } })
    expect(found).to.have.length(1)
  })

  it('PATCH 400: archiving and filing cannot be undone; all errors come at once', async () => {
    const taskId = await inStatus('Completed')
    const saved = fresh()
    const untouched = await patch(taskId, `?externalSavedDocumentId=${saved}&archived=false&saved=false`)
    expect(untouched.status, 'false before is no undoing').to.equal(204)
    expect((await patch(taskId, `?externalSavedDocumentId=${fresh()}&archived=true&saved=true`)).status).to.equal(204)
    const { status, errors } = await patch(taskId, `?externalSavedDocumentId=${saved}&archived=false&saved=false`)
    expect({ status, errors }).to.deep.equal({
      status: 400,
      errors: ['archived: archiving cannot be undone', 'saved: filing cannot be undone', USED],
    })
    expect(await outputOf(taskId)).to.include({ isArchived: true, isFiled: true })
    expect((await patch(taskId, `?externalSavedDocumentId=${fresh()}`)).status, 'left out, they stay').to.equal(204)
    expect(await outputOf(taskId)).to.include({ isArchived: true, isFiled: true })
  })

  it('PATCH 400: an unknown parameter is named with the allowed ones (choice: Unknown query parameters)', async () => {
    const { errors } = await patch(1001, `?externalSavedDocumentId=${fresh()}&archive=true`)
    expect(errors).to.deep.equal(['archive: unknown parameter; allowed: externalSavedDocumentId, archived, saved'])
  })

  it('DELETE: 204, then Retracted; the reason is stored as the status reason (choice: Reason of a retract)', async () => {
    const taskId = await inStatus('Pending')
    const { status, text } = await service.ask('DELETE', `${TASKS}/${taskId}?reason=A+corrected%20PDF%20%26%20more`)
    expect({ status, text }).to.deep.equal({ status: 204, text: '' })
    const { body } = await service.ask<Task>('GET', `${TASKS}/${taskId}`)
    expect(body).to.include({ status: 'Retracted', statusReason: 'A corrected PDF & more' })
    expect(body.output).to.include({ statusReason: 'A corrected PDF & more' })
  })

  for (const query of ['', '?reason=', '?reason=%20'])
    it(`DELETE: reason is optional (${query || 'none'})`, async () => {
      const taskId = await inStatus('Pending')
      expect((await service.ask('DELETE', `${TASKS}/${taskId}${query}`)).status).to.equal(204)
      expect((await service.ask<Task>('GET', `${TASKS}/${taskId}`)).body.statusReason).to.equal(null)
    })

  it('DELETE 400: a reason above 500 characters (choice: Reason of a retract), and the task stays', async () => {
    const taskId = await inStatus('Pending')
    const { status, errors } = await service.ask('DELETE', `${TASKS}/${taskId}?reason=${'a'.repeat(501)}`)
    expect({ status, errors }).to.deep.equal({ status: 400, errors: ['reason: text of up to 500 characters'] })
    expect(
      (await service.ask('DELETE', `${TASKS}/${taskId}?reason=${encodeURIComponent('😀'.repeat(500))}`)).status,
    ).to.equal(204)
  })

  for (const status of ['Processing', 'Completed', 'Rejected', 'Retracted', 'Failed'] as const)
    it(`DELETE 400: the task is ${status}`, async () => {
      const taskId = await inStatus(status)
      const answer = await service.ask('DELETE', `${TASKS}/${taskId}`)
      expect({ status: answer.status, errors: answer.errors }).to.deep.equal({
        status: 400,
        errors: [`Task ${taskId} is ${status}; only a Pending task can be retracted.`],
      })
    })

  it('DELETE 400: a reason in a body would be lost for good, so the task stays', async () => {
    const taskId = await inStatus('Pending')
    const path = `${TASKS}/${taskId}`
    const json = { 'content-type': 'application/json' }
    for (const asking of [
      { body: { reason: 'A corrected PDF' } },
      { raw: 'reason=A+corrected+PDF', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ]) {
      const { status, errors } = await service.ask('DELETE', path, asking)
      expect({ status, errors }).to.deep.equal({ status: 400, errors: [NOT_READ] })
    }
    expect(await chunked('DELETE', path, '{"reason":"A corrected PDF"}')).to.equal(400)
    expect((await service.client.readTask({ params: { id: taskId } })).status).to.equal('Pending')
    expect((await service.ask('DELETE', path, { raw: '{}', headers: json })).status, 'an empty object').to.equal(204)
  })

  it('DELETE 400: an unknown task', async () => {
    const { status, errors } = await service.ask('DELETE', `${TASKS}/999999`)
    expect({ status, errors }).to.deep.equal({ status: 400, errors: ['There is no task 999999 for this key.'] })
  })
})
