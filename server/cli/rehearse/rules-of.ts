/** A scenario as a group of rules in a report: an invariant each. */
import type { ReportedRule } from '../../../lib/conform/report/report.ts'
import { type Failure, type Invariant, invariants } from './verdict.ts'

export function rulesOf(scenario: string, failures: readonly Failure[]): ReportedRule[] {
  return (Object.entries(invariants) as [Invariant, string][]).map(([invariant, name]) => {
    const sentences = failures.filter((one) => one.invariant === invariant).map(({ sentence }) => sentence)
    return {
      group: scenario,
      name,
      spec: 'rehearsal',
      result: sentences.length > 0 ? 'deviates' : 'holds',
      why: sentences.length > 0 ? sentences.join(' ').replace(/\.$/, '') : null,
      exchanges: [],
    }
  })
}
