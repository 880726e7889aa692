/** Whether the names that are stamped can be: they may have been written down before they were checked. choice: Fonts of ink */
import { unstampableProblem } from '../../lib/pdf/text/ink-text.ts'
import { Refusal } from '../domain/refusal.ts'
import { coveredCharacters } from '../pdf/ink/covered.ts'
import type { PendingDocument } from '../store/tasks/signing.ts'

/** Refuses with `invalid` what cannot be stamped. */
export function checkNames({ signerName, organization }: Pick<PendingDocument, 'signerName' | 'organization'>): void {
  const names = { 'your name': signerName, 'the name of your organization': organization ?? '' }
  const problems = Object.entries(names).flatMap(([whose, name]) => {
    const problem = unstampableProblem(name, coveredCharacters())
    return problem ? [`The document cannot be signed: ${whose} must be ${problem}. Please ask the operator.`] : []
  })
  if (problems.length > 0) throw new Refusal('invalid', ...problems)
}
