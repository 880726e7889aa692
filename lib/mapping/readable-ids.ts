/** Ids with characters that are not seen: two of them look like one, and are two records. Pure. */
import type { Findings } from './findings.ts'

/** Control characters, line breaks, characters without a width or a direction of their own, and the mark of a lost letter. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/u

/** Holds the message for each id that has a character which is not seen. The ids are by their places. */
export function holdHidden(ids: readonly (readonly [place: string, id: string])[], findings: Findings): void {
  for (const [place, id] of ids)
    if (HIDDEN.test(id)) findings.hold(place, 'has a character that cannot be seen; an id is text in one line')
}
