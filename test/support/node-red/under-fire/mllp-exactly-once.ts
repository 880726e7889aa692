/**
 * Orders over MLLP until their results are acknowledged over MLLP and recorded, while nothing at the ends can be relied on and
 * Node-RED is killed again and again: each order becomes one task, and each task one result.
 */
import { expect } from 'chai'
import { listAll } from '../../../../lib/client/list-all.ts'
import type { Task } from '../../../../lib/contract/task/task.ts'
import { parseMessage } from '../../../../lib/hl7/parse-message.ts'
import { valueAt } from '../../../../lib/hl7/value-at.ts'
import { eventually } from '../../eventually.ts'
import { sendsTroubled, type Tally } from '../../hl7/a-troubled-sender.ts'
import { anOrder, mdm } from '../../hl7/an-order.ts'
import { aReceiver } from '../../hl7/mllp-peers.ts'
import { freePort } from '../../network/free-port.ts'
import { aSlowHost, type SlowHostOptions } from '../../outages/a-slow-host.ts'
import { type Random, randomFrom } from '../../random.ts'
import { type HostedService, hostedService } from '../../service/hosted-service.ts'
import { orderPdf, SIGNER } from '../../service/order.ts'
import { host } from '../flow.ts'
import { mllpExchange } from '../mllp-exchange.ts'
import { startNodeRed } from '../node-red.ts'

export interface MllpOrders extends Omit<SlowHostOptions, 'random'> {
  messages: number
  /** How often Node-RED is killed, between the first order and the last result. */
  kills: number
  seed: number
  /** As in the form of the service. */
  settleSeconds: number
  timeoutSeconds: number
  /** How long all may take. */
  withinMs: number
}

export interface MllpFigures {
  tasks: number
  /** Tasks beyond the first of their document. */
  extra: number
  /** Documents without a task. */
  lost: number
  /** Results that the receiver has accepted, each counted once. */
  delivered: number
  /** Results that came to the receiver again, under the control id that it knows. */
  again: number
  /** Creates that the host left without an answer. */
  unanswered: number
  troubles: Tally
  minutes: number
}

const MAP = { documentTypes: { CMS485: { documentTypeId: 104 } }, organizations: { LAKE: '9999901017' } }
const CONNECTIONS = 8
const SIGNERS = 4

/** Rejects when anything fails for good, or a result is not that of its document. */
export async function mllpExactlyOnce(options: MllpOrders): Promise<MllpFigures> {
  const { messages, seed } = options
  const random = randomFrom(seed)
  const begun = Date.now()
  const ids = Array.from({ length: messages }, (_, at) => `DOC-${seed}-${at}`)
  const service = await hostedService()
  const slow = await aSlowHost(service.baseUrl, { ...options, random })
  const ports = { in: await freePort(), out: await freePort() }
  const receiver = await aMoodyReceiver(ports.out, messages, random)
  let red = await startNodeRed()
  const accepted = { orders: 0 }
  const over = new AbortController()
  const restarted = async () => {
    await red.kill()
    red = await startNodeRed({ userDir: red.userDir, port: red.port })
  }
  try {
    await red.deploy(nodesFor(options, service, slow.baseUrl, ports, red.nodeUrl('countersign/events')))
    const [troubles] = await Promise.all([
      sendsTroubled({
        port: ports.in,
        messages: ids.map(orderOf),
        connections: CONNECTIONS,
        random,
        onAccepted: () => void accepted.orders++,
        signal: over.signal,
      }),
      signsAll(service, slow.made, options),
      killedMeanwhile(options, random, () => accepted.orders + receiver.results().length, restarted),
    ])
    await eventually(() => expect(receiver.results().length).to.be.at.least(messages), options.withinMs)
    const tasks = await eventually(() => allRecorded(service, messages), options.withinMs)
    const failed = red.waiting('caught').filter(isForGood)
    expect(
      failed.map(({ error }) => error?.message ?? String(error)),
      'failed, or was held',
    ).to.deep.equal([])
    const results = receiver.results()
    expect(results.toSorted(), 'the results').to.deep.equal(tasks.map(resultOf).toSorted())
    const known = new Set(tasks.map(({ externalDocId }) => externalDocId))
    return {
      tasks: tasks.length,
      extra: tasks.length - known.size,
      lost: ids.filter((id) => !known.has(`EPIC|${id}`)).length,
      delivered: results.length,
      again: receiver.again(),
      unanswered: slow.unanswered(),
      troubles,
      minutes: Math.round((Date.now() - begun) / 6000) / 10,
    }
  } finally {
    over.abort()
    await red.stop()
    await receiver.stop()
    await slow.stop()
    await service.stop()
  }
}

/** What fails in a way that passes is given back to its node by the flow. */
const isForGood = ({ error }: { error?: { cause?: object } }) =>
  !(error?.cause && 'retryable' in error.cause && error.cause.retryable)

function nodesFor(
  { settleSeconds, timeoutSeconds }: MllpOrders,
  { apiKey }: HostedService,
  baseUrl: string,
  ports: { in: number; out: number },
  publicUrl: string,
) {
  const habits = { settle: String(settleSeconds), timeout: String(timeoutSeconds), concurrency: '10' }
  const connection = host(baseUrl, { credentials: { apiKey }, ...habits })
  return mllpExchange({ connection, ports, publicUrl, map: MAP })
}

/** Of one patient, each with a document id of its own. */
function orderOf(id: string): Uint8Array {
  return anOrder({
    MSH: String(mdm.MSH).replace('MSG1', `MSG-${id}`),
    PID: 'PID|1||WC100001^^^WILLOW^MR||Whitfield^Alma^^^^^L||19480312|F|||1 Alder Street^^Duluth^MN^55802^^H',
    TXA: `TXA|1|CMS485|AP|${TODAY}||||||${SIGNER.idle}^Calder^Ruth^^^^^^NPI^L^^^NPI||${id}^EPIC`,
    OBX: `OBX|1|ED|PDF^Document||^application^pdf^Base64^${PDF}`,
  })
}

const TODAY = new Date().toISOString().slice(0, 10).replaceAll('-', '')
const PDF = orderPdf().toString('base64')

/** A receiver that at times does not answer, or answers that it could not take a message. */
async function aMoodyReceiver(port: number, messages: number, random: Random) {
  const moods = Array.from({ length: messages }, () => (random.isSo(0.1) ? random.pick([null, 'AE']) : 'AA'))
  const codes = [...moods, 'AA']
  const { received, stop } = await aReceiver(port, codes, (message) => {
    const parsed = parseMessage(message)
    return ['MSH-10', 'MSH-9.2', 'TXA-13'].map((place) => valueAt(parsed, place)).join(' ')
  })
  const taken = () => received.filter((_, at) => (codes[at] ?? 'AA') === 'AA')
  return {
    stop,
    results: () => [...new Set(taken())],
    again: () => taken().length - new Set(taken()).size,
  }
}

/** What the receiver notes of the result of a task. */
const resultOf = ({ taskId, externalDocId }: Task) => `${taskId}-T02 T02 ${externalDocId?.replace('EPIC|', '')}`

/** Signs each task when it waits in the inbox, and again when the service has no time for it. */
async function signsAll(
  service: HostedService,
  made: () => readonly number[],
  { messages, withinMs }: MllpOrders,
): Promise<void> {
  let next = 0
  const signer = async () => {
    while (next < messages) {
      const at = next++
      await eventually(async () => {
        const taskId = made()[at]
        expect(taskId && (await service.statusOf(taskId)), `the ${at + 1}th task`).to.equal('Pending')
        await service.signs(taskId)
      }, withinMs)
    }
  }
  await Promise.all(Array.from({ length: SIGNERS }, signer))
}

/** Kills at moments that are spread over the whole progress, from the first order to the last result. */
async function killedMeanwhile(
  { messages, kills, withinMs }: MllpOrders,
  random: Random,
  progress: () => number,
  kill: () => Promise<void>,
): Promise<void> {
  for (let number = 0; number < kills; number += 1) {
    const at = Math.floor((2 * messages * (number + random.below(1000) / 1000)) / kills)
    await eventually(() => expect(progress()).to.be.at.least(at), withinMs)
    await kill()
  }
}

/** The tasks, once as many as there are orders are recorded. */
async function allRecorded({ client }: HostedService, messages: number): Promise<Task[]> {
  const tasks: Task[] = []
  for await (const task of listAll(client, {}, { pageSize: 500 })) tasks.push(task)
  const recorded = tasks.filter(({ taskId, output }) => output?.externalSavedDocumentId === `${taskId}-${taskId}`)
  expect(recorded.length).to.be.at.least(messages)
  return tasks
}
