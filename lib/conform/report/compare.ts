/** Compares two runs on a host: which rules ended otherwise than before. Pure. */
import * as z from 'zod'
import { rule } from '../../contract/primitives.ts'
import type { Result } from '../conform.ts'
import type { Report } from './report.ts'

const results = ['holds', 'deviates', 'not tried'] as const satisfies readonly Result[]

const REPORT = rule('a report that countersign conform --report FILE.json wrote')
/** The parts of an earlier report that a comparison needs; other parts do not matter. */
export const EarlierReport = z.object(
  {
    at: z.string(REPORT),
    rules: z.array(z.object({ group: z.string(), name: z.string(), result: z.enum(results) }), REPORT),
  },
  REPORT,
)
export type EarlierReport = z.infer<typeof EarlierReport>

export interface Change {
  /** The name of the rule, with its group. */
  rule: string
  /** Null for a rule that the earlier run did not have. */
  before: Result | null
  /** Null for a rule that this run did not have. */
  now: Result | null
}

/** Returns the changes in the order of the newer run, and after them the rules that only the earlier run had. */
export function changesBetween(earlier: Pick<EarlierReport, 'rules'>, now: Pick<Report, 'rules'>): Change[] {
  const before = resultsOf(earlier.rules)
  const after = resultsOf(now.rules)
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((name) => ({ rule: name, before: before.get(name) ?? null, now: after.get(name) ?? null }))
    .filter((change) => change.before !== change.now)
}

const resultsOf = (rules: readonly { group: string; name: string; result: Result }[]) =>
  new Map(rules.map(({ group, name, result }) => [`${group}: ${name}`, result]))

/** Returns a sentence, such as `Create: answers 201. Before: holds. Now: deviates.` */
export const changeInWords = ({ rule: name, before, now }: Change): string =>
  `${name}. Before: ${before ?? 'no such rule'}. Now: ${now ?? 'no such rule'}.`
