/**
 * Answers calls as they were answered when they were recorded. A call matches when it has the same method, path and parameters, and
 * a body with the same fields; private values count as equal. What the caller sends in the place of a stand-in takes its place in
 * the answers, too.
 */
import { operationsOf } from '../../lib/profile/host-operations.ts'
import { type Call, callOf, maskCall } from './call.ts'
import { closestTo, type Likeness } from './closest.ts'
import type { Exchange } from './exchange.ts'
import type { Recording } from './folder.ts'
import type { Json, Masking } from './mask.ts'

export interface Replay {
  /** @param target path and query, as in the first line of the request */
  answer(method: string, target: string, body: unknown): ReplayAnswer | NoMatch
}

export interface ReplayAnswer {
  exchange: Exchange
  next: Readonly<Record<string, string[]>> | undefined
  body: Json | undefined
}

/** Nothing of the call is in it but the name of the operation. */
export interface NoMatch {
  operation: string | null
  errors: readonly string[]
}

/** The exchanges of one call that was made several times. */
interface Queue {
  likeness: Likeness
  exchanges: Exchange[]
  answered: number
}

export function createReplay({ profile, exchanges }: Recording): Replay {
  const rows = operationsOf(profile)
  const queues = new Map<string, Queue>()
  const values = new Map<string, string>()
  const recordedCall = ({ request }: Exchange) => {
    const query = Object.entries(request.query).flatMap(([name, texts]) => texts.map((text) => [name, text]))
    const target = `${request.path}?${new URLSearchParams(query as [string, string][])}`
    return callOf(rows, request.method, target, request.body)
  }
  for (const exchange of exchanges) {
    const call = recordedCall(exchange)
    if (!call) continue
    const likeness = likenessOf(call)
    const queue = queues.get(keyOf(likeness)) ?? { likeness, exchanges: [], answered: 0 }
    queue.exchanges.push(exchange)
    queues.set(keyOf(likeness), queue)
  }

  return {
    answer(method, target, body) {
      const call = callOf(rows, method, target, body)
      if (!call) return { operation: null, errors: ['The interface has no call with this method and path.'] }
      const likeness = likenessOf(call)
      const queue = queues.get(keyOf(likeness))
      if (!queue) {
        const recorded = [...queues.values()].map(({ likeness: one, exchanges: [first] }) => ({
          ...one,
          exchange: first!,
        }))
        return { operation: call.operation, errors: closestTo(likeness, recorded) }
      }
      const exchange = queue.exchanges[Math.min(queue.answered++, queue.exchanges.length - 1)]!
      const given = privateTexts(call)
      for (const [index, standIn] of privateTexts(recordedCall(exchange)!).entries()) values.set(standIn, given[index]!)
      const { next, body: answer } = exchange.answer
      return {
        exchange,
        next: next && (withValues(next, values) as Record<string, string[]>),
        body: answer === undefined ? undefined : withValues(answer, values),
      }
    },
  }
}

const keyOf = ({ operation, path, query, body }: Likeness) => JSON.stringify([operation, path, query, body])

/** Takes the place of each private text, so that calls compare alike. */
const PRIVATE = '…'

function likenessOf(call: Call): Likeness {
  const { method, path, query, body } = maskCall(call, { replace: () => PRIVATE, leaveOut() {} })
  return {
    operation: call.operation,
    method,
    path,
    query: JSON.stringify(query),
    body: JSON.stringify(shapeOf(body)) ?? '',
  }
}

/** Numbers are places on a page, or ids of a catalog: they may differ. */
function shapeOf(value: Json | undefined): Json | undefined {
  if (typeof value === 'number') return 0
  if (Array.isArray(value)) return value.map((item) => shapeOf(item)!)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)!]))
}

/** In the order in which masking meets them, which is the same for calls that match. */
function privateTexts(call: Call): string[] {
  const texts: string[] = []
  const collecting: Masking = {
    replace(text) {
      texts.push(text)
      return text
    },
    leaveOut() {},
  }
  maskCall(call, collecting)
  return texts
}

function withValues(part: Json, values: ReadonlyMap<string, string>): Json {
  if (typeof part === 'string') return values.get(part) ?? part
  if (Array.isArray(part)) return part.map((item) => withValues(item, values))
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, withValues(value, values)]))
}
