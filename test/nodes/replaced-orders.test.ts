/** What becomes of MDM^T08 and T10, which bring a document in the place of one that was sent, wired as docs/guides/mapping.md says. */
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { anOrder, mdm } from '../support/hl7/an-order.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, held, orderFromHl7, retract } from '../support/node-red/flow.ts'
import { heldAt } from '../support/node-red/held-bridge.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import type { Seen } from '../support/node-red/watch-probe.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { orderPdf } from '../support/service/order.ts'

const OBX = `OBX|1|ED|PDF^Document||^application^pdf^Base64^${orderPdf().toString('base64')}`

/** What differs goes into held, and what it would replace is taken back. */
function nodes(service: HostedService) {
  const wires: Record<string, string[][]> = {
    order: [['create'], [], []],
    held: [['create', 'held.0'], ['held.1']],
  }
  const map = { documentTypes: { CMS485: { documentTypeId: 104 } } }
  const all = [...orderFromHl7(map, 'order'), ...createTask({ documentTypeId: '' }), ...retract(), ...held()]
  const differs = { property: 'error.code', propertyType: 'msg', rules: [{ t: 'eq', v: 'CONTENT_DIFFERS', vt: 'str' }] }
  const reason = { t: 'set', p: 'held', pt: 'msg', to: '[error.message]', tot: 'jsonata' }
  return flow(
    service.node(),
    ...all.map((node) => ({ ...node, ...(wires[node.id] && { wires: wires[node.id] }) })),
    { id: 'create failed', type: 'catch', scope: ['create'], wires: [['differs', 'create.failed']] },
    { id: 'create.failed', type: 'probe' },
    { id: 'differs', type: 'switch', ...differs, wires: [['why']] },
    {
      id: 'why',
      type: 'change',
      rules: [reason, { t: 'delete', p: 'error', pt: 'msg' }],
      wires: [['held', 'retract']],
    },
  ).map((node) => (node.id === 'catch' ? { ...node, scope: ['retract', 'held'] } : node))
}

describe('a document in the place of one that was sent', function () {
  this.timeout(60_000)
  let red: NodeRed
  let service: HostedService

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
    await red.deploy(nodes(service))
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })
  afterEach(async () => {
    for (const { heldId } of await heldAt(red).rows()) await heldAt(red).post(heldId, 'discard')
  })

  /** A message about a document; another clinical date makes it another content. */
  function sends(id: string, event: 'T02' | 'T07' | 'T08' | 'T10', date = '20260115', parent = '') {
    const MSH = String(mdm.MSH).replace('T02^MDM_T02', event)
    const TXA = `${String(mdm.TXA).replace('DOC-000123', id).replace('20260115', date)}|${parent}`
    red.inject('order', { payload: Buffer.from(anOrder({ MSH, TXA, OBX })) })
  }
  const of = (id: string) => (message: Seen) => message.externalDocId === `EPIC|${id}`
  async function sent(id: string): Promise<number> {
    sends(id, 'T02')
    const { taskId } = await red.next('create.0', of(id), 30_000)
    await service.reaches(taskId, 'Pending')
    return taskId as number
  }
  /** Why the second document is not sent. */
  async function differs(id: string): Promise<string> {
    const { error } = await red.next('create.failed', of(id), 30_000)
    expect(error?.code).to.equal('CONTENT_DIFFERS')
    return error!.message
  }

  /** Resolves with the number under which the second document is held. */
  const heldOne = () =>
    eventually(async () => {
      const rows = await heldAt(red).rows()
      expect(rows).to.have.length(1)
      return rows[0]!.heldId
    })

  it('is sent as a new one, when nothing was sent under its id', async () => {
    sends('FIRST-1', 'T08')
    expect(await red.next('create.0')).to.include({ action: 'replace', duplicate: false })
  })

  it('is the same task, when its content is the same', async () => {
    const taskId = await sent('SAME-1')
    sends('SAME-1', 'T08')
    expect(await red.next('create.0')).to.include({ taskId, duplicate: true })
    expect(await service.statusOf(taskId)).to.equal('Pending')
  })

  it('takes the place of the open one in the inbox of the signer, when it names it as T10 does', async () => {
    const taskId = await sent('PARENT-1')
    sends('PARENT-2', 'T10', '20260116', 'PARENT-1^EPIC')
    const second = await red.next('create.0', of('PARENT-2'), 30_000)
    expect(second).to.deep.include({
      action: 'replace',
      replaced: [{ externalDocId: 'EPIC|PARENT-1', status: 'Retracted' }],
    })
    expect(await service.statusOf(taskId)).to.equal('Retracted')
    await service.reaches(second.taskId, 'Pending')
  })

  for (const event of ['T07', 'T08'] as const)
    it(`is held, and takes the open one out of the inbox of the signer, as ${event}`, async () => {
      const taskId = await sent(`OPEN-${event}`)
      sends(`OPEN-${event}`, event, '20260116')
      expect(await differs(`OPEN-${event}`)).to.contain(`Tasks: ${taskId}`)
      expect(await red.next('retract.0')).to.include({ taskId, status: 'Retracted', repeated: false })
      await service.reaches(taskId, 'Retracted')
      await heldOne()
    })

  it('is created once somebody has given it an id of its own', async () => {
    const first = await sent('REVISED-1')
    sends('REVISED-1', 'T08', '20260116')
    await red.next('retract.0')
    const heldId = await heldOne()
    const text = (await heldAt(red).text(heldId)).replace('EPIC|REVISED-1', 'EPIC|REVISED-1.r2')
    expect(await heldAt(red).post(heldId, 'edit', { text })).to.deep.equal({ status: 200 })
    await heldAt(red).post(heldId, 'resend')
    const { taskId, origin } = await red.next('create.0', of('REVISED-1.r2'))
    expect(taskId).to.not.equal(first)
    // The result names the document as the hospital knows it.
    expect(JSON.stringify(origin)).to.contain('"REVISED-1"')
    await service.reaches(taskId, 'Pending')
    expect(await service.statusOf(first)).to.equal('Retracted')
    // A withdrawal names the first id, and ends what was sent in its place.
    red.inject('retract', { externalDocId: 'EPIC|REVISED-1' })
    expect(await red.next('retract.0')).to.include({ taskId, status: 'Retracted', repeated: false })
    expect(await service.statusOf(taskId)).to.equal('Retracted')
  })

  it('is held beside the signed one, which stays', async () => {
    const taskId = await sent('SIGNED-1')
    await service.signs(taskId)
    sends('SIGNED-1', 'T08', '20260116')
    await differs('SIGNED-1')
    expect((await red.next('caught')).error).to.include({ code: 'ALREADY_SIGNED' })
    expect(await service.statusOf(taskId)).to.equal('Completed')
    await heldOne()
  })

  it('is held after a rejection, and there is nothing to take back', async () => {
    const taskId = await sent('REJECTED-1')
    await service.rejects(taskId, 'Wrong date')
    sends('REJECTED-1', 'T08', '20260116')
    await differs('REJECTED-1')
    expect((await red.next('caught')).error?.code).to.equal('REFUSED')
    expect(await service.statusOf(taskId)).to.equal('Rejected')
    await heldOne()
  })

  it('is held after the first one was taken back', async () => {
    const taskId = await sent('RETRACTED-1')
    red.inject('retract', { externalDocId: 'EPIC|RETRACTED-1' })
    await red.next('retract.0')
    sends('RETRACTED-1', 'T08', '20260116')
    await differs('RETRACTED-1')
    expect(await red.next('retract.0')).to.include({ taskId, repeated: true })
    await heldOne()
  })
})
