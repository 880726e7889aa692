/** Whether the names that are stamped can be: they may have been written down before they were checked. choice: Fonts of ink */
import { type CoveredCharacters, unstampableProblem } from '../../lib/pdf/text/ink-text.ts'
import type { PendingDocument } from '../store/tasks/signing.ts'

type Names = Pick<PendingDocument, 'signerName' | 'organization'>

/** Returns a sentence for each name that cannot be stamped. */
export function nameProblems({ signerName, organization }: Names, covered: CoveredCharacters): string[] {
  const names = { 'your name': signerName, 'the name of your organization': organization ?? '' }
  return Object.entries(names).flatMap(([whose, name]) => {
    const problem = unstampableProblem(name, covered)
    return problem ? [`The document cannot be signed: ${whose} must be ${problem}. Please ask the operator.`] : []
  })
}
