/** The PDFs of a task that the reader may open. Each is fetched only when the reader asks for it, because each view is audited. */
import { useState } from 'preact/hooks'
import type { TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { announceFailure } from '../../shared/connection.tsx'
import { Icon } from '../../shared/icon.tsx'
import { t } from '../../words/words.ts'
import { ADMIN } from '../admin-api.ts'
import { saveFile } from '../save-file.ts'

type Kind = TaskFile['documents'][number]

/** The texts of each kind; those for opening are null where it is only saved. */
const words = {
  signed: {
    save: t('document.saveSigned'),
    open: {
      show: t('document.showSigned'),
      hide: t('document.hideSigned'),
      tab: t('document.tabSigned'),
      frame: 'document.frameSigned',
    },
  },
  received: {
    save: t('document.saveReceived'),
    open: {
      show: t('document.showReceived'),
      hide: t('document.hideReceived'),
      tab: t('document.tabReceived'),
      frame: 'document.frameReceived',
    },
  },
  // Its contents were not checked, so it is never opened by itself.
  original: { save: t('document.saveOriginal'), open: null },
} as const satisfies Record<Kind, object>
const ORDER: readonly Kind[] = ['signed', 'received', 'original']

interface DocumentPanelProps {
  file: TaskFile
  /** Whether the document is shown without being asked for: a person has to look at it. */
  isShown?: boolean
  onViewed(): Promise<void>
}

export function DocumentPanel({ file, isShown = false, onViewed }: DocumentPanelProps) {
  const { taskId } = file.task
  const [opened, setOpened] = useState<Kind | null>(
    isShown && navigator.pdfViewerEnabled && file.documents.includes('received') ? 'received' : null,
  )
  if (file.documents.length === 0) return null
  const path = (kind: Kind) => `/tasks/${taskId}/documents/${kind}`
  const save = (kind: Kind) =>
    saveFile(path(kind), `task-${taskId}-${kind}.pdf`)
      .then(onViewed)
      .catch((failure: unknown) => announceFailure(failure))
  return (
    <section class="panel document" aria-labelledby="document">
      <h2 id="document">{t('document.title')}</h2>
      {ORDER.filter((kind) => file.documents.includes(kind)).map((kind) => (
        <p key={kind} class="bulk">
          {words[kind].open && navigator.pdfViewerEnabled && (
            <button
              type="button"
              aria-pressed={opened === kind}
              onClick={() => setOpened(opened === kind ? null : kind)}
            >
              {opened === kind ? words[kind].open.hide : words[kind].open.show}
            </button>
          )}
          {words[kind].open && (
            <a
              class="button quiet"
              href={`${ADMIN}${path(kind)}`}
              target="_blank"
              rel="noreferrer"
              aria-label={words[kind].open.tab}
            >
              {t('document.tab')}
            </a>
          )}
          <button type="button" class="quiet" aria-label={words[kind].save} onClick={() => void save(kind)}>
            <Icon name="download" /> {t('verb.save')}
          </button>
        </p>
      ))}
      <p>
        <small>{t('document.audited')}</small>
      </p>
      {opened && words[opened].open && (
        <iframe
          key={opened}
          class="pdf"
          title={t(words[opened].open.frame, { id: String(taskId) })}
          src={`${ADMIN}${path(opened)}#navpanes=0`}
          onLoad={() => void onViewed()}
        />
      )}
    </section>
  )
}
