/** Node-RED killed at a step between create and record, again and again: each document is recorded once, and nobody sends it again. */
import { expect } from 'chai'
import { eventually } from '../eventually.ts'
import { aStoppingGateway, type StoppingGateway } from '../network/a-stopping-gateway.ts'
import { type Random, randomFrom } from '../random.ts'
import { aClient } from '../service/a-client.ts'
import { anOrder, SIGNER } from '../service/order.ts'
import { type Served, serve } from '../service/served.ts'
import { createTask, download, flow, host, record, wait } from './flow.ts'
import { type FlowNode, type NodeRed, startNodeRed } from './node-red.ts'

/** What has just happened to a document when Node-RED is killed. `before` a call, it has not left; `after` one, its answer has not come. */
export const STEPS = [
  'before create',
  'after create',
  'created',
  'waiting',
  'completed',
  'downloaded',
  'before record',
  'after record',
  'recorded',
] as const
type Step = (typeof STEPS)[number]

export interface Rounds {
  count: number
  seed: number
  /** The steps in this order, instead of those that the seed gives. */
  steps?: readonly Step[]
}

/** Documents in each round, of which any may be at the step. */
const DOCUMENTS = 3

interface Stage {
  red: NodeRed
  gateway: StoppingGateway
  served: Served
  random: Random
}

export async function killedAtSteps({ count, seed, steps }: Rounds): Promise<void> {
  const served = await serve(['--sandbox', '--data', ':memory:', '--seed', 'demo'])
  const gateway = await aStoppingGateway(served.baseUrl)
  const random = randomFrom(seed)
  let red = await startNodeRed()
  const killed: Step[] = []
  try {
    const key = served.apiKeys[0]!.key
    await red.deploy(exchange(host(gateway.baseUrl, { credentials: { apiKey: key }, timeout: '10', settle: '1' })))
    for (let round = 0; round < count; round += 1) {
      const step = steps?.[round] ?? random.pick(STEPS)
      red = await killedAt(step, { red, gateway, served, random })
      killed.push(step)
    }
    const tally = STEPS.map((step) => `${step} ${killed.filter((one) => one === step).length}`).join(', ')
    console.log(`      ${count} kills, ${count * DOCUMENTS} documents, each recorded once (${tally}; seed ${seed})`)
  } finally {
    await red.stop()
    await gateway.stop()
    await served.stop()
  }
}

/** One round; returns the Node-RED that was started in the place of the killed one. */
async function killedAt(step: Step, { red, gateway, served, random }: Stage): Promise<NodeRed> {
  const orders = Array.from({ length: DOCUMENTS }, () => anOrder(SIGNER.signs))
  const { externalDocId: chosen } = random.pick(orders)
  const reached = stepOf(step, { red, gateway, chosen })
  for (const order of orders) red.inject('create', { ...order, mrn: `MRN of ${order.externalDocId}` })
  await reached
  await red.kill()
  gateway.release()
  const { userDir, port } = red
  const next = await startNodeRed({ userDir, port })
  for (const { externalDocId } of orders) await isRecordedOnce({ externalDocId, gateway, served })
  await eventually(() => expect(next.waiting('caught')).to.deep.equal([]))
  for (const { mrn, externalDocId } of next.waiting('record.0')) expect(mrn).to.equal(`MRN of ${externalDocId}`)
  return next
}

/** Resolves when the chosen document has come to the step, and holds it there where that is a call. */
async function stepOf(
  step: Step,
  { red, gateway, chosen }: Pick<Stage, 'red' | 'gateway'> & { chosen: string },
): Promise<unknown> {
  const isChosen = ({ externalDocId }: Record<string, unknown>) => externalDocId === chosen
  const at = (probe: string) => red.next(probe, isChosen, LONG_MS)
  switch (step) {
    case 'before create':
    case 'after create':
      return gateway.stopAt(
        step === 'before create' ? 'before' : 'after',
        ({ method, body }) => method === 'POST' && body.includes(chosen),
      )
    case 'before record':
    case 'after record':
      return gateway.stopAt(
        step === 'before record' ? 'before' : 'after',
        ({ method, url }) => method === 'PATCH' && url.includes(chosen),
      )
    case 'created':
      return at('create.0')
    case 'waiting':
      return at('wait.4')
    case 'completed':
      return at('wait.0')
    case 'downloaded':
      return at('download.0')
    case 'recorded':
      return at('record.0')
  }
}

const LONG_MS = 60_000

async function isRecordedOnce({
  externalDocId,
  gateway,
  served,
}: Pick<Stage, 'gateway' | 'served'> & { externalDocId: string }): Promise<void> {
  const client = aClient({ baseUrl: served.baseUrl, apiKey: served.apiKeys[0]!.key })
  const { taskId } = await eventually(async () => {
    const tasks = await client.listTasks({ query: { externalDocId } })
    expect(tasks, `tasks of ${externalDocId}`).to.have.length(1)
    expect(tasks[0]!.output?.externalSavedDocumentId).to.equal(`SAVED-${externalDocId}`)
    return tasks[0]!
  }, LONG_MS)
  const recordings = gateway.answered.filter(
    ({ method, url, status }) => method === 'PATCH' && url.includes(`/${taskId}`) && status < 300,
  )
  expect(recordings, `recordings of ${externalDocId}`).to.have.length(1)
}

/** From create to record; a pause between two nodes makes each hand-over a step of its own. */
function exchange(connection: FlowNode): FlowNode[] {
  const saved = { p: 'savedId', pt: 'msg', t: 'set', to: '"SAVED-" & externalDocId', tot: 'jsonata' }
  const pause = (id: string, next: string): FlowNode => ({
    id,
    type: 'delay',
    pauseType: 'delay',
    timeout: '150',
    timeoutUnits: 'milliseconds',
    wires: [[next]],
  })
  const wired = ([node, ...others]: FlowNode[], next: string): FlowNode[] => {
    const [first, ...rest] = node!.wires as string[][]
    return [{ ...node!, wires: [[...first!, next], ...rest] }, ...others]
  }
  return flow(
    connection,
    ...wired(createTask(), 'to wait'),
    pause('to wait', 'wait'),
    ...wired(wait({ redelivery: 'acknowledged', progress: true }), 'to download'),
    pause('to download', 'download'),
    ...wired(download(), 'saved'),
    { id: 'saved', type: 'change', rules: [saved], wires: [['to record']] },
    pause('to record', 'record'),
    ...record(),
  )
}
