/** A real process that is asked to stop under load: it finishes what is under way, takes nothing more, and loses nothing. */
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { DELIVERY_TIMEOUT_MS, STOP_PATIENCE } from '../../server/choices.ts'
import type { Delivery } from '../../server/operations/delivery.ts'
import { aFolder } from '../support/a-folder.ts'
import { eventually } from '../support/eventually.ts'
import { answers, aRoughReceiver, type RoughReceiver } from '../support/network/rough-receiver.ts'
import { aClient } from '../support/service/a-client.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { countersign, type Served, serve } from '../support/service/served.ts'

const TASKS = '/api/v1/signature/tasks'
/** Who send at the same time, each on a connection of its own, which stays open. */
const SENDERS = 8
/** How long the receiver takes to answer a callback. */
const ANSWER_MS = 1_500

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

interface Asked {
  answer: Promise<Answer>
  write(part: string | Uint8Array): void
  end(part?: string | Uint8Array): void
}

/** A request that is not over before `end`. */
function ask(url: string, key: string, agent: Agent, length?: number): Asked {
  const method = length === undefined ? 'GET' : 'POST'
  const body = length === undefined ? {} : { 'content-type': 'application/json', 'content-length': length }
  const asked = request(url, { method, agent, headers: { 'x-api-key': key, ...body } })
  const answer = new Promise<Answer>((resolve, reject) => {
    asked.once('error', reject)
    asked.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: Buffer.concat(chunks).toString() })
      })
    })
  })
  return { answer, write: (part) => void asked.write(part), end: (part) => void asked.end(part) }
}

const onKeptConnection = () => new Agent({ keepAlive: true, maxSockets: 1 })

describe('a service that is asked to stop under load', () => {
  const folder = aFolder()
  const receivers: RoughReceiver[] = []
  let served: Served | null = null

  after(async () => {
    await served?.kill()
    await Promise.all(receivers.map((receiver) => receiver.close()))
  })

  const start = () => serve(['--data', folder, '--sandbox', '--seed', 'demo', '--allow-http-webhooks'])
  const receiver = async (behave: (response: ServerResponse) => void) => {
    const made = await aRoughReceiver({ behave })
    receivers.push(made)
    return made
  }

  it('answers and delivers what is under way, says that it stops, and ends in time with code 0', async function () {
    this.timeout(90_000)
    served = await start()
    const { baseUrl } = served
    const key = served.apiKeys[0]!.key
    const client = aClient({ baseUrl, apiKey: key })
    let answerMs = ANSWER_MS
    const slow = await receiver((response) => void setTimeout(() => answers(204)(response), answerMs))
    await client.createSubscription({ body: { url: slow.url } })
    const silent = await receiver(() => {})
    const { id: silentId } = await client.createSubscription({ body: { url: silent.url } })

    const body = Buffer.from(JSON.stringify(aCreateBody()))
    const created: number[] = []
    const unexpected: unknown[] = []
    const send = async (agent: Agent) => {
      for (;;) {
        const asked = ask(baseUrl + TASKS, key, agent, body.length)
        asked.end(body)
        try {
          const { status, body: text } = await asked.answer
          if (status !== 201) return void unexpected.push(status)
          created.push((JSON.parse(text) as { taskId: number }).taskId)
        } catch (failure) {
          const { code } = failure as NodeJS.ErrnoException
          // Nobody listens any more: the next instance is asked.
          if (code !== 'ECONNREFUSED') unexpected.push(code)
          return
        }
      }
    }
    const senders = Array.from({ length: SENDERS }, () => send(onKeptConnection()))
    await eventually(() => expect(slow.taken.length).to.be.at.least(6))
    await eventually(() => expect(silent.taken.length).to.be.at.least(1))

    const uploading = ask(baseUrl + TASKS, key, onKeptConnection(), body.length)
    uploading.write(body.subarray(0, 1_000))
    const watching = onKeptConnection()
    const health = () => {
      const asked = ask(`${baseUrl}/health-check`, key, watching)
      asked.end()
      return asked.answer
    }
    expect((await health()).status).to.equal(200)

    const askedAt = performance.now()
    const stopped = served.stop()
    const stopping = await eventually(async () => {
      const answer = await health()
      expect(answer.status).to.equal(503)
      return answer
    })
    expect(performance.now() - askedAt, 'ms until it says so').to.be.below(1_000)
    expect(stopping.headers).to.include({ connection: 'close', 'retry-after': '30' })
    expect(JSON.parse(stopping.body)).to.deep.equal({ errors: ['The service is stopping.'] })
    const late = await health().catch((failure: NodeJS.ErrnoException) => failure.code)
    expect(late, 'a new connection').to.equal('ECONNREFUSED')
    await pause(2_000)
    uploading.end(body.subarray(1_000))
    const uploaded = await uploading.answer
    expect(uploaded.status).to.equal(201)
    created.push((JSON.parse(uploaded.body) as { taskId: number }).taskId)

    await Promise.all(senders)
    expect(await stopped).to.equal(0)
    const tookMs = performance.now() - askedAt
    expect(tookMs, 'ms until it has ended').to.be.below(STOP_PATIENCE.workMs)
    expect(tookMs, 'the silent receiver has its time').to.be.above(DELIVERY_TIMEOUT_MS - 5_000)
    expect(unexpected).to.deep.equal([])
    expect(created.length).to.be.above(SENDERS)

    // What was called has been answered, and is not called again.
    answerMs = 0
    const listed = await countersign(['deliveries', 'list', '--data', folder, '--sandbox', '--limit', '500'])
    const deliveries = listed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Delivery)
    const toSlow = deliveries.filter(({ subscriptionId }) => subscriptionId !== silentId)
    expect(toSlow.filter(({ attempts }) => attempts > 0).map(({ state }) => state)).to.deep.equal(
      slow.taken.map(() => 'delivered'),
    )
    expect(deliveries.filter(({ isUnderWay }) => isUnderWay)).to.deep.equal([])
    served = await start()
    const again = aClient({ baseUrl: served.baseUrl, apiKey: key })
    for (const id of created) expect((await again.readTask({ params: { id } })).taskId).to.equal(id)
    await eventually(() => expect(slow.taken.length).to.equal(created.length), 60_000)
    const told = slow.taken.map(({ headers }) => headers['x-service-event-id'])
    expect(new Set(told).size, 'each once').to.equal(created.length)
  })
})
