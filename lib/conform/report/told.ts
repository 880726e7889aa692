/** Reduces an exchange to its shape for a report: never a key, a patient, a document or another text of the host. */
import { textsOf, withhold } from '../../client/exchange/withhold.ts'
import { placementTypes } from '../../contract/task/annotations.ts'
import { fieldTypes } from '../../contract/task/field-kinds.ts'
import { taskStatuses } from '../../contract/task/task-status.ts'
import type { Exchange } from '../host.ts'

export interface ToldExchange {
  /** Method, path and the names of the query. */
  request: string
  /** The key that it carried. */
  key: Exchange['as']
  sent?: unknown
  status: number
  received?: unknown
}

/** How many items of an array are told. */
const MOST_ITEMS = 2
const WORDS: ReadonlySet<unknown> = new Set([...taskStatuses, ...fieldTypes, ...placementTypes])

/** @param secrets values that no sentence may hold, such as the keys */
export function told(
  { method, path, query, as, sent, status, received }: Exchange,
  secrets: readonly string[],
): ToldExchange {
  const names = Object.entries(query).map(([name, value]) => `${name}=${typeof value === 'string' ? '…' : value}`)
  const private_ = [...secrets, ...textsOf(sent, query)]
  const body = status >= 400 ? withSentences(received, private_) : shapeOf(received)
  return {
    request: `${method} ${path}${names.length > 0 ? `?${names.join('&')}` : ''}`,
    key: as,
    ...(sent !== undefined && { sent: shapeOf(sent) }),
    status,
    ...(received !== undefined && { received: body }),
  }
}

/** A refusal keeps its sentences, without anything that was sent. */
function withSentences(body: unknown, private_: readonly string[]): unknown {
  const { errors } = Object(body) as { errors?: unknown }
  if (!Array.isArray(errors)) return shapeOf(body)
  return { errors: errors.map((error) => (typeof error === 'string' ? withhold(error, private_) : shapeOf(error))) }
}

/** Names, numbers and truth values as they are; of a text only that it is one. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return WORDS.has(value) ? value : '…'
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, shapeOf(of)]))
  const more = value.length - MOST_ITEMS
  return [...value.slice(0, MOST_ITEMS).map(shapeOf), ...(more > 0 ? [`… and ${more} more`] : [])]
}
