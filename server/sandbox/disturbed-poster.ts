/** Makes callbacks go wrong as the sender has planned, to try what its receiver does with them, and records each that is sent. */
import { randomBytes } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { type Clock, timeOf } from '../../lib/clock.ts'
import type { StatusEvent } from '../../lib/contract/event.ts'
import type { HostProfile } from '../../lib/profile/host-profile.ts'
import { verifyWebhook } from '../../lib/webhook/signature.ts'
import type { Faults } from '../operations/sandbox/faults.ts'
import { type Exchange, shownBody, shownHeaders } from '../operations/sandbox/traffic/exchange.ts'
import type { OriginalWebhook } from '../operations/sandbox/traffic/originals.ts'
import type { Traffic } from '../operations/sandbox/traffic/traffic.ts'
import type { Poster } from '../workers/delivery/post.ts'
import type { Reply } from '../workers/delivery/reply.ts'
import { type Sending, signedHeaders } from '../workers/delivery/signed-headers.ts'

const DELAY_SECONDS = 5
/** Older than any receiver accepts. */
const OLD_MS = 24 * 60 * 60 * 1000

export interface DisturbedParts {
  /** Sends to receivers elsewhere. */
  poster: Poster
  faults: Pick<Faults, 'ofCallback'>
  traffic: Pick<Traffic, 'add'>
  /** The time that a sandbox shows. */
  clock: Clock
  /** Receivers live in it. */
  realClock: Pick<Clock, 'now' | 'sleep'>
  /** How the service speaks to receivers. */
  profile: HostProfile
}

export function disturbedPoster({ poster, faults, traffic, clock, realClock, profile }: DisturbedParts): Poster {
  /** @param sent what is sent in place of the right body and headers */
  async function send(
    sending: Sending,
    cutOff: AbortSignal,
    { taskId, status: operation }: StatusEvent,
    fault: string | null,
    sent: { body?: Buffer; headersAt?(at: number): OutgoingHttpHeaders } = {},
    replayOf: number | null = null,
  ): Promise<{ reply: Reply; exchange: Exchange } | null> {
    const { body = sending.body, headersAt = (at: number) => signedHeaders(sending, at, profile) } = sent
    const [at, began] = [timeOf(clock).toISOString(), performance.now()]
    let headers: OutgoingHttpHeaders = {}
    const reply = await poster.post({ ...sending, body }, cutOff, (time) => {
      headers = headersAt(time)
      return headers
    })
    if (reply === null) return null
    const exchange = {
      at,
      direction: 'webhook' as const,
      operation,
      method: 'POST',
      url: sending.url,
      taskId,
      externalDocId: null,
      status: reply.status,
      durationMs: Math.round(performance.now() - began),
      fault,
      replayOf,
      isVerified: isBelievable(sending, body, shownHeaders(headers, ''), realClock.now()),
      requestHeaders: shownHeaders(headers, ''),
      requestBody: shownBody(JSON.parse(body.toString('utf8'))),
      answerHeaders: {},
      answerBody: '',
    }
    const again: OriginalWebhook = {
      is: 'webhook',
      bytes: sending.body.length,
      async send(replayOf) {
        const event = { taskId, status: operation } as StatusEvent
        const sentAgain = await send(sending, new AbortController().signal, event, null, {}, replayOf)
        return sentAgain?.exchange ?? null
      },
    }
    return { reply, exchange: traffic.add(sending.organizationId, exchange, again) }
  }

  function isBelievable({ secrets }: Sending, payload: Buffer, headers: Record<string, string>, now: number): boolean {
    try {
      verifyWebhook({ payload, headers, secrets: secrets.map((secret) => secret.toString('base64')), now, profile })
      return true
    } catch {
      return false
    }
  }

  return {
    ...poster,
    async post(sending, cutOff) {
      const { StatusEvent } = await import('../../lib/contract/event.ts')
      const event = StatusEvent.parse(JSON.parse(sending.body.toString('utf8')))
      const planned = faults.ofCallback(sending.organizationId, event.status)
      const fault = planned?.fault ?? null
      const sendAs = async (sent = {}) => (await send(sending, cutOff, event, fault, sent))?.reply ?? null
      switch (planned?.fault) {
        case 'duplicate':
          await sendAs()
          return sendAs()
        case 'delay':
          await realClock.sleep((planned.delaySeconds ?? DELAY_SECONDS) * 1000, cutOff).catch(() => {})
          return sendAs()
        case 'wrong-signature': {
          const forged: Sending = { ...sending, secrets: [randomBytes(32)] }
          return sendAs({ headersAt: (at: number) => signedHeaders(forged, at, profile) })
        }
        case 'old-timestamp':
          return sendAs({ headersAt: (at: number) => signedHeaders(sending, at - OLD_MS, profile) })
        case 'changed-body':
          return sendAs({ body: changed(sending, event) })
      }
      return sendAs()
    },
  }
}

/** Returns a body about another task, of the same length, so that the headers of the true body fit. */
function changed(sending: Pick<Sending, 'body'>, event: StatusEvent): Buffer {
  const taskId = String(event.taskId)
  const other = `${taskId.slice(0, -1)}${(Number(taskId.at(-1)) + 1) % 10}`
  return Buffer.from(sending.body.toString('utf8').replace(`"taskId":${taskId}`, `"taskId":${other}`))
}
