/** What the fonts of the service can write, as the pages know it. */
import { type CoveredCharacters, unstampableProblem } from '../../../../lib/pdf/text/ink-text.ts'
import { call } from '../../shared/api.ts'

/** Asked for once for each visit; the service refuses such a text in any case, so it may stay unknown. */
let covered: Promise<CoveredCharacters | null> | undefined

/** Resolves with the covered characters; with null while they are unknown. */
export function coveredCharacters(): Promise<CoveredCharacters | null> {
  covered ??= call<{ ranges: number[] }>('GET', '/inbox/api/stampable').then(
    ({ ranges }) => ranges,
    () => {
      covered = undefined
      return null
    },
  )
  return covered
}

/** Resolves with whether one of these texts has characters that no font can write. */
export async function hasUnstampable(texts: readonly string[]): Promise<boolean> {
  const characters = await coveredCharacters()
  return characters !== null && texts.some((text) => unstampableProblem(text, characters) !== null)
}
