/**
 * Node-RED, the service or both killed at a step between create and record, again and again: each document is recorded once, and
 * nobody sends it again by hand.
 */
import { expect } from 'chai'
import { eventually } from '../../eventually.ts'
import { type KillableService, killableService } from '../../outages/killable-service.ts'
import { type Random, randomFrom } from '../../random.ts'
import { anOrder, SIGNER } from '../../service/order.ts'
import { exchange } from '../exchange.ts'
import { host } from '../flow.ts'
import { type NodeRed, startNodeRed } from '../node-red.ts'

/** What has just happened to a document at the kill. `before` a call, it has not left; `after` one, its answer has not come. */
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
export const KILLED = ['Node-RED', 'the service', 'both'] as const

export interface Round {
  step: (typeof STEPS)[number]
  killed: (typeof KILLED)[number]
}

/** Documents in each round, of which any may be at the step. */
const DOCUMENTS = 3

interface Stage {
  red: NodeRed
  service: KillableService
  random: Random
}

/** Every step with everything that can be killed, and then more of them until there are so many. */
export function roundsOf(count: number, seed: number): Round[] {
  const random = randomFrom(seed)
  const all = STEPS.flatMap((step) => KILLED.map((killed) => ({ step, killed })))
  return Array.from({ length: count }, (_, index) => all[index] ?? random.pick(all))
}

/** @param seed says which document of each round is at the step */
export async function killedAtSteps(rounds: readonly Round[], seed: number): Promise<void> {
  const service = await killableService()
  const random = randomFrom(seed)
  let red = await startNodeRed()
  try {
    const { baseUrl } = service.gateway
    await red.deploy(exchange(host(baseUrl, { credentials: { apiKey: service.key }, timeout: '10', settle: '1' })))
    for (const round of rounds) red = await killedAt(round, { red, service, random })
    const tally = KILLED.map((one) => `${one} ${rounds.filter(({ killed }) => killed === one).length}`).join(', ')
    const documents = rounds.length * DOCUMENTS
    console.log(`      ${rounds.length} kills (${tally}), ${documents} documents, each recorded once (seed ${seed})`)
  } finally {
    await red.stop()
    await service.stop()
  }
}

/** One round; returns the Node-RED that runs after it. */
async function killedAt({ step, killed }: Round, { red, service, random }: Stage): Promise<NodeRed> {
  const orders = Array.from({ length: DOCUMENTS }, () => anOrder(SIGNER.signs))
  const { externalDocId: chosen } = random.pick(orders)
  const reached = stepOf(step, { red, service, chosen })
  for (const order of orders) red.inject('create', { ...order, mrn: `MRN of ${order.externalDocId}` })
  await reached
  const gone = [killed !== 'the service' && red.kill(), killed !== 'Node-RED' && service.kill()]
  await Promise.all(gone)
  service.gateway.release()
  if (killed !== 'Node-RED') await service.start()
  const { userDir, port } = red
  const next = killed === 'the service' ? red : await startNodeRed({ userDir, port })
  for (const { externalDocId } of orders) await isRecordedOnce(externalDocId, service)
  // A flow that runs on while the service is gone is told so, and sends what failed by itself.
  if (killed === 'the service') next.take('caught').forEach(passes)
  await eventually(() => expect(next.waiting('caught')).to.deep.equal([]))
  for (const { mrn, externalDocId } of next.take('record.0')) expect(mrn).to.equal(`MRN of ${externalDocId}`)
  return next
}

const passes = ({ error }: { error?: { cause?: object } }) => expect(error?.cause).to.include({ retryable: true })

/** Resolves when the chosen document has come to the step, and holds it there where that is a call. */
async function stepOf(
  step: Round['step'],
  { red, service: { gateway }, chosen }: Pick<Stage, 'red' | 'service'> & { chosen: string },
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

async function isRecordedOnce(externalDocId: string, { client, gateway }: KillableService): Promise<void> {
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
