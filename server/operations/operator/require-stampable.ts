/** Refuses a name that could not be stamped, while the operator can still change it. choice: Fonts of ink */
import { unstampableProblem } from '../../../lib/pdf/text/ink-text.ts'
import { Refusal } from '../../domain/refusal.ts'
import { coveredCharacters } from '../../pdf/ink/covered.ts'

/** @param field where the name is in the body */
export function requireStampable(field: string, name: string | undefined): void {
  const problem = unstampableProblem(name ?? '', coveredCharacters())
  if (problem) throw new Refusal('invalid', `${field}: ${problem}`)
}
