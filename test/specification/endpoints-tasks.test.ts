/** spec: Endpoints › Tasks */
import { expect } from 'chai'
import type { Task } from '../../lib/contract/task/task.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const TASKS = '/api/v1/signature/tasks'
const ALLOWED = 'externalSavedDocumentIds, externalDocId, isArchived, isFiled, status, limit, before'

describe('Endpoints › Tasks', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  const list = async (query: string, key = service.key) => {
    const { status, body } = await service.ask<Task[]>('GET', `${TASKS}${query}`, { key })
    expect(status, query).to.equal(200)
    return body
  }
  const idsOf = (tasks: Task[]) => tasks.map(({ taskId }) => taskId)

  it('POST: 201 with taskId, status, statusReason', async () => {
    const { status, body } = await service.ask<{ taskId: number }>('POST', TASKS, { body: aCreateBody() })
    expect(status).to.equal(201)
    expect(body).to.deep.equal({ taskId: body.taskId, status: 'Received', statusReason: null })
    expect(body.taskId).to.be.a('number').and.satisfy(Number.isInteger)
  })

  it('GET {id}: 200 task record (choice: Further task fields)', async () => {
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    const { body } = await service.ask<Task>('GET', `${TASKS}/${taskId}`)
    const { documentId, createdAt, updatedAt } = body
    expect(body).to.deep.equal({
      taskId,
      status: 'Pending',
      statusReason: null,
      documentId,
      externalDocId: 'EHR|DOC-000123',
      output: {
        statusReason: null,
        externalSavedDocumentId: null,
        isArchived: false,
        isFiled: false,
        preparation: body.output!.preparation,
      },
      createdAt,
      updatedAt,
    })
    expect(body.output!.preparation).to.include({ kind: 'plain', reason: null })
    expect(documentId).to.be.greaterThan(0)
    expect(Date.parse(updatedAt!)).to.be.at.least(Date.parse(createdAt!))
  })

  it('GET {id}?includeOutputAttachment: true returns the signed PDF, false and nothing (choice: Attachment on request) metadata only', async () => {
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    const before = await service.ask<Task>('GET', `${TASKS}/${taskId}?includeOutputAttachment=true`)
    expect(before.body.output).not.to.have.property('attachment')
    await service.signs(taskId)
    for (const query of ['', '?includeOutputAttachment=false', '?includeOutputAttachment=False'])
      expect((await service.ask<Task>('GET', `${TASKS}/${taskId}${query}`)).body.output).not.to.have.property(
        'attachment',
      )
    const { output } = (await service.ask<Task>('GET', `${TASKS}/${taskId}?includeOutputAttachment=true`)).body
    expect(Buffer.from(output!.attachment!, 'base64').subarray(0, 5).toString()).to.equal('%PDF-')
  })

  for (const value of ['1', 'yes', '', 'true&includeOutputAttachment=true'])
    it(`GET {id}: includeOutputAttachment is true or false, once (${value})`, async () => {
      const { status, errors } = await service.ask('GET', `${TASKS}/1001?includeOutputAttachment=${value}`)
      expect({ status, errors }).to.deep.equal({
        status: 400,
        errors: ['includeOutputAttachment: true or false, given once'],
      })
    })

  it('GET {id}: an unknown task is 404 (choice: Foreign tasks look unknown)', async () => {
    for (const id of ['1', '999999', '2147483647']) {
      const { status, errors } = await service.ask('GET', `${TASKS}/${id}`)
      expect({ status, errors }).to.deep.equal({ status: 404, errors: [`There is no task ${id} for this key.`] })
    }
  })

  for (const id of ['abc', '-1', '1e3', '0', '1.5', '2147483648', '99999999999999999999', '%27', 'null', '1%00'])
    it(`GET {id}: an id that can be none is 400 (${id})`, async () => {
      const { status, errors } = await service.ask('GET', `${TASKS}/${id}`)
      expect({ status, errors }).to.deep.equal({ status: 400, errors: ['id: a whole number from 1 to 2147483647'] })
    })

  it('HEAD answers as GET does, without a body', async () => {
    const taskId = await service.create(aCreateBody())
    const { status, text, headers } = await service.ask('HEAD', `${TASKS}/${taskId}`)
    expect({ status, text }).to.deep.equal({ status: 200, text: '' })
    expect(headers.get('content-type')).to.match(/^application\/json/)
    expect((await service.ask('HEAD', `${TASKS}/1`)).status).to.equal(404)
  })

  it('GET list: a JSON array, newest first, never an attachment (choice: Task lists)', async () => {
    const ids = [await service.create(aCreateBody()), await service.create(aCreateBody())]
    await service.reaches(ids[1]!, 'Pending')
    await service.signs(ids[1]!)
    const all = await list('')
    expect(all).to.be.an('array')
    expect(idsOf(all).slice(0, 2)).to.deep.equal([ids[1], ids[0]])
    for (const task of all) expect(task.output).not.to.have.property('attachment')
  })

  it('GET list: pages with Link until there is no more (choice: Task lists)', async () => {
    const document = { externalDocId: 'a page, & more' }
    const ids: number[] = []
    for (let count = 0; count < 5; count++) ids.unshift(await service.create(aCreateBody({ document })))
    const pages: number[][] = []
    for (let path = `${TASKS}?limit=2&externalDocId=${encodeURIComponent(document.externalDocId)}`; path !== ''; ) {
      const page = await service.ask<Task[]>('GET', path)
      pages.push(idsOf(page.body))
      path = page.headers.get('link')?.match(/^<(\/[^>]+)>; rel="next"$/)?.[1] ?? ''
    }
    expect(pages).to.deep.equal([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
  })

  it('GET list: filters externalSavedDocumentIds (choice: Task filters; repeated or divided by commas), isArchived, isFiled, status', async () => {
    const { client, otherKey } = service
    const ids: number[] = []
    for (const query of [
      { externalSavedDocumentId: 'S1', archived: true },
      { externalSavedDocumentId: 'S2', saved: true },
      { externalSavedDocumentId: 'S3,S4' },
    ]) {
      const taskId = await service.create(aCreateBody())
      await service.reaches(taskId, 'Pending')
      await client.retractTask({ params: { id: taskId } })
      await client.updateTask({ params: { id: taskId }, query })
      ids.push(taskId)
    }
    const [archived, filed, withComma] = ids
    expect(idsOf(await list('?externalSavedDocumentIds=S1'))).to.deep.equal([archived])
    expect(idsOf(await list('?externalSavedDocumentIds=S1,S2'))).to.deep.equal([filed, archived])
    expect(idsOf(await list('?externalSavedDocumentIds=S1&externalSavedDocumentIds=S2'))).to.deep.equal([
      filed,
      archived,
    ])
    for (const brackets of ['[]', '%5B%5D', '[0]'])
      expect(
        idsOf(await list(`?externalSavedDocumentIds${brackets}=S1&externalSavedDocumentIds${brackets}=S2`)),
        brackets,
      ).to.deep.equal([filed, archived])
    expect(idsOf(await list('?externalSavedDocumentIds[]=S1'))).to.deep.equal([archived])
    expect(idsOf(await list('?externalSavedDocumentIds=S3,S4'))).to.deep.equal([withComma])
    expect(idsOf(await list('?externalSavedDocumentIds=s1'))).to.deep.equal([])
    expect(await list('?externalSavedDocumentIds='), 'no id is no task').to.deep.equal([])
    expect(await list('?externalSavedDocumentIds=S1', otherKey), 'another organization').to.deep.equal([])
    expect(idsOf(await list('?isArchived=true'))).to.deep.equal([archived])
    expect(idsOf(await list('?isFiled=true'))).to.deep.equal([filed])
    expect(idsOf(await list('?isArchived=false&isFiled=false'))).not.to.include.members([archived!])
    expect(idsOf(await list('?status=Retracted'))).to.deep.equal([withComma, filed, archived])
    expect(await list('?status=Cancelled')).to.deep.equal([])
  })

  const PAGE = 'a whole number from 1 to 500, given once'
  for (const [query, error] of [
    ['externalDocID=x', `externalDocID: unknown parameter; allowed: ${ALLOWED}`],
    ['includeOutputAttachment=true', `includeOutputAttachment: unknown parameter; allowed: ${ALLOWED}`],
    ['__proto__=x', `__proto__: unknown parameter; allowed: ${ALLOWED}`],
    ['status[]=Pending&status[]=Failed', 'status: one of '],
    ['state[]=Pending', `state: unknown parameter; allowed: ${ALLOWED}`],
    ['status[a]=Pending', `(a parameter): unknown parameter; allowed: ${ALLOWED}`],
    ['isArchived=1', 'isArchived: true or false, given once'],
    ['isFiled=true&isFiled=false', 'isFiled: true or false, given once'],
    ['status=pending', 'status: one of Received, Processing, Pending, '],
    ['limit=0', `limit: ${PAGE}`],
    ['limit=501', `limit: ${PAGE}`],
    ['limit=1e2', `limit: ${PAGE}`],
    ['limit=', `limit: ${PAGE}`],
    ['limit=5&limit=6', `limit: ${PAGE}`],
    ['before=x', 'before: a whole number from 1 to 2147483647'],
    ['externalDocId=a&externalDocId=b', 'externalDocId: text of 1 to 255 characters'],
  ] as const)
    it(`GET list: ${query} is refused (choice: Unknown query parameters)`, async () => {
      const { status, errors } = await service.ask('GET', `${TASKS}?${query}`)
      expect(status).to.equal(400)
      expect(errors.join()).to.satisfy((text: string) => text.startsWith(error), errors.join())
    })

  it('Reject: there is no reject endpoint; other paths are 404, other methods 405 with Allow, in the error shape', async () => {
    const taskId = await service.create(aCreateBody())
    for (const path of [
      `${TASKS}/${taskId}/reject`,
      `${TASKS}/${taskId}/sign`,
      '/api/v1',
      '/api/v2/documenttypes',
      '/',
    ]) {
      const { status, errors } = await service.ask('POST', path, { body: {} })
      expect({ path, status }).to.deep.equal({ path, status: 404 })
      expect(errors).to.have.length(1)
    }
    for (const [method, path, allow] of [
      ['PUT', `${TASKS}/${taskId}`, 'GET, HEAD, PATCH, DELETE'],
      ['DELETE', TASKS, 'POST, GET, HEAD'],
      ['OPTIONS', '/health-check', 'GET, HEAD'],
    ] as const) {
      const { status, headers, errors } = await service.ask(method, path)
      expect({ status, allow: headers.get('allow') }).to.deep.equal({ status: 405, allow })
      expect(errors).to.have.length(1)
    }
    expect((await service.client.readTask({ params: { id: taskId } })).status).not.to.equal('Rejected')
  })
})
