/** Which characters a page shows anywhere: much cheaper to know than where each glyph is. */
import { fold } from '../fold.ts'
import type { OperatorList, ShownText } from './operator-list.ts'
import type { OperatorNumbers } from './text-operators.ts'

/** Returns the characters, folded. A page that lacks one of a needle's characters cannot hold the needle. */
export function lettersOf({ operators, operands }: OperatorList, numbers: OperatorNumbers): ReadonlySet<string> {
  const shows = new Set([numbers.showText, numbers.nextLineShowText, numbers.nextLineSetSpacingShowText])
  const letters = new Set<string>()
  operators.forEach((operator, i) => {
    const shown = shows.has(operator) ? (operands[i] as unknown[]).at(-1) : null
    if (!Array.isArray(shown)) return
    for (const item of shown as ShownText) {
      if (item === null || typeof item === 'number') continue
      for (const letter of fold(item.unicode ?? '')) letters.add(letter)
    }
  })
  return letters
}
