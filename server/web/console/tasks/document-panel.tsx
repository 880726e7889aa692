/** The PDFs of a task that the reader may open. Each is fetched only when the reader asks for it, because each view is audited. */
import { useState } from 'preact/hooks'
import type { TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { announceFailure } from '../../shared/connection.tsx'
import { Icon } from '../../shared/icon.tsx'
import { ADMIN } from '../admin-api.ts'
import { saveFile } from '../save-file.ts'

type Kind = TaskFile['documents'][number]

const words: Record<Kind, { name: string; isShown: boolean }> = {
  signed: { name: 'signed PDF', isShown: true },
  received: { name: 'document', isShown: true },
  // Its contents were not checked, so it is never opened by itself.
  original: { name: 'file as received', isShown: false },
}
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
      <h2 id="document">Document</h2>
      {ORDER.filter((kind) => file.documents.includes(kind)).map((kind) => (
        <p key={kind} class="bulk">
          {words[kind].isShown && navigator.pdfViewerEnabled && (
            <button
              type="button"
              aria-pressed={opened === kind}
              onClick={() => setOpened(opened === kind ? null : kind)}
            >
              {opened === kind ? 'Hide' : 'Show'} {words[kind].name}
            </button>
          )}
          {words[kind].isShown && (
            <a
              class="button quiet"
              href={`${ADMIN}${path(kind)}`}
              target="_blank"
              rel="noreferrer"
              aria-label={`Open in a new tab: ${words[kind].name}`}
            >
              Open in a new tab
            </a>
          )}
          <button type="button" class="quiet" aria-label={`Save ${words[kind].name}`} onClick={() => void save(kind)}>
            <Icon name="download" /> Save
          </button>
        </p>
      ))}
      <p>
        <small>Each time you open or save a document, the audit log records it.</small>
      </p>
      {opened && (
        <iframe
          key={opened}
          class="pdf"
          title={`The ${words[opened].name} of task ${taskId}`}
          src={`${ADMIN}${path(opened)}#navpanes=0`}
          onLoad={() => void onViewed()}
        />
      )}
    </section>
  )
}
