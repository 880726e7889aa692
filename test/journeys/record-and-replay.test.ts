/** A flow between a real client and a real service is recorded, and ends the same against the recording alone. */
import { readdirSync, readFileSync, watch as watchFolder } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import type { Client } from '../../lib/client/client.ts'
import { RefusedError } from '../../lib/client/errors.ts'
import { fetchSigned } from '../../lib/client/fetch-signed.ts'
import { listAll } from '../../lib/client/list-all.ts'
import { createOnce } from '../../lib/client/once/create-once.ts'
import { recordOnce } from '../../lib/client/once/record-once.ts'
import { retractOnce } from '../../lib/client/once/retract-once.ts'
import type { Outcome } from '../../lib/client/watch/outcome.ts'
import { createWatch } from '../../lib/client/watch/watch.ts'
import type { CreateTask } from '../../lib/contract/task/task.ts'
import { openJournal } from '../../lib/journal/open.ts'
import { aFolder } from '../support/a-folder.ts'
import { CANARY, searched } from '../support/canary.ts'
import { base64, orderPdf } from '../support/pdf/order-pdf.ts'
import { aClient } from '../support/service/a-client.ts'
import { aCreateBody, SIGNER } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { listening, type Served, serve } from '../support/service/served.ts'

const ORGANIZATION = { orgNPI: '9999901033', name: 'Qvx practice', addresses: [{ postalCode: '55777-QVX9' }] }
const RECEIVER = `https://ehr.example.org/${CANARY.webhookPath}`
const JSON_FIELDS: CreateTask['document']['annotations'] = {
  type: 'Json',
  data: [
    { type: 'VisibleSignature', required: true, pageNumber: 1, left: 72, top: 600, right: 252, bottom: 636 },
    { type: 'TextArea', value: CANARY.value, pageNumber: 1, left: 72, top: 500, right: 272, bottom: 540 },
  ],
}

const anOrder = async (externalDocId: string): Promise<CreateTask> =>
  aCreateBody({
    patient: {
      externalId: CANARY.externalId,
      names: [{ use: 'official', family: CANARY.family, given: [CANARY.given] }],
      birthDate: CANARY.birthDate,
      addresses: [{ line: CANARY.line, city: CANARY.city, state: 'MN', postalCode: CANARY.postalCode }],
      identifiers: [
        { authority: 'mrn', value: CANARY.mrn },
        { authority: 'ssn', value: CANARY.ssn },
      ],
      telecoms: [{ system: 'phone', value: CANARY.phone, use: 'home' }],
    },
    performer: { organization: ORGANIZATION },
    document: {
      attachment: base64(await orderPdf({ lines: ['Order', CANARY.documentText], pages: 3 })),
      externalDocId,
      diagnosisCode: CANARY.diagnosisCode,
      annotations: JSON_FIELDS,
    },
  })

/** Everything that the sender's side of a flow does, and what it ends with. `acts` is what the signer does meanwhile. */
async function flow(client: Client, acts: (taskId: number) => Promise<unknown>) {
  const template = (await client.listTemplates())[0]
  const { npi, organizations } = await client.findProvider({ params: { npi: SIGNER.marsh } })
  const { id, url } = await client.createSubscription({ body: { url: RECEIVER, description: CANARY.description } })
  const journal = await openJournal(':memory:', 'creates')
  const creating = createOnce({ client, journal, scope: 'flow' })
  const { taskId } = await creating.createTask(await anOrder(CANARY.externalDocId))
  await acts(taskId)
  const { status } = await outcomeOf(client, taskId)
  const { bytes, task } = await fetchSigned(client, taskId)
  const pageCount = (await PDFDocument.load(bytes)).getPageCount()
  const recorded = await recordOnce(client, taskId, { externalSavedDocumentId: CANARY.savedId })
  const found = await client.listTasks({ query: { externalSavedDocumentIds: [CANARY.savedId] } })
  const second = await creating.createTask(await anOrder(`${CANARY.externalDocId}.2`))
  await waitFor(client, second.taskId, 'Pending')
  const retracted = await retractOnce(client, second.taskId, { reason: CANARY.reason })
  const after = await client.readTask({ params: { id: second.taskId } })
  const listed = await client.listTasks({ query: { externalDocId: `${CANARY.externalDocId}.2` } })
  const pages: number[] = []
  for await (const { taskId: one } of listAll(client, {}, { pageSize: 1 })) pages.push(one)
  const refused = await client.retractTask({ params: { id: taskId } }).catch((failure: unknown) => failure)
  await client.deleteSubscription({ params: { id } })
  return {
    template: template?.templateId,
    provider: { npi, organizations: organizations.length },
    subscription: { id, url },
    created: { taskId, second: second.taskId },
    signed: { status, pageCount, externalDocId: task.externalDocId },
    recorded,
    found: found.map(({ taskId: one, output }) => [one, output?.externalSavedDocumentId]),
    retracted: { ...retracted, status: after.status, statusReason: after.statusReason },
    listed: listed.map(({ taskId: one, externalDocId }) => [one, externalDocId]),
    pages,
    refused: refused instanceof RefusedError && refused.status,
  }
}

async function outcomeOf(client: Client, taskId: number): Promise<Outcome> {
  const journal = await openJournal(':memory:', 'waits')
  return new Promise((resolve) => {
    const onOutcome = (outcome: Outcome) => {
      resolve(outcome)
      void watch.close()
    }
    const watch = createWatch({ client, journal, minDelayMs: 20, onOutcome })
    void watch.add(taskId)
  })
}

async function waitFor(client: Client, taskId: number, wanted: string): Promise<void> {
  while ((await client.readTask({ params: { id: taskId } })).status !== wanted) await pause(50)
}

const textsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (name) => `${name}\n${readFileSync(join(folder, name), 'utf8')}`,
  )

describe('a flow that is recorded', function () {
  this.timeout(120_000)
  const folder = join(aFolder(), 'recording')
  let service: TestService
  let recorder: Served
  let ended: Awaited<ReturnType<typeof flow>>
  const secrets: string[] = []
  /** What stood in its files while they were being written. */
  const glimpses: string[] = []

  before(async () => {
    service = await aService()
    recorder = await listening(['record', '--url', service.baseUrl, '--listen', '0', '--out', folder])
    const watcher = watchFolder(
      folder,
      (_, name) => void glimpses.push(`${name}\n${readFileSync(join(folder, name!), 'utf8')}`),
    )
    const client = aClient({ baseUrl: recorder.baseUrl, apiKey: service.key })
    const spied: Client = {
      ...client,
      async createSubscription(...call) {
        const made = await client.createSubscription(...call)
        secrets.push(made.secret)
        return made
      },
    }
    ended = await flow(spied, async (taskId) => {
      await service.reaches(taskId, 'Pending')
      await service.signs(taskId)
    })
    expect(await recorder.stop()).to.equal(0)
    watcher.close()
    await service.stop()
  })

  it('ended as it does without the recorder', () => {
    expect(ended.signed).to.deep.equal({ status: 'Completed', pageCount: 4, externalDocId: CANARY.externalDocId })
    expect(ended.refused).to.equal(400)
    expect(ended.pages).to.deep.equal([ended.created.second, ended.created.taskId])
    expect(ended.found).to.deep.equal([[ended.created.taskId, CANARY.savedId]])
  })

  it('has nothing private in the folder, at no moment', () => {
    const people = ['Helen', 'Marsh', 'Lakeside', SIGNER.marsh, SIGNER.calder, ORGANIZATION.orgNPI, '55777-QVX9', 'Qvx']
    const keys = [service.key, ...secrets]
    const texts = [...textsIn(folder), ...glimpses]
    expect(glimpses.length).to.be.greaterThan(12)
    for (const text of texts) {
      const has = searched(text)
      for (const value of [...Object.values(CANARY), ...people, ...keys])
        expect(has(value), `${value} in ${text.slice(0, 60)}`).to.equal(false)
    }
  })

  it('is counted, withheld values too', () => {
    const counted = JSON.parse(recorder.lines().at(-1)!)
    expect(counted.exchanges).to.equal(textsIn(folder).length - 1)
    expect(counted.withheld).to.be.greaterThan(50)
    expect(counted.unrecorded).to.equal(0)
  })

  it('ends the same against the recording, with any key', async () => {
    const replayed = await serve(['--replay', folder])
    try {
      const client = aClient({ baseUrl: replayed.baseUrl, apiKey: 'any' })
      expect(await flow(client, async () => {})).to.deep.equal(ended)
      expect(replayed.log()).to.equal('')
    } finally {
      expect(await replayed.stop()).to.equal(0)
    }
  })
})
