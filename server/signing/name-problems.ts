/** Whether the names that are stamped can be: they may have been written down before they were checked. choice: Fonts of ink */
import { type CoveredCharacters, unstampableProblem } from '../../lib/pdf/text/ink-text.ts'
import type { PendingDocument } from '../store/tasks/signing.ts'

type Names = Pick<PendingDocument, 'signer' | 'onBehalfOf' | 'organization'>

/** Returns a sentence for each name that cannot be stamped. */
export function nameProblems({ signer, onBehalfOf, organization }: Names, covered: CoveredCharacters): string[] {
  const names = {
    'your name': signer.name,
    'the name of the signer for whom you sign': onBehalfOf?.name ?? '',
    'the name of your organization': organization ?? '',
  }
  return Object.entries(names).flatMap(([whose, name]) => {
    const problem = unstampableProblem(name, covered)
    return problem ? [`The document cannot be signed: ${whose} must be ${problem}. Please ask the operator.`] : []
  })
}
