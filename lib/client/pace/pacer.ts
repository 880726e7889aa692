/**
 * Sends all calls to one host in the order they came, no faster than the host takes them. A call that the host puts off waits
 * and is sent again, until the host has let no call through for longer than the timeout.
 */
import { type Clock, systemClock } from '../../clock.ts'
import { RateLimitedError, UnreachableError } from '../errors.ts'
import { type Alarm, createAlarm } from './alarm.ts'
import { type Bucket, letThrough, newBucket, paused, refused, spent, waitMs } from './bucket.ts'
import { type Queue, queueTeller } from './queue.ts'
import { isRefusal, likewise, pauseAfter, type Refusal } from './refusal.ts'

export interface PacerOptions {
  /** Calls that may be under way at once. */
  concurrency: number
  /** Milliseconds for which the host may let no call through before those that wait fail. */
  patienceMs: number
  /** Called when calls begin to wait for the host, each second while they do, and with null when none does any more. */
  onQueue?: (queue: Queue | null) => void
  /** Times the pauses. Optional; the system's clock by default. */
  clock?: Clock
  /** Returns numbers from 0 to 1. */
  random?: () => number
}

export interface PacedCall {
  /** Names the call in the error of a call that was never sent. */
  operation: string
  /** Whether sending it twice does no harm. Otherwise it is sent again only when it was certainly not taken (429). */
  isRepeatable: boolean
  /** Takes the call out of the queue; it then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

export interface Pacer {
  /**
   * Calls `send` when it is the turn of the call, and again when the host puts it off; resolves and rejects as `send` does. When
   * the timeout has passed, rejects with a RateLimitedError, or with an UnreachableError for a host that is busy.
   */
  run<T>(send: () => Promise<T>, call: PacedCall): Promise<T>
}

interface Turn extends PacedCall {
  /** Its place in the order of the calls. */
  number: number
  /** Whether it has waited for the host. */
  hasWaited: boolean
  send(): Promise<unknown>
  resolve(result: unknown): void
  reject(failure: unknown): void
}

/** State shared by the calls of a pacer. */
interface Pacing {
  concurrency: number
  patienceMs: number
  clock: Clock
  random: () => number
  bucket: Bucket
  /** The calls that wait, in their order. */
  turns: Turn[]
  underWay: number
  /** How the host asked to wait the last time. */
  refusal?: Refusal
  alarm: Alarm
  tell(): void
}

/** Returns a pacer for one host and key, which all clients of these should share. */
export function createPacer({
  onQueue = () => {},
  clock = systemClock,
  random = Math.random,
  ...limits
}: PacerOptions): Pacer {
  const alarm = createAlarm(clock, () => pump(pacing))
  const tell = queueTeller(() => queueOf(pacing), onQueue, clock)
  const bucket = newBucket(clock.now())
  const pacing: Pacing = { ...limits, clock, random, bucket, turns: [], underWay: 0, alarm, tell }
  let count = 0
  return {
    run: <T>(send: () => Promise<T>, call: PacedCall) => {
      const { signal } = call
      let leave = () => {}
      const ended = new Promise<unknown>((resolve, reject) => {
        signal?.throwIfAborted()
        const turn = { ...call, number: ++count, hasWaited: false, send, resolve, reject }
        leave = () => {
          // A call under way has the same signal, and ends by itself.
          if (!pacing.turns.includes(turn)) return
          pacing.turns = pacing.turns.filter((other) => other !== turn)
          reject(signal?.reason)
          pump(pacing)
        }
        signal?.addEventListener('abort', leave, { once: true })
        pacing.turns.push(turn)
        pump(pacing)
      })
      return ended.finally(() => signal?.removeEventListener('abort', leave)) as Promise<T>
    },
  }
}

/** Sends what may be sent now, and sets the alarm for the next. */
function pump(pacing: Pacing): void {
  const { concurrency, clock, alarm } = pacing
  const isFree = () => pacing.turns.length > 0 && pacing.underWay < concurrency
  giveUp(pacing)
  while (isFree() && waitMs(pacing.bucket, clock.now()) === 0) void go(pacing, pacing.turns.shift()!)
  if (isFree()) for (const turn of pacing.turns) turn.hasWaited = true
  alarm.set(isFree() ? clock.now() + waitMs(pacing.bucket, clock.now()) : undefined)
  pacing.tell()
}

async function go(pacing: Pacing, turn: Turn): Promise<void> {
  const sentAt = pacing.clock.now()
  pacing.bucket = spent(pacing.bucket, sentAt)
  pacing.underWay += 1
  try {
    const result = await turn.send()
    pacing.bucket = letThrough(pacing.bucket, sentAt, turn.hasWaited)
    turn.resolve(result)
  } catch (failure) {
    if (isRefusal(failure)) putOff(pacing, turn, sentAt, failure)
    else {
      // Any other answer shows that the host took the call.
      if (!(failure instanceof UnreachableError)) pacing.bucket = letThrough(pacing.bucket, sentAt, turn.hasWaited)
      turn.reject(failure)
    }
  } finally {
    pacing.underWay -= 1
    pump(pacing)
  }
}

/** Takes the call back to its place in the queue, unless it may not be sent again. */
function putOff(pacing: Pacing, turn: Turn, sentAt: number, refusal: Refusal): void {
  const { clock, random, turns, bucket } = pacing
  const isRate = refusal instanceof RateLimitedError
  const pauseMs = pauseAfter(refusal, bucket.refusals + 1, random())
  pacing.bucket = isRate ? refused(bucket, sentAt, clock.now(), pauseMs) : paused(bucket, clock.now(), pauseMs)
  pacing.refusal = refusal
  if (!(isRate || turn.isRepeatable) || turn.signal?.aborted || isHopeless(pacing)) {
    turn.reject(refusal)
    return
  }
  turn.hasWaited = true
  const behind = turns.findIndex(({ number }) => number > turn.number)
  turns.splice(behind === -1 ? turns.length : behind, 0, turn)
}

/** Whether the host wants to be left alone for longer than the timeout. */
const isHopeless = ({ bucket, patienceMs, clock }: Pacing): boolean =>
  bucket.refusals > 0 && bucket.at > clock.now() && bucket.at > bucket.refusedSince + patienceMs

function giveUp(pacing: Pacing): void {
  const { refusal, turns, bucket, clock } = pacing
  if (!refusal || !isHopeless(pacing)) return
  pacing.turns = []
  const seconds = Math.ceil((bucket.at - clock.now()) / 1000)
  for (const { operation, reject } of turns) reject(likewise(refusal, operation, seconds))
}

function queueOf({ turns, bucket, clock, refusal }: Pacing): Queue | null {
  const now = clock.now()
  if (turns.length === 0 || waitMs(bucket, now) === 0) return null
  const reason = refusal instanceof RateLimitedError ? 'rateLimited' : 'busy'
  return { reason, count: turns.length, ms: waitMs(bucket, now, turns.length - 1) }
}
