/** The nodes on a host that is not ours, and on the embedded service that speaks as it does, in a real Node-RED. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { FOREIGN_KEY, type ForeignHost, foreignHost } from '../support/foreign-host/foreign-host.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import {
  createTask,
  download,
  embedded,
  flow,
  host,
  list,
  preview,
  read,
  reconcile,
  record,
  webhookIn,
} from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { anOrder, orderPdf, SIGNER } from '../support/service/order.ts'

const ACME = readFileSync(join(import.meta.dirname, '../support/foreign-host/acme.json'), 'utf8')

/** Measured from the bottom left of a page of 792 points. */
const annotations = [{ type: 'VisibleSignature', pageNumber: 1, left: 72, top: 192, right: 252, bottom: 156 }]

describe('the nodes and the profile of a host', function () {
  this.timeout(60_000)
  let red: NodeRed
  let foreign: ForeignHost

  before(async () => {
    foreign = await foreignHost()
    red = await aNodeRed()
  })
  after(async () => {
    await red?.stop()
    await foreign?.stop()
  })

  const atForeign = (profile = ACME) =>
    host(foreign.baseUrl, { credentials: { apiKey: FOREIGN_KEY }, timeout: '10', profile })
  const changed = (change: object) => JSON.stringify({ ...JSON.parse(ACME), ...change })
  const created = async (order: ReturnType<typeof anOrder>) => {
    red.inject('create', { ...order, annotations })
    return red.next('create.0', ({ externalDocId }) => externalDocId === order.externalDocId)
  }

  it('take a flow from one host to the other and back by one setting', async () => {
    const events = webhookIn({ publicUrl: red.nodeUrl('countersign/events') })
    const steps = [...createTask({ placement: 'Json' }), ...download(), ...record(), ...read(), ...events]
    for (const [at, service] of [atForeign(), embedded({ profile: ACME }), atForeign()].entries()) {
      await red.deploy(flow(service, ...steps))
      await red.statusOf('webhook', 'listening')
      const { taskId, warnings } = await created(anOrder(SIGNER.signs, { externalDocId: `${'D'.repeat(300)}-${at}` }))
      expect(warnings).to.deep.equal([])
      if (service.mode === 'host') await foreign.signs(taskId as number)
      const isCompleted = (message: Record<string, unknown>) =>
        message.taskId === taskId && message.status === 'Completed'
      await red.next('webhook.0', isCompleted)
      red.inject('download', { taskId })
      expect(await red.next('download.0')).to.include({ taskId, status: 'Completed' })
      red.inject('record', { taskId, savedId: `SAVED-${at}` })
      expect(await red.next('record.0')).to.include({ taskId, repeated: false })
      red.inject('read', { taskId })
      const { payload } = await red.next('read.0')
      expect((payload as { output: object }).output).to.include({ externalSavedDocumentId: `SAVED-${at}` })
    }
    expect(red.waiting('caught')).to.deep.equal([])
  })

  it('send what only our own service would refuse, and warn', async () => {
    await red.deploy(flow(atForeign(), ...createTask({ placement: 'Json', orgNPI: 'orgNPI' })))
    const externalDocId = 'D'.repeat(1200)
    const { warnings } = await created(anOrder(SIGNER.signs, { externalDocId, orgNPI: '999990102' }))
    expect(warnings).to.deep.equal([
      'document.externalDocId: text of 1 to 1000 characters (Document ID: from msg.externalDocId)',
    ])
    const sent = [...foreign.records.tasks.values()].at(-1)!
    expect(sent.externalDocId).to.equal(externalDocId)
    expect(sent.body.performers).to.deep.equal([
      { signer: { userNPI: SIGNER.signs }, organization: { orgNPI: '999990102' } },
    ])
  })

  it('send nothing where the profile makes that an error, nor against what the interface states', async () => {
    const before = foreign.records.tasks.size
    await red.deploy(flow(atForeign(changed({ checks: { lengths: 'error' } })), ...createTask({ placement: 'Json' })))
    red.inject('create', { ...anOrder(SIGNER.signs, { externalDocId: 'D'.repeat(1200) }), annotations })
    const long = await red.next('caught')
    expect(long.errors).to.deep.equal([
      'document.externalDocId: text of 1 to 1000 characters (Document ID: from msg.externalDocId)',
    ])
    red.inject('create', { ...anOrder('12345'), annotations })
    expect((await red.next('caught')).errors).to.deep.equal([
      'performers[0].signer.userNPI: exactly 10 digits (Signer NPI: from msg.userNPI)',
    ])
    expect(foreign.records.tasks.size).to.equal(before)
  })

  it('apply the filters that the host ignores, and say so', async () => {
    await red.deploy(flow(atForeign(), ...createTask({ placement: 'Json' }), ...list()))
    const { taskId, externalDocId } = await created(anOrder())
    await created(anOrder())
    red.inject('list', { externalDocId })
    const { payload, isComplete, ignoredFilters } = await red.next('list.0')
    expect((payload as { taskId: number }[]).map((task) => task.taskId)).to.deep.equal([taskId])
    expect({ isComplete, ignoredFilters }).to.deep.equal({ isComplete: true, ignoredFilters: ['externalDocId'] })
  })

  it('reconcile with a host that ignores filters, page after page', async () => {
    await red.deploy(flow(atForeign(), ...createTask({ placement: 'Json' }), ...record(), ...reconcile()))
    const [signed, rejected, saved] = [await created(anOrder()), await created(anOrder()), await created(anOrder())]
    // Those above are no longer on its first page.
    for (let other = 0; other < 40; other += 1)
      foreign.records.create({ document: { attachment: orderPdf().toString('base64'), annotations: {} } })
    await foreign.signs(signed.taskId as number)
    await foreign.rejects(rejected.taskId as number, 'Not my patient')
    await foreign.signs(saved.taskId as number)
    red.inject('record', { taskId: saved.taskId, savedId: 'SAVED-THERE' })
    await red.next('record.0')
    const isOfThis = ({ taskId }: Record<string, unknown>) => (taskId as number) >= (signed.taskId as number)
    for (const look of [1, 2]) red.inject('reconcile', { look })
    for (const _ of [1, 2]) await red.next('completed', ({ look }) => look !== undefined)
    expect(
      red
        .waiting('reconcile.0')
        .filter(isOfThis)
        .map(({ taskId }) => taskId),
    ).to.deep.equal([signed.taskId])
    expect(
      red
        .waiting('reconcile.1')
        .filter(isOfThis)
        .map(({ taskId }) => taskId),
    ).to.deep.equal([rejected.taskId])
    expect(red.log.join('')).to.not.contain('did not list all')
  })

  it('preview with the origin and the tokens of the host', async () => {
    const [node, ...probes] = preview({ placement: 'Json', annotationSource: 'value' })
    await red.deploy(flow(atForeign(), { ...node!, service: 'service' }, ...probes))
    red.inject('preview', { payload: orderPdf(), annotations })
    const { fields } = await red.next('preview.0')
    expect((fields as { box: object }[])[0]!.box).to.deep.equal({ left: 72, top: 600, right: 252, bottom: 636 })
    const [smart, ...others] = preview({ placement: 'SmartAnnotations' })
    await red.deploy(flow(atForeign(), { ...smart!, service: 'service' }, ...others))
    red.inject('preview', { payload: orderPdf() })
    expect((await red.next('caught')).errors).to.match(/none of the tokens \{ACME-signature-owner1\}/)
  })

  it('are red with a profile that is wrong, and say what is', async () => {
    await red.deploy(flow(atForeign('{ "tokenprefix": "ACME" }'), ...createTask()))
    await red.statusOf('create', 'invalid profile')
    red.inject('create', anOrder())
    const { error } = await red.next('caught')
    expect(error).to.have.property('code', 'BAD_PROFILE')
    expect(error).to.have.property('message').that.includes('tokenprefix: there is no such value')
  })
})
