/** A request that was announced and whose body does not come, as of a slow sender or one who only wants to hold room. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { eventually } from '../eventually.ts'

export interface Upload {
  /** Status and headers, once there is an answer. */
  answer: Promise<IncomingMessage>
  /** Breaks the connection; resolves when the service has noticed. */
  abort(): Promise<void>
}

/**
 * Resolves when the service, which runs in this process, reads the body or has refused it.
 * @param headers with `content-length`, or without it for a body whose length nobody knows.
 */
export async function anUpload(url: string, headers: Record<string, string>): Promise<Upload> {
  const sent = request(url, { method: 'POST', headers, agent: false })
  const answer = once(sent, 'response').then(([response]) => (response as IncomingMessage).resume())
  answer.catch(() => {})
  sent.on('error', () => {})
  const arrival = arrivalOf(sent)
  sent.flushHeaders()
  sent.write(' ')
  const { received, response, closed } = await arrival
  await eventually(() => {
    if (!received.readableFlowing && !response.headersSent) throw new Error('Nobody reads the body, nor refuses it.')
  })
  return {
    answer,
    async abort() {
      sent.destroy()
      await closed
    },
  }
}

interface Arrival {
  received: IncomingMessage
  response: ServerResponse
  /** Resolves when nothing more of the answer can be sent. */
  closed: Promise<unknown>
}

/** Node publishes every request that a server of the process begins to handle. */
const CHANNEL = 'http.server.request.start'

const arrivalOf = (sent: ClientRequest): Promise<Arrival> =>
  new Promise((resolve) => {
    const see = (message: unknown) => {
      const { request: received, response } = message as { request: IncomingMessage; response: ServerResponse }
      if (received.socket.remotePort !== sent.socket?.localPort) return
      unsubscribe(CHANNEL, see)
      // An answer that needs nothing from elsewhere is closed before anybody who waits for the arrival goes on.
      resolve({ received, response, closed: once(response, 'close') })
    }
    subscribe(CHANNEL, see)
  })
