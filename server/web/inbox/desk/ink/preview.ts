/** The pages as they would be sealed with what is filled in by now. The service draws the ink, with the code that also seals it. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type {
  Opened,
  Preview,
  PreviewBody,
  PreviewPageBody,
  ShownPage,
} from '../../../../operations/signer/messages.ts'
import type { ReaderPage } from '../../../pdf/reader.ts'
import { ApiError, call, sentenceOf } from '../../../shared/api.ts'
import { announceFailure } from '../../../shared/connection.tsx'
import { ownTimeZone } from '../../../shared/format.ts'
import { unstampableField } from '../../dialogs/stampable.ts'
import { isPassing, type ServedReader } from '../../pictures/served-reader.ts'
import type { Draft } from '../draft.ts'

export interface InkPreview {
  /** The values that the stamps show. */
  draft: Draft
  /** The digest of the stamped document; what is sealed has to begin with it. */
  sha256: string
  /** The pages that bear fields, by number. */
  pages: ReadonlyMap<number, ReaderPage>
  /** Indexes of the fields whose texts are too long to be read in their boxes. */
  crowded: ReadonlySet<number>
}

export interface Problem {
  sentence: string
  /** The index of the field that has to be changed; null where it is something else. */
  index: number | null
}

export interface Previewing {
  /** The newest there is, perhaps of an earlier draft; null until there is one. */
  preview: InkPreview | null
  /** Whether it is that of the draft. */
  isCurrent: boolean
  /** Why there is none of the draft; null while it is on its way. */
  problem: Problem | null
  /** Asks for it again. */
  renew(): void
}

/** In ms: while a text is being written, its ink is drawn in the pauses. */
const PAUSE_MS = 600
/** In ms: when the service does not answer, or has no room. */
const RETRY_MS = 3_000

/** @param reader shows the document without ink */
export function usePreview(opened: Opened, reader: ServedReader, draft: Draft): Previewing {
  const [made, setMade] = useState<{ preview: InkPreview; round: number } | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [round, setRound] = useState(0)
  const underWay = useRef(Promise.resolve())
  const renew = useCallback(() => setRound((before) => before + 1), [])
  useEffect(() => {
    let isWanted = true
    let retry: ReturnType<typeof setTimeout> | undefined
    setProblem(null)
    const ask = async () => {
      // One at a time: drafts that are outdated when their turn comes are never asked for.
      await underWay.current
      if (!isWanted) return
      const unstampable = await unstampableField(opened.fields, draft.values)
      if (!isWanted) return
      // The page marks such a text at its field, too.
      if (unstampable) return setProblem(unstampable)
      underWay.current = inkPreview(opened, reader, draft, renew).then(
        (preview) => {
          if (isWanted) setMade({ preview, round })
        },
        (failure: unknown) => {
          if (!isWanted) return
          setProblem({ sentence: sentenceOf(failure), index: null })
          if (isPassing(failure)) retry = setTimeout(renew, RETRY_MS)
          else if (failure instanceof ApiError && failure.status === 400) announceFailure(failure)
        },
      )
    }
    const isWriting = document.activeElement instanceof HTMLTextAreaElement
    const pause = setTimeout(() => void ask(), isWriting ? PAUSE_MS : 0)
    return () => {
      isWanted = false
      clearTimeout(pause)
      clearTimeout(retry)
    }
  }, [opened, reader, draft, round])
  const isCurrent = made?.preview.draft === draft && made.round === round
  return { preview: made?.preview ?? null, isCurrent, problem, renew }
}

/** @param renew called when the ink is another by now, as on the next day */
async function inkPreview(
  { taskId, sha256: shown, fields }: Opened,
  reader: ServedReader,
  draft: Draft,
  renew: () => void,
): Promise<InkPreview> {
  const { values, signature } = draft
  const body: PreviewBody = {
    sha256: shown,
    values,
    isSigned: signature !== null,
    drawn: signature?.kind === 'drawn' ? signature.png : null,
    timeZone: ownTimeZone(),
  }
  const path = `/inbox/api/documents/${taskId}/preview`
  const { sha256, crowded } = await call<Preview>('POST', path, body)
  const ask = (page: number) => async (width: number) => {
    const inked: PreviewPageBody = { ...body, inkedSha256: sha256 }
    try {
      return await call<ShownPage>('POST', `${path}/pages/${page}?width=${width}`, inked)
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 409) renew()
      throw failure
    }
  }
  const withInk = new Set(fields.map(({ page }) => page))
  const inked = reader.pages.filter(({ number }) => withInk.has(number)).map((page) => page.as(ask(page.number)))
  return { draft, sha256, pages: new Map(inked.map((page) => [page.number, page])), crowded: new Set(crowded) }
}
