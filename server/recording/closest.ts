/** Which recorded calls come closest to one that matches none. Says nothing of that one but where it differs. Pure. */
import type { OperationName } from '../../lib/contract/operations.ts'
import type { Exchange } from './exchange.ts'

/** The parts that must be equal for a call to match. */
export interface Likeness {
  operation: OperationName
  method: string
  path: string
  query: string
  body: string
}

const SHOWN = 3
const PARTS = { path: 'the path', query: 'the parameters', body: 'the fields of the body' } as const

/** Returns sentences for the caller. */
export function closestTo(call: Likeness, recorded: readonly (Likeness & { exchange: Exchange })[]): string[] {
  const others = recorded
    .filter(({ operation }) => operation === call.operation)
    .map(({ exchange, ...one }) => ({ exchange, differing: differences(call, one) }))
    .sort((a, b) => a.differing.length - b.differing.length || a.exchange.number - b.exchange.number)
    .slice(0, SHOWN)
  if (others.length === 0) {
    const names = [...new Set(recorded.map(({ operation }) => operation))].join(', ')
    return [`The recording holds no ${call.operation}. It holds ${names}.`]
  }
  return [
    `The recording holds no ${call.operation} like this one.`,
    ...others.map(
      ({ exchange, differing }) =>
        `Recorded call ${exchange.number}, ${shown(exchange)}, differs in ${differing.join(' and ')}.`,
    ),
  ]
}

const differences = (call: Likeness, other: Likeness): string[] =>
  (['path', 'query', 'body'] as const).filter((part) => call[part] !== other[part]).map((part) => PARTS[part])

/** Shows an exchange as it is in the recording, with stand-ins. */
function shown({ request: { method, path, query } }: Exchange): string {
  const parameters = Object.entries(query).flatMap(([name, texts]) => texts.map((text) => `${name}=${text}`))
  return `${method} ${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`
}
