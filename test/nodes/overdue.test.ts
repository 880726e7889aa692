/** The overdue node in a real Node-RED, over virtual days: each open task comes once at each threshold, whatever ends the process. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import {
  createTask,
  done,
  embedded,
  flow,
  overdue,
  probe,
  read,
  reconcile,
  retract,
  signer,
} from '../support/node-red/flow.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { goesToDay, killedAndStarted, startWithVirtualDays } from '../support/node-red/virtual-days.ts'
import type { Seen } from '../support/node-red/watch-probe.ts'
import { patience } from '../support/patience.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder, SIGNER } from '../support/service/order.ts'

const DAY_MS = 86_400_000

/** Returns a time zone where it is noon, so that no day ends during a test. */
function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours()
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

describe('the overdue node', function () {
  this.timeout(400_000)
  let red: NodeRed
  let service: HostedService
  let looks = 0
  const timeZone = zoneAtNoon()

  before(async () => {
    service = await hostedService()
  })
  // No clock goes back, so each test has a Node-RED of its own.
  beforeEach(async () => {
    red = await startWithVirtualDays()
  })
  afterEach(() => red?.stop())
  after(() => service?.stop())

  const nodes = (...more: FlowNode[]) => flow(service.node({ timeZone }), ...createTask(), ...more, probe('clock'))
  async function deploys(...more: FlowNode[]) {
    // What an earlier test has left must not be overdue in this one.
    for (const { taskId } of await service.client.listTasks({ query: { status: 'Pending', limit: 500 } }))
      await service.client.retractTask({ params: { id: taskId } })
    await red.deploy(nodes(...more))
  }
  async function isSent(): Promise<number> {
    const order = anOrder()
    red.inject('create', order)
    const { taskId } = await red.next('create.0', ({ externalDocId }) => externalDocId === order.externalDocId)
    return taskId as number
  }
  async function aTask(): Promise<number> {
    const taskId = await isSent()
    await service.reaches(taskId, 'Pending')
    return taskId
  }
  /** Lets a node look, and returns what it sent. */
  async function looksNow(id = 'overdue'): Promise<Seen[]> {
    looks += 1
    const topic = `look ${looks}`
    red.inject(id, { topic })
    await red.next('completed', (message) => message.topic === topic)
    return red.take(`${id}.0`)
  }
  const daily = async (day: number, id?: string) => {
    await goesToDay(red, day)
    return looksNow(id)
  }

  it('sends each task once at each threshold in 31 days, killed at each, until the task is signed or retracted', async () => {
    const more = [createTask(), overdue(), read(), signer(), retract()].flat()
    await red.deploy(flow(embedded({ data: join(red.userDir, 'embedded'), timeZone }), ...more, probe('clock')))
    const [waiting, signed, retracted] = [await isSent(), await isSent(), await isSent()]
    for (const taskId of [waiting, signed, retracted])
      await eventually(async () => {
        red.inject('read', { taskId })
        expect(await red.next('read.0')).to.include({ taskId, status: 'Pending' })
      }, patience(30_000))
    const sent: Record<string, unknown[]> = { [`${waiting}`]: [], [`${signed}`]: [], [`${retracted}`]: [] }
    const looksOn = async (day: number) => {
      for (const { taskId, threshold, daysOpen } of await daily(day)) {
        expect(daysOpen).to.equal(day)
        sent[`${taskId}`]!.push(threshold)
      }
    }
    for (let day = 0; day <= 31; day += 1) {
      if (day === 6) {
        red.inject('signer', { taskId: signed })
        await red.next('signer.0')
      }
      if (day === 10) {
        red.inject('retract', { taskId: retracted, reason: 'signed on paper' })
        await red.next('retract.0')
      }
      await looksOn(day)
      if (![3, 7, 14, 21, 30].includes(day)) continue
      red = await killedAndStarted(red)
      await looksOn(day)
    }
    expect(sent).to.deep.equal({
      [`${waiting}`]: [3, 7, 14, 21, 30],
      [`${signed}`]: [3],
      [`${retracted}`]: [3, 7],
    })
    expect(red.waiting('caught')).to.deep.equal([])
  })

  it('says which task is open, for how long, and where', async () => {
    await deploys(...overdue())
    const taskId = await aTask()
    expect(await daily(2)).to.deep.equal([])
    await red.statusOf('overdue', 'no reminders due')
    const [message, ...others] = await daily(3)
    expect(others).to.deep.equal([])
    const task = await service.client.readTask({ params: { id: taskId } })
    expect(message).to.include({ taskId, status: 'Pending', kind: 'age', threshold: 3, daysOpen: 3, sentBefore: 0 })
    expect(message).to.include({ documentId: task.documentId, externalDocId: task.externalDocId })
    expect(message).to.have.property('payload').that.deep.equals(task)
    expect(message).to.not.have.any.keys('windowEnds', 'daysLeft', 'patient')
    await red.statusOf('overdue', '1 sent')
  })

  it('sends the last threshold alone when it looks late, by itself at the start', async () => {
    await deploys(...overdue({ interval: '60' }))
    const taskId = await aTask()
    red = await killedAndStarted(red, 16)
    expect(await red.next('overdue.0')).to.include({ taskId, threshold: 14, daysOpen: 16 })
    await red.statusOf('overdue', '1 sent')
    expect(await looksNow()).to.deep.equal([])
    expect((await daily(21)).map(({ threshold }) => threshold)).to.deep.equal([21])
  })

  it('sends a reminder again that the flow has not taken over when it is killed, and not once it has', async () => {
    await deploys(...overdue({ redelivery: 'acknowledged' }), ...done(), ...reconcile())
    const taskId = await aTask()
    const [first] = await daily(3)
    expect(first).to.include({ taskId, sentBefore: 0 })
    expect(await looksNow(), 'on its way').to.deep.equal([])
    red = await killedAndStarted(red)
    const [again] = await looksNow()
    expect(again).to.include({ taskId, threshold: 3, sentBefore: 1, reminder: first!.reminder })
    red.inject('done', again)
    await red.statusOf('done', 'acknowledged')
    red = await killedAndStarted(red)
    expect(await looksNow()).to.deep.equal([])
    // The outcome of the task was not acknowledged: it still comes.
    await service.signs(taskId)
    red.inject('reconcile', { topic: 'outcome' })
    expect(await red.next('reconcile.0', (message) => message.taskId === taskId)).to.include({ status: 'Completed' })
  })

  it('sends what the flow has not taken over again after its time', async () => {
    await deploys(...overdue({ redelivery: 'acknowledged', repeat: '1440' }))
    await aTask()
    expect(await daily(3)).to.have.length(1)
    expect((await daily(4)).map(({ sentBefore }) => sentBefore)).to.deep.equal([1])
  })

  it('counts the certification window from the clinical date in a message, which the journal has encrypted', async () => {
    await deploys(...overdue({ afterDays: '', windowDays: '30', beforeDays: '7, 1' }), ...retract())
    const [noted, unnoted] = [await aTask(), await aTask()]
    const today = (day: number) => new Date(Date.now() + day * DAY_MS)
    red.inject('overdue', { taskId: noted, userNPI: SIGNER.idle, effectiveDate: today(-20) })
    await red.statusOf('overdue', 'noted')
    for (const file of readdirSync(join(red.userDir, 'countersign')))
      expect(readFileSync(join(red.userDir, 'countersign', file), 'latin1'), file).to.not.contain(SIGNER.idle)
    expect(await daily(2)).to.deep.equal([])
    const sent: [number, unknown, unknown, unknown][] = []
    for (let day = 3; day <= 31; day += 1)
      for (const { taskId, kind, threshold, daysLeft, userNPI } of await daily(day)) {
        expect(kind).to.equal('window')
        sent.push([taskId as number, threshold, daysLeft, userNPI])
      }
    expect(sent).to.deep.equal([
      [noted, 7, 7, SIGNER.idle],
      [noted, 1, 1, SIGNER.idle],
      [unnoted, 7, 7, undefined],
      [unnoted, 1, 1, undefined],
    ])
  })

  it('sends each reminder once, however many messages ask for it; another node sends its own', async () => {
    await deploys(...overdue(), ...overdue({}, 'other'))
    const tasks = [await aTask(), await aTask()]
    await goesToDay(red, 7)
    for (let look = 0; look < 4; look += 1) for (const id of ['overdue', 'other']) red.inject(id, { look })
    for (let look = 0; look < 8; look += 1) await red.next('completed', (message) => message.look !== undefined)
    for (const id of ['overdue', 'other'])
      expect(
        red
          .take(`${id}.0`)
          .map(({ taskId }) => taskId as number)
          .toSorted(),
        id,
      ).to.deep.equal(tasks)
  })

  it('refuses thresholds and facts that cannot be used, and a task of another service', async () => {
    await deploys(
      ...overdue({ afterDays: '3, soon' }),
      ...overdue({ beforeDays: '7' }, 'endless'),
      ...overdue({}, 'good'),
    )
    for (const id of ['overdue', 'endless']) {
      red.inject(id, {})
      expect((await red.next('caught')).error, id).to.include({ code: 'BAD_SCHEDULE' })
      await red.statusOf(id, 'invalid thresholds')
    }
    red.inject('good', { taskId: 1, userNPI: '123' })
    const { error, errors } = await red.next('caught')
    expect(error).to.include({ code: 'INVALID_INPUT' })
    expect(String(errors)).to.contain('userNPI').and.to.not.contain('123')
    red.inject('good', { taskId: 1, userNPI: SIGNER.idle, signatureService: 'another' })
    expect((await red.next('caught')).error).to.include({ code: 'OTHER_SERVICE' })
  })
})
