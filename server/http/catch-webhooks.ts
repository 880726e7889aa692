/** `/sandbox/catch/NAME`: takes a webhook as a receiver would, verifies it, records it, and answers as its catcher is set. */
import express, { type RequestHandler, Router } from 'express'
import { type Clock, timeOf } from '../../lib/clock.ts'
import type { HostProfile } from '../../lib/profile/host-profile.ts'
import { verifyWebhook } from '../../lib/webhook/signature.ts'
import { CATCH_PATH } from '../domain/delivery/target.ts'
import type { Catchers } from '../operations/sandbox/catchers.ts'
import type { CatcherAnswer } from '../operations/sandbox/messages.ts'
import { shownBody, shownHeaders } from '../operations/sandbox/traffic/exchange.ts'
import type { Traffic } from '../operations/sandbox/traffic/traffic.ts'
import { loggedRoute } from './logged-route.ts'

export interface CatchParts {
  catchers: Pick<Catchers, 'find'>
  traffic: Pick<Traffic, 'add'>
  /** The time that a sandbox shows. */
  clock: Clock
  /** Webhooks are signed for it. */
  realClock: Pick<Clock, 'now' | 'after'>
  profile: HostProfile
}

const LARGEST = '64kb'
const SLOW_MS = 8_000
/** A caller that gets no answer has given up by then. */
const NEVER_MS = 60_000
/** How many callers of one catcher wait for an answer. Those whose signature is wrong take no places of the others. */
const MOST_WAITING = 20
const STATUS: Readonly<Record<CatcherAnswer, number | null>> = {
  ok: 200,
  error: 500,
  gone: 410,
  slow: 200,
  never: null,
}

export function catchWebhooks({ catchers, traffic, clock, realClock, profile }: CatchParts): Router {
  const waiting = new Map<string, number>()
  const take: RequestHandler = (req, res) => {
    const catcher = catchers.find(String(req.params.name))
    // A subscription to a catcher that a restart has ended is switched off by this answer.
    if (!catcher) return void res.status(410).json({ errors: ['path: no catcher of this sandbox has this name'] })
    const { organizationId, answer, secrets } = catcher
    const isWaiting = answer === 'slow' || answer === 'never'
    const payload = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
    const isVerified = secrets.some((secret) => isBelievable(payload, req.headers, secret))
    const place = `${catcher.name} ${isVerified}`
    const others = waiting.get(place) ?? 0
    if (isWaiting && others >= MOST_WAITING) return void res.status(503).end()
    const event = eventIn(payload)
    traffic.add(organizationId, {
      at: timeOf(clock).toISOString(),
      direction: 'caught',
      operation: event.status,
      method: req.method,
      url: `${CATCH_PATH}/${catcher.name}`,
      taskId: event.taskId,
      externalDocId: null,
      status: STATUS[answer],
      durationMs: answer === 'slow' ? SLOW_MS : 0,
      fault: null,
      replayOf: null,
      isVerified,
      requestHeaders: shownHeaders(req.headers, profile.apiKeyHeader),
      requestBody: event.shown,
      answerHeaders: {},
      answerBody: '',
    })
    const end = () => void (answer === 'never' ? res.destroy() : res.status(STATUS[answer] ?? 200).end())
    if (!isWaiting) return end()
    waiting.set(place, others + 1)
    const cancel = realClock.after(answer === 'slow' ? SLOW_MS : NEVER_MS, end)
    res.on('close', () => {
      cancel()
      waiting.set(place, (waiting.get(place) ?? 1) - 1)
    })
  }

  function isBelievable(payload: Buffer, headers: NodeJS.Dict<string | string[]>, secrets: string): boolean {
    try {
      verifyWebhook({ payload, headers, secrets, now: realClock.now(), profile })
      return true
    } catch {
      return false
    }
  }

  const router = Router()
  const path = `${CATCH_PATH}/:name`
  router.post(path, loggedRoute(path), express.raw({ limit: LARGEST, inflate: false, type: () => true }), take)
  return router
}

/** Reads what a body says of itself, whether or not it can be believed. It may be nested too deeply to be shown as JSON. */
function eventIn(payload: Buffer): { status: string; taskId: number | null; shown: string } {
  try {
    const body = JSON.parse(payload.toString('utf8')) as { status?: unknown; taskId?: unknown } | null
    const status = typeof body?.status === 'string' ? body.status.slice(0, 40) : 'unknown'
    const taskId = Number.isSafeInteger(body?.taskId) ? Number(body?.taskId) : null
    return { status, taskId, shown: shownBody(body) }
  } catch {
    return { status: 'unknown', taskId: null, shown: shownBody(payload.subarray(0, 1_000).toString('utf8')) }
  }
}
