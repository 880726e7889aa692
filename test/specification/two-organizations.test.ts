/**
 * spec: Authentication. Every operation of the table is tried with every id of another organization: status, body and headers
 * must be those of an id that nobody has. A row added to the table without a word here fails.
 */
import { expect } from 'chai'
import { type Operation, type OperationName, operations } from '../../lib/contract/operations.ts'
import { aCreateBody, SIGNER } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const NOBODYS = 999_999

describe('Two organizations', () => {
  let service: TestService
  /** Ids of the other organization, of each kind and in each status. */
  const foreign: Record<'task' | 'subscription' | 'document', Set<number>> = {
    task: new Set(),
    subscription: new Set(),
    document: new Set(),
  }
  const externalDocId = 'THEIRS|DOC-1'
  const savedId = 'THEIRS-SAVED-1'

  before(async () => {
    service = await aService()
    const { other, otherKey } = service
    const make = async (signer: string = SIGNER.calder) => {
      const body = aCreateBody({ performer: { signer: { userNPI: signer } }, document: { externalDocId } })
      const { taskId } = await other.createTask({ body })
      foreign.task.add(taskId)
      const task = await service.reaches(taskId, signer === SIGNER.unknown ? 'Failed' : 'Pending', otherKey)
      if (task.documentId) foreign.document.add(task.documentId)
      return taskId
    }
    await make(SIGNER.unknown)
    await make()
    await service.signs(await make(), otherKey)
    const retracted = await make()
    await other.retractTask({ params: { id: retracted } })
    await other.updateTask({ params: { id: retracted }, query: { externalSavedDocumentId: savedId } })
    for (const url of ['https://one.example.org', 'https://two.example.org'])
      foreign.subscription.add((await other.createSubscription({ body: { url } })).id)
  })
  after(() => service.stop())

  /** What a call with an id shows, the id itself left out. */
  async function shown(method: string, path: string, id: number, body?: unknown) {
    const answer = await service.ask(method, path.replace(':id', String(id)), { body })
    const headers = Object.fromEntries(
      [...answer.headers].filter(
        ([name]) => !['date', 'x-service-time', 'x-request-id', 'content-length'].includes(name),
      ),
    )
    return { status: answer.status, headers, text: answer.text.replaceAll(String(id), 'ID') }
  }

  async function cannotBeTold(method: string, path: string, body?: unknown) {
    const unknown = await shown(method, path, NOBODYS, body)
    expect(unknown.status).to.be.within(400, 409)
    const all = [...foreign.task, ...foreign.subscription, ...foreign.document]
    for (const id of all) expect(await shown(method, path, id, body), `${method} ${path} ${id}`).to.deep.equal(unknown)
  }

  /** What else each operation needs, so that only the id is wrong. */
  const QUERY: Partial<Record<OperationName, string>> = { updateTask: '?externalSavedDocumentId=MINE-1' }
  const BODY: Partial<Record<OperationName, unknown>> = { updateSubscription: { active: false } }

  const rows = Object.entries(operations as Record<string, Operation>) as [OperationName, Operation][]
  for (const [name, { method, path }] of rows.filter(([, row]) => row.path.includes(':id')))
    it(`${name}: an id of the other organization is as an unknown one`, () =>
      cannotBeTold(method.toUpperCase(), path + (QUERY[name] ?? ''), BODY[name]))

  for (const verb of ['sign', 'reject'])
    it(`the control plane, ${verb}: an id of the other organization is as an unknown one`, () =>
      cannotBeTold('POST', `/sandbox/v1/tasks/:id/${verb}`, {}))

  /** Rows without an id: what they show of the other organization, which is nothing. */
  const WITHOUT_ID: Partial<Record<OperationName, () => Promise<unknown>>> = {
    listTemplates: async () => {
      const mine = await service.client.listTemplates()
      expect(mine.map(({ templateId }) => templateId)).not.to.include(211)
    },
    createTask: async () => {
      const create = (templateId: number) =>
        service.ask('POST', operations.createTask.path, {
          body: aCreateBody({ document: { annotations: { type: 'Template', templateId } } }),
        })
      const [theirs, nobodys] = [await create(211), await create(NOBODYS)]
      expect(theirs.status).to.equal(400)
      expect(theirs.text).to.equal(nobodys.text)
    },
    listTasks: async () => {
      const filters = ['', `externalDocId=${externalDocId}`, `externalSavedDocumentIds=${savedId}`, 'status=Pending']
      for (const filter of [...filters, 'isArchived=false', `before=${Math.max(...foreign.task) + 1}`]) {
        const { body } = await service.ask('GET', `${operations.listTasks.path}?${filter}`)
        expect(body, filter).to.deep.equal([])
      }
    },
    createSubscription: async () => {
      const { id } = await service.client.createSubscription({ body: { url: 'https://one.example.org' } })
      await service.client.deleteSubscription({ params: { id } })
    },
    listSubscriptions: async () => expect(await service.client.listSubscriptions()).to.deep.equal([]),
  }
  /** Rows that show every sender the same. */
  const SHARED: readonly OperationName[] = ['checkHealth', 'listDocumentTypes', 'findProvider']

  for (const [name] of rows.filter(([, row]) => !row.path.includes(':id')))
    it(`${name}: ${SHARED.includes(name) ? 'the same for every sender' : 'nothing of the other organization'}`, async () => {
      if (!SHARED.includes(name)) return void (await WITHOUT_ID[name]!())
      const path = operations[name].path.replace(':npi', SIGNER.marsh)
      const [mine, theirs] = [await service.ask('GET', path), await service.ask('GET', path, { key: service.otherKey })]
      expect(mine.text).to.equal(theirs.text)
    })

  it('and after all that, everything of the other organization is as it was', async () => {
    const tasks = await service.other.listTasks()
    expect(tasks.map(({ status }) => status)).to.deep.equal(['Retracted', 'Completed', 'Pending', 'Failed'])
    const subscriptions = await service.other.listSubscriptions()
    expect(subscriptions.map(({ isActive }) => isActive)).to.deep.equal([true, true])
    expect((await service.other.listTasks({ query: { externalSavedDocumentIds: [savedId] } })).length).to.equal(1)
  })
})
