/**
 * What the webhook node costs, beside its floor in the same Node-RED: a core `http in` node with a function node that checks
 * the same HMAC and keeps nothing. Ours also checks times and headers, and writes each event to the disk before it answers,
 * so that it is handed over once across restarts.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { signWebhook } from '../../../lib/webhook/signature.ts'
import { flow, host, webhookIn } from '../../support/node-red/flow.ts'
import { type FlowNode, startNodeRed } from '../../support/node-red/node-red.ts'
import { type Row, RUNS } from './row.ts'

const EVENTS = 1500
const AT_ONCE = 16
const secret = randomBytes(32).toString('base64')

const check = `
const expected = crypto.createHmac('sha256', Buffer.from('${secret}', 'base64'))
  .update(msg.req.headers['x-service-timestamp'] + '.').update(msg.payload).digest()
const given = Buffer.from(String(msg.req.headers['x-service-signature']).slice(7), 'hex')
const isGood = given.length === expected.length && crypto.timingSafeEqual(given, expected)
msg.statusCode = isGood ? 200 : 400
msg.payload = isGood ? JSON.parse(msg.payload) : null
return msg`

const floor = [
  { id: 'in', type: 'http in', url: '/floor', method: 'post', skipBodyParsing: true, wires: [['check']] },
  {
    id: 'check',
    type: 'function',
    func: check,
    outputs: 1,
    libs: [{ var: 'crypto', module: 'crypto' }],
    wires: [['out']],
  },
  { id: 'out', type: 'http response', wires: [] },
] as FlowNode[]

export async function webhookInRow(): Promise<Row> {
  const red = await startNodeRed({ adminRoot: '/admin', settings: { functionExternalModules: true } })
  try {
    const [node] = webhookIn({ subscribe: false, readsTask: false, credentials: { secrets: secret } })
    await red.deploy(flow(host('https://signature.example.org'), { ...node!, wires: [] }, ...floor))
    await red.statusOf('webhook', 'listening')
    const rates: { ours: number[]; floor: number[] } = { ours: [], floor: [] }
    for (let run = -1; run < RUNS; run++) {
      const [floorRate, rate] = [await measure(red.nodeUrl('floor')), await measure(red.nodeUrl('countersign/events'))]
      // After the first run the code of both is compiled.
      if (run < 0) continue
      rates.ours.push(rate)
      rates.floor.push(floorRate)
    }
    return {
      work: 'Events that the webhook node receives, each once and durable',
      unit: 'per second',
      ours: rates.ours,
      floor: { what: 'core `http in` and a function that checks the HMAC', values: rates.floor },
    }
  } finally {
    await red.stop()
  }
}

let taskId = 0

function delivery() {
  const eventId = randomUUID()
  const timestamp = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({
    eventId,
    eventType: 'document.status_changed',
    taskId: ++taskId,
    documentId: 7,
    status: 'Pending',
    statusReason: null,
    occurredAtUtc: new Date().toISOString(),
  })
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': signWebhook({ secret, body, timestamp }),
    'x-service-timestamp': String(timestamp),
    'x-service-event-id': eventId,
    'x-service-event-type': 'document.status_changed',
  }
  return { method: 'POST', headers, body }
}

/** Events per second. */
async function measure(url: string): Promise<number> {
  const deliveries = Array.from({ length: EVENTS }, delivery)
  const start = performance.now()
  const sender = async () => {
    for (let next = deliveries.pop(); next; next = deliveries.pop()) {
      const response = await fetch(url, next)
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
  return EVENTS / ((performance.now() - start) / 1000)
}
