/** Puts the open document into the tray once each of its pages was shown in full, and takes it out again. */
import type { Opened } from '../../../operations/signer/messages.ts'
import { announce, clearAnnouncement } from '../../shared/announce.tsx'
import { signBody } from '../desk/decision.ts'
import type { Draft } from '../desk/draft.ts'
import { useShownPages } from './shown-pages.ts'
import type { Tray } from './tray.ts'

export function usePutting(opened: Opened, draft: Draft, pages: number, tray: Tray) {
  const notShown = useShownPages(pages)
  return {
    /**
     * @param inkedSha256 of the document with the ink that the signer saw
     * @param onPut called when it is in the tray; where a page was not shown in full, that page is shown instead
     */
    put(inkedSha256: string, onPut: () => void) {
      const page = notShown()
      if (page !== null) return turnTo(page)
      clearAnnouncement()
      tray.put({ document: opened, body: signBody(opened, draft, inkedSha256) })
      onPut()
    },
    take: () => tray.take(opened.taskId),
  }
}

function turnTo(page: number) {
  document.querySelector(`.sheet[data-page="${page}"]`)?.scrollIntoView()
  announce(
    `Look at all of page ${page} first. Documents that are signed together must each have been shown in full.`,
    'wrong',
  )
}
