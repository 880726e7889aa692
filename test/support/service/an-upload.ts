/** A request that was announced and whose body does not come, as of a slow sender or one who only wants to hold room. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

export interface Upload {
  /** Status and headers, once there is an answer. */
  answer: Promise<IncomingMessage>
  /** Breaks the connection. */
  abort(): void
}

/** @param headers with `content-length`, or without it for a body whose length nobody knows. */
export async function anUpload(url: string, headers: Record<string, string>): Promise<Upload> {
  const sent = request(url, { method: 'POST', headers, agent: false })
  const answer = once(sent, 'response').then(([response]) => {
    const { resume } = response as IncomingMessage
    resume.call(response)
    return response as IncomingMessage
  })
  answer.catch(() => {})
  sent.on('error', () => {})
  sent.flushHeaders()
  sent.write(' ')
  // Until the service has seen it.
  await pause(150)
  return { answer, abort: () => sent.destroy() }
}
