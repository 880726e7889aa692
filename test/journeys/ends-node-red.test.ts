/**
 * Messages that end the process while a flow handles them, in a real Node-RED: after two ends each is set aside, where a person resends,
 * corrects or discards it; the messages around it come through. Stops, and kills of innocent messages, set nothing aside.
 */
import { rmSync } from 'node:fs'
import { expect } from 'chai'
import type { OrphanList } from '../../nodes/shared/orphans/act.ts'
import { openBrowser } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { aMessage, aSender } from '../support/hl7/mllp-peers.ts'
import { freePort } from '../support/network/free-port.ts'
import { openEditor } from '../support/node-red/editor.ts'
import {
  accept,
  createTask,
  done,
  embedded,
  flow,
  held,
  mllpIn,
  overdue,
  probe,
  read,
  reconcile,
  signer,
  wait,
  webhookIn,
} from '../support/node-red/flow.ts'
import { bridge, heldAt } from '../support/node-red/held-bridge.ts'
import { type FlowNode, type NodeRed, prepareUserDir, startNodeRed } from '../support/node-red/node-red.ts'
import { anOrder } from '../support/service/order.ts'

const ENDED_WORDS = 'Node-RED ended repeatedly while this message was being processed.'
const ENDED = new RegExp(`^${ENDED_WORDS}`)

/** Ends the process when a message says so: at once, as one does that needs more memory than there is, or by occupying it until a watchdog kills it. */
const kills: FlowNode = {
  id: 'kills',
  type: 'function',
  func: `
    const text = [msg.payload, msg.externalDocId].map(String).join()
    if (text.includes('POISON-LOOP')) {
      watchdog.spawn(process.execPath, ['-e', 'process.kill(' + process.pid + ', "SIGKILL")'])
      for (;;);
    }
    if (text.includes('POISON-EXIT')) process.exit(1)
    if (text.includes('POISON')) process.kill(process.pid, 'SIGKILL')
    return msg`,
  libs: [
    { var: 'process', module: 'process' },
    { var: 'watchdog', module: 'child_process' },
  ],
  outputs: 1,
  wires: [['came']],
}
/** Wires a node to the function that may end the process. */
const toKills = (nodes: FlowNode[], id: string): FlowNode[] =>
  nodes.map((node) => (node.id === id ? { ...node, wires: [['kills'], ...(node.wires as string[][]).slice(1)] } : node))

describe('A message that ends Node-RED', function () {
  this.timeout(180_000)
  let userDir: string
  let port: number
  let mllpPort: number
  let red: NodeRed | undefined

  beforeEach(async () => {
    userDir = prepareUserDir()
    port = await freePort()
    mllpPort = await freePort()
  })
  afterEach(async () => {
    await red?.stop({ keep: true })
    rmSync(userDir, { recursive: true, force: true })
  })

  async function start(): Promise<NodeRed> {
    red = await startNodeRed({ userDir, port })
    return red
  }
  async function started(...nodes: FlowNode[]): Promise<NodeRed> {
    const running = await start()
    await running.deploy(flow(embedded(), ...nodes, kills, probe('came'), ...done()))
    return running
  }
  const ends = (running: NodeRed | undefined) =>
    eventually(() => expect(running?.isRunning() ?? false).to.equal(false), 60_000)
  /** A start that a message ends, before or after the first request is answered. */
  const startsAndEnds = async () => {
    red = undefined
    await ends(await startNodeRed({ userDir, port }).catch(() => undefined))
  }
  const rowsOf = (running: NodeRed, count: number) =>
    eventually(async () => {
      const rows = await heldAt(running).rows()
      expect(rows).to.have.length(count)
      return rows
    })
  const came = (running: NodeRed, id: string) =>
    running.next(
      'came',
      ({ controlId, payload, externalDocId }) => [controlId, payload, externalDocId].includes(id),
      60_000,
    )

  /** As a person discards it, in the sidebar of the editor. */
  async function discarded(running: NodeRed, heldId: number): Promise<void> {
    const browser = await openBrowser()
    try {
      const { page, shootBoth } = await openEditor(browser, running)
      await page.evaluate(`RED.sidebar.show('countersign-signatures')`)
      const part = page.locator('.countersign-sidebar details', { hasText: /^Held / })
      const row = part.locator('.countersign-task').filter({ hasText: `Message ${heldId}` })
      // A click while the tab slides in may miss.
      await eventually(async () => {
        if ((await part.getAttribute('open')) === null) await part.locator('summary').click()
        expect(await row.filter({ hasText: ENDED_WORDS }).isVisible()).to.equal(true)
      })
      await row.scrollIntoViewIfNeeded()
      await shootBoth('sidebar-set-aside')
      await row.getByRole('button', { name: `Discard, message ${heldId}` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
      await row.waitFor({ state: 'detached' })
    } finally {
      await browser.close()
    }
  }

  it('over MLLP is set aside, and those around it and after it come through', async () => {
    const first = await started(...toKills(mllpIn(mllpPort), 'in'))
    await first.statusOf('in', /^listening/)
    const sender = aSender(mllpPort)
    for (const id of ['I1', 'I2']) expect(await sender.send(aMessage(id))).to.include({ code: 'AA' })
    for (const id of ['I1', 'I2']) await came(first, id)
    void sender.send(aMessage('POISON')).catch(() => {})
    await ends(first)
    sender.close()
    await startsAndEnds()
    const running = await start()
    await running.statusOf('in', new RegExp(`^1 held on ${mllpPort}`))
    const [row] = await rowsOf(running, 1)
    expect(row).to.include({ controlId: 'POISON', messageType: 'ADT^A08', canBeOpened: true, resentAt: null })
    expect(row!.reasons).to.have.length(1)
    expect(row!.reasons[0]).to.match(ENDED)
    const next = aSender(mllpPort)
    expect(await next.send(aMessage('NEW'))).to.include({ code: 'AA' })
    for (const id of ['I1', 'I2', 'NEW']) running.inject('done', await came(running, id))
    next.close()

    // Resent as it is, it ends Node-RED again, and comes back.
    await heldAt(running, 'in')
      .post(row!.heldId, 'resend')
      .catch(() => {})
    await ends(running)
    await startsAndEnds()
    const again = await start()
    const [held] = await rowsOf(again, 1)
    expect(held!.reasons[0]).to.match(ENDED)
    // Corrected and resent, it goes through the flow like any other.
    const desk = heldAt(again, 'in')
    const text = await desk.text(held!.heldId)
    expect(await desk.post(held!.heldId, 'edit', { text: text.replace('POISON', 'CURED') })).to.include({ status: 200 })
    expect(await desk.post(held!.heldId, 'resend')).to.include({ status: 200 })
    const cured = await again.next('came', ({ payload }) => String(payload).includes('CURED'))
    again.inject('done', cured)
    await rowsOf(again, 0)
    await again.statusOf('in', /^listening/)
  })

  it('at accept message is set aside, and can be discarded', async () => {
    const first = await started(...toKills(accept(), 'accept'))
    await first.statusOf('accept', '0 received')
    first.inject('accept', { payload: 'innocent' })
    await came(first, 'innocent')
    first.inject('accept', { payload: 'POISON' })
    await ends(first)
    await startsAndEnds()
    const running = await start()
    await running.statusOf('accept', '1 set aside')
    const [row] = await rowsOf(running, 1)
    expect(row!.reasons[0]).to.match(ENDED)
    running.inject('done', await came(running, 'innocent'))
    running.inject('accept', { payload: 'new' })
    await came(running, 'new')
    await discarded(running, row!.heldId)
    await running.statusOf('accept', '1 received')
    expect(await heldAt(running).rows()).to.deep.equal([])
  })

  it('that a person has resent is held again, with its reasons', async () => {
    const first = await started(...toKills(held(), 'held'))
    for (const payload of ['innocent', 'POISON']) first.inject('held', { payload, held: ['unusable'] })
    await first.statusOf('held', '2 held')
    for (const { heldId } of (await rowsOf(first, 2)).toReversed())
      await heldAt(first)
        .post(heldId, 'resend')
        .catch(() => {})
    await ends(first)
    await startsAndEnds()
    const running = await start()
    running.inject('done', await came(running, 'innocent'))
    const [row] = await rowsOf(running, 1)
    expect(row!.resentAt).to.equal(null)
    expect(row!.reasons).to.have.length(2)
    expect(row!.reasons[0]).to.equal('unusable')
    expect(row!.reasons[1]).to.match(ENDED)
  })

  it('after create task has sent it is set aside, and its task is there once', async () => {
    const first = await started(...toKills(createTask(), 'create'))
    const order = (externalDocId: string) => ({ ...anOrder(), externalDocId })
    first.inject('create', order('I1'))
    await came(first, 'I1')
    first.inject('create', order('POISON'))
    await ends(first)
    await startsAndEnds()
    const running = await start()
    await running.statusOf('create', '1 set aside')
    const [row] = await rowsOf(running, 1)
    expect(row!.reasons[0]).to.match(ENDED)
    await came(running, 'I1')
    running.inject('create', order('NEW'))
    expect(await came(running, 'NEW')).to.include({ duplicate: false })
    // When the node is deleted, what it has set aside can be adopted.
    await running.deploy(flow(embedded(), ...held()))
    const orphans = running.adminUrl('countersign/services/service/orphans')
    const { rows } = (await (await fetch(orphans)).json()) as OrphanList
    const orphan = rows.find(({ kind }) => kind === 'held')
    expect(orphan).to.include({ nodeId: 'create', count: 1 })
    const body = JSON.stringify({ id: orphan!.id, action: 'adopt', nodeId: 'held' })
    const answer = await fetch(orphans, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect(answer.status).to.equal(200)
    const [adopted] = await rowsOf(running, 1)
    expect(adopted).to.include({ canBeOpened: true })
    expect(adopted!.reasons).to.deep.equal(row!.reasons)
  })

  const setTaskAside = async (running: NodeRed, id: string) => {
    const [row] = await rowsOf(running, 1)
    expect(row!.reasons).to.have.length(1)
    expect(row!.reasons[0]).to.match(ENDED)
    await running.statusOf(id, /^1 set aside/)
    return row!
  }
  const pendingTask = async (running: NodeRed, externalDocId: string): Promise<number> => {
    running.inject('create', { ...anOrder(), externalDocId })
    const { taskId } = await running.next('create.0', (message) => message.externalDocId === externalDocId)
    await eventually(async () => {
      running.inject('read', { taskId })
      expect(await running.next('read.0')).to.include({ taskId, status: 'Pending' })
    })
    return taskId as number
  }
  /** Create task counts nothing, because all that it sends would be sent again after each end, too. */
  const tasks = () => [...createTask({ keep: false }), ...read(), ...signer()]

  /** How each node sends the outcome of a signed task, and how the flow ends the process that handles it. */
  for (const [id, { nodes, end }] of Object.entries({
    wait: { nodes: () => wait({ redelivery: 'acknowledged' }), end: 'POISON' },
    'wait-once': { nodes: () => wait({ redelivery: 'once' }, 'wait-once'), end: 'POISON' },
    reconcile: { nodes: () => reconcile({ interval: '0.02', repeat: '0' }), end: 'POISON-EXIT' },
    webhook: { nodes: () => webhookIn({ statuses: ['Completed'] }), end: 'POISON-LOOP' },
  })) {
    it(`as an outcome is set aside at the node ${id}, and others come through`, async () => {
      const sign = async (running: NodeRed, externalDocId: string) => {
        const taskId = await pendingTask(running, externalDocId)
        if (id.startsWith('wait')) running.inject(id, { taskId, externalDocId, mrn: `MRN of ${externalDocId}` })
        running.inject('signer', { taskId })
        return taskId
      }
      const first = await started(...tasks(), ...toKills(nodes(), id))
      const taskId = await sign(first, end)
      await ends(first)
      await startsAndEnds()
      const running = await start()
      const { heldId } = await setTaskAside(running, id)
      await sign(running, 'NEW')
      running.inject('done', await came(running, 'NEW'))
      await running.stop({ keep: true })

      // It is neither sent again nor held again, and ends no further start.
      const later = await start()
      expect(await setTaskAside(later, id)).to.include({ heldId })
      await sign(later, 'LATER')
      later.inject('done', await came(later, 'LATER'))

      // Resent as it is, it ends Node-RED again, and comes back.
      await heldAt(later, id)
        .post(heldId, 'resend')
        .catch(() => {})
      await ends(later)
      await startsAndEnds()
      const again = await start()
      await setTaskAside(again, id)
      // In a flow that can handle it, it comes through whole.
      await again.deploy(
        flow(embedded(), ...tasks(), ...toKills(nodes(), id), probe('kills'), probe('came'), ...done()),
      )
      expect(await heldAt(again, id).post(heldId, 'resend')).to.include({ status: 200 })
      const sent = await again.next('kills', (message) => message.taskId === taskId)
      expect(sent).to.include({ externalDocId: end, status: 'Completed' })
      if (id.startsWith('wait')) expect(sent).to.include({ mrn: `MRN of ${end}` })
      again.inject('done', sent)
      await rowsOf(again, 0)
    })
  }

  it('as a reminder is set aside at the node overdue, and others come through', async () => {
    const reminders = overdue({ afterDays: '0', interval: '0.02', redelivery: 'acknowledged' })
    const first = await started(...tasks(), ...toKills(reminders, 'overdue'))
    first.inject('create', { ...anOrder(), externalDocId: 'POISON' })
    await ends(first)
    await startsAndEnds()
    const running = await start()
    await setTaskAside(running, 'overdue')
    running.inject('create', { ...anOrder(), externalDocId: 'NEW' })
    running.inject('done', await came(running, 'NEW'))
    await running.statusOf('done', 'acknowledged')
  })

  it('as an error of the node wait is set aside, and given to Catch nodes again when it is resent', async () => {
    const caughtToKills = { id: 'catch-wait', type: 'catch', scope: ['wait'], wires: [['kills']] }
    const first = await started(...tasks(), ...wait(), caughtToKills)
    const taskId = await pendingTask(first, 'ANOTHER')
    first.inject('wait', { taskId, externalDocId: 'POISON' })
    first.inject('signer', { taskId })
    await ends(first)
    await startsAndEnds()
    const running = await start()
    const { heldId } = await setTaskAside(running, 'wait')
    const cured = { ...kills, func: 'return msg' }
    await running.deploy(flow(embedded(), ...tasks(), ...wait(), caughtToKills, cured, probe('came'), ...done()))
    expect(await heldAt(running, 'wait').post(heldId, 'resend')).to.include({ status: 200 })
    const caught = await came(running, 'POISON')
    expect(caught.error).to.include({ code: 'OTHER_DOCUMENT' })
    expect(caught.errors).to.deep.equal([caught.error!.message])
    running.inject('done', { ...caught, taskId: undefined })
    await rowsOf(running, 0)
  })

  it('is not one of 24 MB of separators: it is answered, and held after a restart, too', async () => {
    const running = await start()
    await running.deploy(bridge(embedded(), mllpPort))
    const [head, end] = ['MSH|^~\\&|A|B|C|D|20260101||MDM^T02|LARGE|P|2.5\rOBX|1|TX|1||', '\r']
    const sender = aSender(mllpPort)
    const message = Buffer.concat([Buffer.from(head), Buffer.alloc(24 * 1024 * 1024, '~'), Buffer.from(end)])
    await running.statusOf('in', /^listening/)
    const answer = await sender.send(message)
    expect(answer).to.include({ code: 'AA', controlId: 'LARGE' })
    await sender.close()
    await rowsOf(running, 1)
    await running.stop({ keep: true })
    expect((await rowsOf(await start(), 1))[0]).to.include({ controlId: 'LARGE' })
  })

  it('is not what ten stops and starts make of messages that wait', async () => {
    const first = await started(...toKills(mllpIn(mllpPort), 'in'), ...held())
    await first.statusOf('in', /^listening/)
    const sender = aSender(mllpPort)
    for (const id of ['I1', 'I2']) expect(await sender.send(aMessage(id))).to.include({ code: 'AA' })
    for (const id of ['I1', 'I2']) await came(first, id)
    sender.close()
    await first.stop({ keep: true })
    for (let starts = 0; starts < 10; starts += 1) {
      const running = await start()
      for (const id of ['I1', 'I2']) await came(running, id)
      await running.statusOf('in', /^listening/)
      expect(await heldAt(running).rows()).to.deep.equal([])
      await running.stop({ keep: true })
    }
  })

  it('is not what kills make of innocent messages, none of which is lost', async () => {
    const first = await started(...toKills(mllpIn(mllpPort), 'in'))
    await first.statusOf('in', /^listening/)
    const ids = ['I1', 'I2', 'I3', 'I4']
    const sender = aSender(mllpPort)
    for (const id of ids) expect(await sender.send(aMessage(id))).to.include({ code: 'AA' })
    sender.close()
    await first.kill()
    for (let kill = 0; kill < 2; kill += 1) {
      const running = await start()
      await running.next('came', () => true, 60_000)
      await running.kill()
    }
    const running = await start()
    // Each of these kills came while one message was alone for the second time.
    const rows = await rowsOf(running, 2)
    for (const { heldId } of rows) await heldAt(running, 'in').post(heldId, 'resend')
    for (const id of ids) running.inject('done', await came(running, id))
    await rowsOf(running, 0)
  })
})
