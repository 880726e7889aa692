/** The characters that the fonts of the service can write, as the pages know them. */
import { fieldNames, sentenceAt } from '../../../../lib/pdf/placement/field-names.ts'
import { type CoveredCharacters, unstampableProblem } from '../../../../lib/pdf/text/ink-text.ts'
import type { Opened } from '../../../operations/signer/messages.ts'
import { call } from '../../shared/api.ts'
import type { Draft } from '../desk/draft.ts'

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

/** Resolves with the first field whose text has characters that no font can write, and what signing would say of it; with null where there is none. */
export async function unstampableField(fields: Opened['fields'], values: Draft['values']) {
  const characters = await coveredCharacters()
  if (!characters) return null
  for (const [index, field] of fields.entries()) {
    const text = values[index]
    const problem = typeof text === 'string' ? unstampableProblem(text, characters) : null
    if (problem) return { index, sentence: sentenceAt(fieldNames(fields)[index]!, field, problem) }
  }
  return null
}
