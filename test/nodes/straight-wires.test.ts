/** The outputs of an "order from …" node, wired to create task and retract as they are dragged, in a real Node-RED. */
import { expect } from 'chai'
import { anOrder, mdm, type Segments } from '../support/hl7/an-order.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, orderFromHl7, retract } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { orderPdf } from '../support/service/order.ts'

describe('the wires of an order node', function () {
  this.timeout(30_000)
  let red: NodeRed
  let service: HostedService

  before(async () => {
    service = await hostedService()
    red = await aNodeRed()
    const [order, ...probes] = orderFromHl7({ documentTypes: { CMS485: { documentTypeId: 104 } } }, 'order')
    const wired = { ...order!, wires: [['create'], ['retract'], ['order.2']] }
    await red.deploy(flow(service.node(), wired, ...probes, ...createTask({ documentTypeId: '' }), ...retract()))
  })
  after(async () => {
    await red?.stop()
    await service?.stop()
  })

  const order = (id: string, changes: Segments = {}) => {
    const TXA = String(mdm.TXA).replace('DOC-000123', id)
    const OBX = `OBX|1|ED|PDF^Document||^application^pdf^Base64^${orderPdf().toString('base64')}`
    red.inject('order', { payload: Buffer.from(anOrder({ TXA, OBX, ...changes })) })
  }
  const withdrawal = (id: string) => order(id, { MSH: String(mdm.MSH).replace('T02^MDM_T02', 'T11') })

  it('make a task of a new document, which leaves the message, and retract the task', async () => {
    order('NEW-1')
    const created = await red.next('create.0')
    expect(created).to.include({ externalDocId: 'EPIC|NEW-1', duplicate: false, action: 'create' })
    const { document } = created.payload as { document: Record<string, unknown> }
    expect(document).to.include({ documentTypeId: 104 }).and.not.have.property('attachment')
    await service.reaches(created.taskId, 'Pending')

    withdrawal('NEW-1')
    const { taskId } = created
    expect(await red.next('retract.0')).to.include({ taskId, status: 'Retracted', repeated: false })
    expect(await service.statusOf(taskId)).to.equal('Retracted')
    withdrawal('NEW-1')
    expect(await red.next('retract.0')).to.include({ taskId, status: 'Retracted', repeated: true })
  })

  it('say what is wrong with a body by the place in the message that it came from', async () => {
    red.inject('create', { payload: { patient: {}, performers: [], document: {} }, userNPI: 'not read' })
    const { errors } = await red.next('caught')
    expect(errors).to.deep.include(
      'patient.externalId: required; text of 1 to 255 characters (PDF: msg.payload.patient.externalId is empty)',
    )
  })

  const created = async (id: string) => {
    order(id)
    const { taskId } = await red.next('create.0', ({ externalDocId }) => externalDocId === `EPIC|${id}`)
    await service.reaches(taskId, 'Pending')
    return taskId as number
  }

  it('retract the open task of exactly this document, and none of another one', async () => {
    const [one, other] = [await created('OTHER-1'), await created('OTHER-2')]
    red.inject('retract', { externalDocId: 'EPIC|OTHER-' })
    expect(await red.next('retract.1')).to.include({ status: 'Withdrawn' })
    red.inject('retract', { externalDocId: 'EPIC|OTHER-1', taskId: other })
    expect((await red.next('caught')).error).to.include({ code: 'OTHER_DOCUMENT' })
    expect(await service.statusOf(other)).to.equal('Pending')
    red.inject('retract', { externalDocId: 'EPIC|OTHER-1' })
    expect(await red.next('retract.0')).to.include({ taskId: one })
    expect(await service.statusOf(other)).to.equal('Pending')
  })

  it('say that a document was signed before it was taken back', async () => {
    await service.signs(await created('SIGNED-1'))
    withdrawal('SIGNED-1')
    expect((await red.next('caught')).error).to.include({ code: 'ALREADY_SIGNED' })
  })
})
