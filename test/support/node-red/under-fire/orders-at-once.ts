/** Orders that come all at once to a flow whose host takes twenty calls, and then ten a second: all of them finish. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { fullBucket, takeOne } from '../../../../server/domain/delivery/rate.ts'
import { eventually } from '../../eventually.ts'
import { FOREIGN_KEY, type ForeignHost, foreignHost } from '../../foreign-host/foreign-host.ts'
import { aGateway, type Gateway } from '../../network/a-gateway.ts'
import { anOrder, SIGNER } from '../../service/order.ts'
import { createTask, download, flow, host, record, wait } from '../flow.ts'
import { type FlowNode, startNodeRed } from '../node-red.ts'

const ACME = readFileSync(join(import.meta.dirname, '../../foreign-host/acme.json'), 'utf8')
const ANNOTATIONS = [{ type: 'VisibleSignature', pageNumber: 1, left: 72, top: 192, right: 252, bottom: 156 }]

/** Counts as our service does for `--rate-limit 20`, but each minute lasts so long. */
const MINUTE_LASTS_MS = 2000
const PER_MINUTE = 20

/** Sends the orders through create, wait, download and record, checks that none fails, and prints how long they took. */
export async function ordersAtOnce(count: number): Promise<void> {
  const foreign = await foreignHost()
  const gateway = await aGateway(foreign.baseUrl)
  const red = await startNodeRed()
  const signing = setInterval(() => signAll(foreign), 200)
  try {
    const connection = host(gateway.baseUrl, { credentials: { apiKey: FOREIGN_KEY }, timeout: '10', profile: ACME })
    await red.deploy(flow(connection, ...exchange()))
    const seen = limited(gateway)
    const start = Date.now()
    const orders = Array.from({ length: count }, () => anOrder(SIGNER.signs))
    for (const order of orders) red.inject('create', { ...order, annotations: ANNOTATIONS })
    await red.statusOf('create', /^rate limited, \d+ queued, \d+ s$/, 60_000)
    await eventually(() => expect(red.waiting('record.0').length).to.equal(count), count * 1500)
    const seconds = Math.round((Date.now() - start) / 1000)
    console.log(`      ${count} orders in ${seconds} s: ${seen.taken} calls taken, ${seen.refused} refused`)
    expect(red.waiting('caught')).to.deep.equal([])
    const finished = red.waiting('record.0').map(({ externalDocId }) => externalDocId)
    expect(new Set(finished)).to.deep.equal(new Set(orders.map(({ externalDocId }) => externalDocId)))
    const created = gateway.passed.filter(({ method }) => method === 'POST')
    expect(created, 'each is sent once').to.have.length(count)
    expect(seen.refused).to.be.within(1, seen.taken / 4)
    await red.statusOf('create', 'created')
  } finally {
    clearInterval(signing)
    await red.stop()
    await gateway.stop()
    await foreign.stop()
  }
}

/** From create to record, under the id that the document came with. */
function exchange(): FlowNode[] {
  const saved = { p: 'savedId', pt: 'msg', t: 'set', to: 'externalDocId', tot: 'msg' }
  const change = { id: 'saved', type: 'change', rules: [saved], wires: [['record']] }
  const wired = ([node, ...others]: FlowNode[], next: string): FlowNode[] => [
    { ...node!, wires: [[next], ...(node!.wires as string[][]).slice(1)] },
    ...others,
  ]
  const before = [
    ...wired(createTask({ placement: 'Json' }), 'wait'),
    ...wired(wait(), 'download'),
    ...wired(download(), 'saved'),
  ]
  return [...before, change, ...record({ file: true })]
}

function signAll({ records, signs }: ForeignHost): void {
  for (const [taskId, { status }] of records.tasks) if (status !== 'Completed') void signs(taskId)
}

function limited({ pace }: Gateway) {
  const seen = { refused: 0, taken: 0 }
  const times = 60_000 / MINUTE_LASTS_MS
  let bucket = fullBucket(PER_MINUTE, Date.now() * times)
  pace.waitMs = () => {
    const taken = takeOne(bucket, PER_MINUTE, Date.now() * times)
    bucket = taken.bucket
    seen[taken.waitMs > 0 ? 'refused' : 'taken'] += 1
    return taken.waitMs / times
  }
  return seen
}
