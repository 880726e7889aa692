/** The ink of what is filled in, and whether the signer has seen it on the pages. */
import type { Opened } from '../../../../operations/signer/messages.ts'
import { announce } from '../../../shared/announce.tsx'
import { t } from '../../../words/words.ts'
import type { ServedReader } from '../../pictures/served-reader.ts'
import type { Draft } from '../draft.ts'
import { showField } from '../show-field.ts'
import { useLook } from './look.ts'
import { type InkPreview, usePreview } from './preview.ts'

/** @param reader shows the document as it is on record */
export function useSeenInk(opened: Opened, reader: ServedReader, draft: Draft) {
  const { preview, isCurrent, problem, renew } = usePreview(opened, reader, draft)
  const look = useLook(opened, draft)
  return {
    preview,
    look,
    /** The pages are being drawn as they would be sealed. */
    isPreparing: isCurrent ? !look.isDrawn(preview!) : problem === null,
    /** The document cannot be signed as it is filled in, or not now. */
    isHeldUp: !isCurrent && problem !== null,
    /** Shows the ink again: what was seen does not count any longer. */
    lookAgain() {
      look.forget()
      renew()
    },
    /** Continues with what was seen. Where something was not in sight, it is shown instead. */
    asSeen(goOn: (seen: InkPreview) => void) {
      const unseen = look.unseen()
      if (!isCurrent || !preview) {
        if (problem) announce(problem.sentence, 'wrong')
        if (problem?.index != null) showField(problem.index)
        else renew()
      } else if (unseen !== null) {
        announce(t('ink.notSeen'))
        showField(unseen)
      } else goOn(preview)
    },
  }
}
