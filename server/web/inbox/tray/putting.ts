/** Puts the open document into the tray, and takes it out again. */
import { crowdedBySigner, crowdedSentences } from '../../../../lib/pdf/placement/crowded-texts.ts'
import type { Opened } from '../../../operations/signer/messages.ts'
import { announce, clearAnnouncement } from '../../shared/announce.tsx'
import { signBody } from '../desk/decision.ts'
import type { Draft } from '../desk/draft.ts'
import type { InkPreview } from '../desk/ink/preview.ts'
import { showField } from '../desk/show-field.ts'
import type { Tray } from './tray.ts'

export function usePutting(opened: Opened, draft: Draft, tray: Tray) {
  return {
    /**
     * @param seen the ink that the signer saw
     * @param onPut called when it is in the tray; where signing would refuse a text, that is shown instead
     */
    put(seen: InkPreview, onPut: () => void) {
      const crowded = crowdedBySigner([...seen.crowded], opened.fields, draft.values)
      if (crowded.length > 0) return showCrowded(crowded, opened)
      clearAnnouncement()
      tray.put({ document: opened, body: signBody(opened, draft, seen.sha256) })
      onPut()
    },
    take: () => tray.take(opened.taskId),
  }
}

function showCrowded(crowded: readonly number[], { fields }: Opened) {
  announce(crowdedSentences(crowded, fields).join(' '), 'wrong')
  showField(crowded[0]!)
}
