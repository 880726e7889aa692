/** A webhook node that reads its tasks while it is deployed anew or killed: it answers at once, and no event is lost or comes twice. */
import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { aTaskRecord } from '../lib/support/bodies.ts'
import { aDelivery, SECRET } from '../lib/support/delivery.ts'
import { eventually } from '../support/eventually.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { flow, host, webhookIn } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'

/** Well below the five seconds that a read may take. */
const SOON_MS = 3000

/** Tasks up to this one are read only when a test says so; all others at once. */
const LAST_HELD = 2000

describe('a webhook node that ends while it reads tasks', function () {
  this.timeout(40_000)
  let red: NodeRed
  const reads = new Map<number, ServerResponse>()
  const slow = createServer((request, response) => {
    const taskId = Number(/\/tasks\/(\d+)$/.exec(request.url ?? '')?.[1])
    if (taskId <= LAST_HELD) reads.set(taskId, response)
    else answer(taskId, response)
  })
  const answer = (taskId: number, response: ServerResponse) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(aTaskRecord({ taskId, externalDocId: `ORDER-${taskId}` })))
  const nodes = (name: string) => {
    const { port } = slow.address() as AddressInfo
    const webhook = webhookIn({ name, subscribe: false, credentials: { secrets: SECRET } })
    return flow(host(`http://127.0.0.1:${port}`, { timeout: '10' }), ...webhook)
  }

  before(async () => {
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    red = await aNodeRed()
    await red.deploy(nodes('first'))
    await red.statusOf('webhook', 'listening')
  })
  after(async () => {
    await red?.stop()
    slow.close().closeAllConnections()
  })

  const post = async (taskId: number, status: 'Pending' | 'Completed' = 'Pending') => {
    const { payload, headers } = aDelivery({ eventId: randomUUID(), taskId, status }, { at: Date.now() })
    const response = await fetch(red.nodeUrl('countersign/events'), { method: 'POST', headers, body: payload })
    return response.status
  }
  const isRead = (taskId: number) => eventually(() => expect([...reads.keys()]).to.include(taskId))
  const isAnswered = (taskId: number) => {
    answer(taskId, reads.get(taskId)!)
    reads.delete(taskId)
  }
  const came = async (...taskIds: number[]) => {
    for (const taskId of taskIds)
      expect(await red.next('webhook.0', (message) => message.taskId === taskId, SOON_MS)).to.include({
        externalDocId: `ORDER-${taskId}`,
      })
    expect(red.waiting('webhook.0')).to.deep.equal([])
  }

  it('by a deploy sends what it was reading afterwards, and no new event waits for that', async () => {
    const answers = [post(1001), post(1002)]
    for (const taskId of [1001, 1002]) await isRead(taskId)
    reads.clear()
    await red.deploy(nodes('second'))
    expect(await Promise.all(answers), 'is acknowledged').to.deep.equal([200, 200])
    await red.statusOf('webhook', 'listening', SOON_MS)
    for (const taskId of [1001, 1002]) await isRead(taskId)
    expect(await post(3001)).to.equal(200)
    await came(3001)
    for (const taskId of [1001, 1002]) isAnswered(taskId)
    await came(1001, 1002)
  })

  it('by a kill sends what it was reading after the next start, in the order of each task', async () => {
    const unanswered = [post(1003).catch(() => 0)]
    await isRead(1003)
    reads.clear()
    await red.kill()
    const { userDir, port } = red
    red = await aNodeRed({ userDir, port })
    await red.statusOf('webhook', 'listening', SOON_MS)
    expect(await Promise.all(unanswered)).to.deep.equal([0])
    await isRead(1003)
    const later = post(1003, 'Completed')
    expect(await post(3002)).to.equal(200)
    await came(3002)
    isAnswered(1003)
    expect(await later).to.equal(200)
    const statuses = [await red.next('webhook.0'), await red.next('webhook.0')].map(({ status }) => status)
    expect(statuses).to.deep.equal(['Pending', 'Completed'])
    expect(red.waiting('webhook.0')).to.deep.equal([])
  })
})
