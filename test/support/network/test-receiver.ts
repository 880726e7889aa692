/** A sender's server: a real HTTP server that verifies each callback with the library, keeps it, and answers as the test says. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { StatusEvent } from '../../../lib/contract/event.ts'
import { verifyWebhook } from '../../../lib/webhook/signature.ts'
import { patience } from '../patience.ts'

export interface Received {
  /** The event, when a secret is known and the signature holds. */
  event: StatusEvent | null
  /** Why the callback was not believed, or null. */
  refusal: unknown
  headers: IncomingHttpHeaders
  body: Buffer
}

export class TestReceiver {
  readonly received: Received[] = []
  readonly secrets: string[] = []
  /** What is answered from now on. */
  status = 204
  /** The body of the answer. */
  answer = ''
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      this.#take(request.headers, Buffer.concat(chunks))
      response.writeHead(this.status).end(this.answer)
    })
  })

  static async start(): Promise<TestReceiver> {
    const receiver = new TestReceiver()
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/callbacks`
  }

  /** Statuses of the events of a task, in the order in which they came, without repetitions. */
  statusesOf(taskId: number): string[] {
    const events = this.received.map(({ event }) => event).filter((event) => event?.taskId === taskId)
    return [...new Map(events.map((event) => [event!.eventId, event!.status])).values()]
  }

  /** The first callback that fits; waits for it. */
  async until(fits: (one: Received) => boolean, timeoutMs = 8_000): Promise<Received> {
    for (const until = Date.now() + patience(timeoutMs); ; ) {
      const found = this.received.find(fits)
      if (found) return found
      if (Date.now() > until) throw new Error(`No such callback came; ${this.received.length} others did.`)
      await pause(10)
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #take(headers: IncomingHttpHeaders, body: Buffer): void {
    try {
      const event = verifyWebhook({ payload: body, headers, secrets: this.secrets })
      this.received.push({ event, refusal: null, headers, body })
    } catch (refusal) {
      this.received.push({ event: null, refusal, headers, body })
    }
  }
}
