/** The pages as they would be sealed with what is filled in by now. The service draws the ink, with the code that also seals it. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Opened, Preview, PreviewBody } from '../../../../operations/signer/messages.ts'
import { openReader, type ReaderPage } from '../../../pdf/reader.ts'
import { announce } from '../../../shared/announce.tsx'
import { ApiError, call, sentenceOf } from '../../../shared/api.ts'
import { sha256 } from '../../../shared/digest.ts'
import { ownTimeZone } from '../../../shared/format.ts'
import { unstampableField } from '../../dialogs/stampable.ts'
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
  close(): void
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

/** @param pdf the document as it was shown first */
export function usePreview(opened: Opened, pdf: Blob, draft: Draft): Previewing {
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
      underWay.current = inkPreview(opened, pdf, draft).then(
        (preview) => (isWanted ? setMade({ preview, round }) : preview.close()),
        (failure: unknown) => {
          if (!isWanted) return
          setProblem({ sentence: sentenceOf(failure), index: null })
          if (isPassing(failure)) retry = setTimeout(renew, RETRY_MS)
          else if (failure instanceof ApiError && failure.status === 400) announce(sentenceOf(failure), 'wrong')
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
  }, [opened, pdf, draft, round])
  useEffect(() => () => made?.preview.close(), [made])
  const isCurrent = made?.preview.draft === draft && made.round === round
  return { preview: made?.preview ?? null, isCurrent, problem, renew }
}

const isPassing = (failure: unknown) =>
  failure instanceof ApiError && (failure.status === 0 || failure.status === 429 || failure.status >= 500)

async function inkPreview({ taskId, sha256: shown, fields }: Opened, pdf: Blob, draft: Draft): Promise<InkPreview> {
  const { values, signature } = draft
  const body: PreviewBody = {
    sha256: shown,
    values,
    isSigned: signature !== null,
    drawn: signature?.kind === 'drawn' ? signature.png : null,
    timeZone: ownTimeZone(),
  }
  const { addition, crowded } = await call<Preview>('POST', `/inbox/api/documents/${taskId}/preview`, body)
  const inked = await new Blob([pdf, Uint8Array.from(atob(addition), (byte) => byte.charCodeAt(0))]).arrayBuffer()
  // Of the bytes that are shown, whatever the service says of them.
  const digest = await sha256(inked)
  const reader = await openReader(inked, new Set(fields.map(({ page }) => page)))
  const pages = new Map(reader.pages.map((page) => [page.number, page]))
  return { draft, sha256: digest, pages, crowded: new Set(crowded), close: reader.close }
}
