/** Withdrawals over MLLP in a real Node-RED: at once after the order, before it, and while it is on hold. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { createFrameReader, framed } from '../../lib/hl7/mllp/frames.ts'
import { parseMessage } from '../../lib/hl7/parse-message.ts'
import { valueAt } from '../../lib/hl7/value-at.ts'
import type { MapFileInput } from '../../lib/mapping/map-file.ts'
import type { OrphanList, OrphanRow } from '../../nodes/shared/orphans/act.ts'
import { eventually } from '../support/eventually.ts'
import { anOrder, mdm } from '../support/hl7/an-order.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, flow, held, mllpIn, orderFromHl7, retract } from '../support/node-red/flow.ts'
import { corrected, heldAt } from '../support/node-red/held-bridge.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import type { Seen } from '../support/node-red/watch-probe.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { orderPdf } from '../support/service/order.ts'

const OBX = `OBX|1|ED|PDF^Document||^application^pdf^Base64^${orderPdf().toString('base64')}`
const MAP: MapFileInput = { documentTypes: { CMS485: { documentTypeId: 104 } } }
const TIMES = 50

const TXA = (id: string) => String(mdm.TXA).replace('DOC-000123', id)
const MSH = (id: string, event: string) =>
  String(mdm.MSH).replace('T02^MDM_T02', event).replace('MSG1', `${id}-${event}`)
const order = (id: string, changes: object = {}) => anOrder({ MSH: MSH(id, 'T02'), TXA: TXA(id), OBX, ...changes })
const withdrawal = (id: string) => anOrder({ MSH: MSH(id, 'T11'), TXA: TXA(id), OBX: null })
const unknown = (id: string) => order(id, { TXA: TXA(id).replace('CMS485', 'UNKNOWN') })

describe('a withdrawal over MLLP', function () {
  this.timeout(120_000)
  let red: NodeRed
  let service: HostedService
  let port: number
  let socket: Socket
  const answers: string[] = []

  function nodes(keep = true, map: MapFileInput = MAP): FlowNode[] {
    const wires: Record<string, string[][]> = {
      in: [['order']],
      order: [['create'], ['retract'], ['held']],
      held: [['order'], ['held.1']],
    }
    const all = [
      ...mllpIn(port),
      ...orderFromHl7(map, 'order'),
      ...createTask({ documentTypeId: '', keep }),
      ...retract(),
      ...held(),
    ]
    return flow(service.node(), ...all.map((node) => ({ ...node, ...(wires[node.id] && { wires: wires[node.id] }) })))
  }

  before(async () => {
    port = await freePort()
    service = await hostedService()
    red = await aNodeRed()
    await red.deploy(nodes())
    await red.statusOf('in', /^listening/)
    socket = connect(port, '127.0.0.1')
    const frames = createFrameReader(100_000)
    socket.on('data', (chunk) => {
      for (const frame of frames.take(chunk))
        if (frame.kind === 'message') {
          const answer = parseMessage(frame.bytes)
          answers.push(`${valueAt(answer, 'MSA-1')} ${valueAt(answer, 'MSA-2')}`)
        }
    })
    await once(socket, 'connect')
  })
  after(async () => {
    socket?.destroy()
    await red?.stop()
    await service?.stop()
  })
  afterEach(() => {
    for (const name of ['create.0', 'retract.0', 'retract.1', 'caught']) red.take(name)
  })

  const write = (...messages: Uint8Array[]) => void socket.write(Buffer.concat(messages.map((one) => framed(one))))
  const accepted = (...ids: string[]) =>
    eventually(() => expect(answers).to.include.members(ids.map((id) => `AA ${id}`)))
  const of = (id: string) => (message: Seen) => message.externalDocId === `EPIC|${id}`
  const tasksOf = (id: string) => service.client.listTasks({ query: { externalDocId: `EPIC|${id}` } })
  const url = () => red.adminUrl('countersign/services/service/orphans')
  const rows = async () => ((await (await fetch(url())).json()) as OrphanList).rows
  const rowOf = async (id: string) => (await rows()).find(({ externalDocId }) => externalDocId === `EPIC|${id}`)
  async function decide({ id }: OrphanRow, action: 'send' | 'discard') {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url(), { method: 'POST', headers, body: JSON.stringify({ id, action }) })
    expect(answer.status).to.equal(200)
  }
  /** Resolves with how the order ended: a task, or a row for a person. */
  const endOf = (id: string) =>
    eventually(async () => {
      const row = await rowOf(id)
      if (row) return row.reason
      expect(await tasksOf(id)).to.have.length(1)
      return 'task'
    })

  it(`in one write with its order leaves no open task, ${TIMES} of ${TIMES} times`, async () => {
    const ends: Record<string, number> = {}
    for (let time = 1; time <= TIMES; time++) {
      const id = `AT-ONCE-${time}`
      write(order(id), withdrawal(id))
      await accepted(`${id}-T02`, `${id}-T11`)
      const end = await endOf(id)
      ends[end] = (ends[end] ?? 0) + 1
      if (end === 'task') {
        const { taskId } = await red.next('retract.0', of(id))
        expect(await tasksOf(id)).to.have.length(1)
        expect(await service.statusOf(taskId)).to.equal('Retracted')
      } else {
        expect(await red.next('retract.1', of(id))).to.include({ status: 'Withdrawn' })
        expect(await tasksOf(id)).to.deep.equal([])
      }
    }
    expect((ends.task ?? 0) + (ends.withdrawn ?? 0)).to.equal(TIMES)
    expect(red.take('caught')).to.deep.equal([])
    for (const row of await rows()) await decide(row, 'discard')
  })

  it('that comes first keeps its order from being sent, over a restart too, until a person sends it', async () => {
    write(withdrawal('FIRST'))
    const message = await red.next('retract.1', of('FIRST'))
    expect(message).to.include({ status: 'Withdrawn', action: 'retract' }).and.not.have.property('taskId')
    expect(Date.parse(String(message.withdrawnAt))).to.be.greaterThan(0)
    await red.statusOf('retract', /^withdrawn, unsent/)
    await red.kill()
    red = await aNodeRed({ userDir: red.userDir, port: red.port })
    await red.statusOf('in', /^listening/)
    socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    write(order('FIRST'))
    await red.statusOf('create', /^on hold: withdrawn/)
    expect(await endOf('FIRST')).to.equal('withdrawn')
    expect(red.log.join('')).to.include(String(message.withdrawnAt))
    expect(await tasksOf('FIRST')).to.deep.equal([])
    await decide((await rowOf('FIRST'))!, 'send')
    const { taskId } = await red.next('create.0', of('FIRST'))
    await service.reaches(taskId, 'Pending')
    expect(await rowOf('FIRST')).to.equal(undefined)
  })

  it('of an order on hold keeps it from the inbox after the message is corrected and resent', async () => {
    write(unknown('HELD'))
    const heldId = await eventually(async () => (await heldAt(red).rows())[0]!.heldId)
    write(withdrawal('HELD'))
    await red.next('retract.1', of('HELD'))
    const text = corrected(await heldAt(red).text(heldId))
    expect(await heldAt(red).post(heldId, 'edit', { text })).to.deep.equal({ status: 200 })
    await heldAt(red).post(heldId, 'resend')
    expect(await endOf('HELD')).to.equal('withdrawn')
    expect(await tasksOf('HELD')).to.deep.equal([])
    await eventually(async () => expect(await heldAt(red).rows()).to.deep.equal([]))
    await decide((await rowOf('HELD'))!, 'discard')
    expect(await tasksOf('HELD')).to.deep.equal([])
  })

  it('of an order on hold keeps it from the inbox after the map is corrected and the message resent as it came', async () => {
    write(unknown('MAPPED'), unknown('STAYS'))
    const rows = await eventually(async () => {
      const found = await heldAt(red).rows()
      expect(found).to.have.length(2)
      return found
    })
    write(withdrawal('MAPPED'))
    await red.next('retract.1', of('MAPPED'))
    const deployed = async (map: MapFileInput) => {
      socket.destroy()
      await red.deploy(nodes(true, map))
      // The status may be that of the node before this deploy.
      await eventually(async () => {
        socket = connect(port, '127.0.0.1')
        await once(socket, 'connect')
      })
    }
    await deployed({ documentTypes: { CMS485: { documentTypeId: 104 }, UNKNOWN: { documentTypeId: 104 } } })
    for (const { heldId } of rows) expect(await heldAt(red).post(heldId, 'resend')).to.deep.equal({ status: 200 })
    // The map is right now: of two messages alike, the one that nobody withdrew is sent.
    expect(await endOf('STAYS')).to.equal('task')
    expect(await endOf('MAPPED')).to.equal('withdrawn')
    expect(await tasksOf('MAPPED')).to.deep.equal([])
    await eventually(async () => expect(await heldAt(red).rows()).to.deep.equal([]))
    await decide((await rowOf('MAPPED'))!, 'discard')
    expect(await tasksOf('MAPPED')).to.deep.equal([])
    await deployed(MAP)
  })

  it('is part of a replacement, MDM^T10: one task of the two documents is open, whichever message comes first', async () => {
    const replacement = (id: string, old: string) =>
      order(id, { MSH: MSH(id, 'T10^MDM_T02'), TXA: `${TXA(id)}|${old}^EPIC` })
    write(order('D-1'))
    const first = await red.next('create.0', of('D-1'))
    await service.reaches(first.taskId, 'Pending')
    write(replacement('D-2', 'D-1'))
    const second = await red.next('create.0', of('D-2'))
    expect(second).to.deep.include({ replaced: [{ externalDocId: 'EPIC|D-1', status: 'Retracted' }] })
    await service.reaches(second.taskId, 'Pending')
    expect(await service.statusOf(first.taskId)).to.equal('Retracted')
    // The document that it replaces is on hold, and comes after it.
    write(unknown('D-3'))
    const heldId = await eventually(async () => (await heldAt(red).rows())[0]!.heldId)
    write(replacement('D-4', 'D-3'))
    const fourth = await red.next('create.0', of('D-4'))
    expect(fourth).to.deep.include({ replaced: [{ externalDocId: 'EPIC|D-3', status: null }] })
    await heldAt(red).post(heldId, 'edit', { text: corrected(await heldAt(red).text(heldId)) })
    await heldAt(red).post(heldId, 'resend')
    expect(await endOf('D-3')).to.equal('withdrawn')
    expect(await tasksOf('D-3')).to.deep.equal([])
    // Both messages in one write.
    write(order('D-5'), replacement('D-6', 'D-5'))
    const sixth = await red.next('create.0', of('D-6'))
    await service.reaches(sixth.taskId, 'Pending')
    if ((await endOf('D-5')) === 'task') expect((await tasksOf('D-5'))[0]!.status).to.equal('Retracted')
    for (const row of await rows()) await decide(row, 'discard')
  })

  it('leaves an order to Catch once, and is not repeated, where the node keeps no orders', async () => {
    await red.deploy(nodes(false))
    await red.statusOf('in', /^listening/)
    socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    write(withdrawal('CATCH'))
    await red.next('retract.1', of('CATCH'))
    write(order('CATCH'))
    const { error, intake } = await red.next('caught', of('CATCH'))
    expect(error).to.include({ code: 'WITHDRAWN' })
    await red.statusOf('create', /^held/)
    expect(intake).to.be.a('string')
    expect(await tasksOf('CATCH')).to.deep.equal([])
    await red.kill()
    red = await aNodeRed({ userDir: red.userDir, port: red.port })
    // What the flow has not taken over comes again at a start, in the order of its arrival.
    await red.statusOf('in', /^listening/)
    socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    write(order('AFTER'))
    await red.next('create.0', of('AFTER'))
    expect(red.take('caught')).to.deep.equal([])
  })
})
