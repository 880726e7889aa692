/** Reads the sentences with which a service explains a refusal. */
import { withhold } from '../exchange/withhold.ts'
import { readJson } from './read-json.ts'

interface Refusal {
  status: number
  text: string
  /** Every text that was sent. */
  sent: readonly string[]
}

/** Returns the service's own sentences, from any of the shapes that hosts give them, without what was sent. A page of HTML is not repeated. */
export function sentencesOf({ status, text, sent }: Refusal): string[] {
  const { errors, message, error, title } = (readJson(text) ?? {}) as Record<string, unknown>
  const found = [errors, message, error, title]
    .flat()
    .filter((sentence): sentence is string => typeof sentence === 'string' && sentence !== '')
  return found.length > 0
    ? found.slice(0, 100).map((sentence) => withhold(sentence.slice(0, 2000), sent).slice(0, 500))
    : [`the service gave no reason for status ${status}`]
}
