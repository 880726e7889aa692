/** A scenario as a group of rules in a report: an invariant each. */
import type { ReportedRule } from '../../../lib/conform/report/report.ts'
import type { Played } from './rehearsal.ts'
import { type Invariant, invariants, sentenceOf } from './verdict.ts'

export function rulesOf({ scenario, failures, skipped }: Played): ReportedRule[] {
  return (Object.entries(invariants) as [Invariant, string][]).map(([invariant, name]) => {
    const sentences = failures.filter((one) => one.invariant === invariant).map((one) => sentenceOf(one, scenario))
    const why = skipped ?? sentences.join(' ')
    return {
      group: scenario,
      name,
      spec: 'docs/guides/rehearse.md',
      result: skipped === null ? (sentences.length > 0 ? 'deviates' : 'holds') : 'not tried',
      // A report ends each reason with a full stop.
      why: why === '' ? null : why.replace(/\.$/, ''),
      exchanges: [],
    }
  })
}
