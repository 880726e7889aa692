/** The client and the receiver against a host that is not ours, by its profile alone. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Client } from '../../lib/client/client.ts'
import { RefusedError, UnauthorizedError, UnexpectedResponseError } from '../../lib/client/errors.ts'
import { fetchSigned } from '../../lib/client/fetch-signed.ts'
import { ignoredFilters } from '../../lib/client/list/page-facts.ts'
import { listAll, tasksOfDocument } from '../../lib/client/list-all.ts'
import { createOnce } from '../../lib/client/once/create-once.ts'
import { recordOnce } from '../../lib/client/once/record-once.ts'
import { retractOnce } from '../../lib/client/once/retract-once.ts'
import type { StatusEvent } from '../../lib/contract/event.ts'
import type { Task } from '../../lib/contract/task/task.ts'
import { openJournal } from '../../lib/journal/open.ts'
import { parseProfile } from '../../lib/profile/parse-profile.ts'
import { webhookHandler } from '../../lib/webhook/handler.ts'
import { createOnceStore } from '../../lib/webhook/once-store.ts'
import { FOREIGN_KEY, type ForeignHost, foreignHost } from '../support/foreign-host/foreign-host.ts'
import { aClient } from '../support/service/a-client.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'

const profile = parseProfile(readFileSync(join(import.meta.dirname, '../support/foreign-host/acme.json'), 'utf8'))
const SMALL = Buffer.from('%PDF-1.4 of the foreign host').toString('base64')

const body = (externalDocId: string) =>
  aCreateBody({ document: { externalDocId, attachment: SMALL, annotations: { type: 'SmartAnnotations' } } })

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (failure: unknown) => failure,
  )

describe('A host that is not ours', () => {
  let host: ForeignHost
  let client: Client

  beforeEach(async () => {
    host = await foreignHost()
    client = aClient({ baseUrl: host.baseUrl, apiKey: FOREIGN_KEY, profile })
  })
  afterEach(() => host.stop())

  const created = async (externalDocId: string) => (await client.createTask({ body: body(externalDocId) })).taskId

  it('answers look-ups with ids of its own, absent and empty fields', async () => {
    await client.checkHealth()
    expect(await client.listDocumentTypes()).to.deep.equal([
      { id: 70_000_000_001, name: 'Order', category: '' },
      { id: 0, name: 'Other', category: '' },
    ])
    const [template] = await client.listTemplates()
    expect(template).to.include({ templateId: 4_000_000_001, summary: '', pdfRequired: true, isCustomTemplate: false })
    const provider = await client.findProvider({ params: { npi: '9999900019' } })
    expect(provider.signingName).to.equal('Helen Marsh')
    expect(provider.organizations[0]).to.deep.include({ npi: null })
    expect(provider.organizations[0]!.addresses[0]!.postalCode).to.equal('55802')
  })

  it('takes a task through its life', async () => {
    const { taskId, statusReason } = await client.createTask({ body: body('DOC-1') })
    expect(taskId).to.be.greaterThan(2 ** 52)
    expect(statusReason).to.equal(null)
    await host.presents(taskId)
    await host.signs(taskId)
    const { bytes } = await fetchSigned(client, taskId)
    expect(bytes.toString()).to.equal('%PDF-1.4 of the foreign host')
    expect(await recordOnce(client, taskId, { externalSavedDocumentId: 'SAVED-1' })).to.deep.equal({ repeated: false })
    expect((await client.readTask({ params: { id: taskId } })).output?.externalSavedDocumentId).to.equal('SAVED-1')
    const other = await created('DOC-2')
    await host.presents(other)
    expect(await retractOnce(client, other)).to.deep.equal({ repeated: false })
    expect(await retractOnce(client, other)).to.deep.equal({ repeated: true })
  })

  it('answers 401 for a wrong key, and 404 for an unknown id', async () => {
    const stranger = aClient({ baseUrl: host.baseUrl, apiKey: 'acme-wrong-key-0001', profile })
    expect(await failureOf(stranger.listTasks()))
      .to.be.instanceOf(UnauthorizedError)
      .that.includes({ status: 401 })
    const missing = await failureOf(client.retractTask({ params: { id: 7 } }))
    expect(missing).to.be.instanceOf(RefusedError).that.includes({ status: 404 })
  })

  it('is not asked for filters that it does not know; the client applies them and says so', async () => {
    const ids = []
    for (let number = 1; number <= 3; number++) ids.push(await created(`DOC-${number}`))
    await host.presents(ids[1]!)
    const pending = await client.listTasks({ query: { status: 'Pending' } })
    expect(pending.map(({ taskId }) => taskId)).to.deep.equal([ids[1]])
    expect(ignoredFilters(pending)).to.deep.equal(['status'])
    const { query } = host.requests.at(-1)!
    expect(Object.fromEntries(query)).to.deep.equal({ pageNo: '0', perPage: '20' })
  })

  it('pages in its own way, and all pages are seen', async () => {
    for (let number = 1; number <= 45; number++) await created(`DOC-${number}`)
    const pages = listAll(client, {}, { pageSize: 20 })
    const tasks: Task[] = []
    let page = await pages.next()
    for (; !page.done; page = await pages.next()) tasks.push(page.value)
    expect(new Set(tasks.map(({ taskId }) => taskId)).size).to.equal(45)
    expect(page.value).to.deep.equal({ isComplete: true, ignoredFilters: [] })
    const { tasks: found, isComplete } = await tasksOfDocument(client, 'DOC-2')
    expect(found.map(({ externalDocId }) => externalDocId)).to.deep.equal(['DOC-2'])
    expect(isComplete).to.equal(true)
  })

  it('has one task after an answer that was lost', async () => {
    for (let number = 1; number <= 25; number++) await created(`OTHER-${number}`)
    const journal = await openJournal(':memory:', 'creates')
    let losses = 1
    const losing: Pick<Client, 'createTask' | 'listTasks'> = {
      ...client,
      async createTask(...call) {
        const answer = await client.createTask(...call)
        if (losses-- > 0) throw new UnexpectedResponseError('createTask', 201, ['the body is not the expected JSON'])
        return answer
      },
    }
    const sending = createOnce({ client: losing, journal, scope: 'acme', settleMs: 30 })
    const { adopted, taskId } = await sending.createTask(body('DOC-1'))
    expect(adopted).to.equal(true)
    expect(host.records.tasks.get(taskId)?.externalDocId).to.equal('DOC-1')
    expect([...host.records.tasks.values()].filter(({ externalDocId }) => externalDocId === 'DOC-1')).to.have.lengthOf(
      1,
    )
  })

  describe('that calls back', () => {
    let server: Server
    let url: string
    let events: StatusEvent[]
    let errors: unknown[]

    const receives = async (secrets: () => string[], options: object = { profile }) => {
      const store = createOnceStore(await openJournal(':memory:', 'events'))
      const onEvent = (event: StatusEvent) => void events.push(event)
      const onError = (error: unknown) => void errors.push(error)
      server = createServer(webhookHandler({ secrets, store, onEvent, onError, ...options })).listen(0, '127.0.0.1')
      await once(server, 'listening')
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`
    }
    beforeEach(() => {
      events = []
      errors = []
    })
    afterEach(() => server.close())

    it('is believed, with its header names, milliseconds and text as the key', async () => {
      const secrets: string[] = []
      await receives(() => secrets)
      secrets.push((await client.createSubscription({ body: { url } })).secret)
      expect((await client.listSubscriptions())[0]).to.include({ url, isActive: true })
      const taskId = await created('DOC-1')
      expect(await host.rejects(taskId, 'Not mine')).to.deep.equal([200])
      expect(events[0]).to.include({ taskId, status: 'Rejected', statusReason: 'Not mine' })
    })

    it('is refused without its profile', async () => {
      const secrets: string[] = []
      await receives(() => secrets, {})
      secrets.push((await client.createSubscription({ body: { url } })).secret)
      expect(await host.presents(await created('DOC-1'))).to.not.include(200)
      expect(events).to.deep.equal([])
      expect(errors).to.have.lengthOf(1)
    })
  })
})
