/** One task: what it is, what happened to it, and what an operator may do. */
import { useState } from 'preact/hooks'
import { reasonInWords } from '../../../../lib/contract/task/reason-words.ts'
import { preparationSentences } from '../../../../lib/pdf/prepare/preparation.ts'
import type { CancelBody, TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { ReasonDialog } from '../../shared/dialogs/reason-dialog.tsx'
import { calendarDate, localTime } from '../../shared/format.ts'
import { TermList } from '../../shared/term-list.tsx'
import { GivenText } from '../../shared/text/given-text.tsx'
import { act } from '../act.ts'
import { ConsolePage } from '../console-page.tsx'
import { useLive } from '../live.ts'
import { DocumentPanel } from './document-panel.tsx'
import { NextSteps } from './next-steps.tsx'
import { ReviewDesk, UndoReview } from './review-desk.tsx'
import { Status } from './status.tsx'
import { Timeline } from './timeline.tsx'

export function TaskPage({ taskId }: { taskId: number }) {
  const [file, reload, missing] = useLive<TaskFile>(`/tasks/${taskId}`)
  const [isCancelling, setCancelling] = useState(false)
  const cancel = (reason: string) => {
    setCancelling(false)
    const body: CancelBody = { reason }
    return act('POST', `/tasks/${taskId}/cancel`, { body, done: `Task ${taskId} has been cancelled.`, reload })
  }
  const tools = file && (
    <>
      <Status status={file.task.status} detail={file.review ? 'review' : ''} />
      {file.mayCancel && (
        <button type="button" class="danger" onClick={() => setCancelling(true)}>
          Cancel task
        </button>
      )}
    </>
  )
  return (
    <ConsolePage title={`Task ${taskId}`} back={{ route: 'tasks', name: 'Tasks' }} tools={tools}>
      {!file && <p class="loading">{missing || 'Loading…'}</p>}
      {file && <Headline task={file.task} />}
      {file && <NextSteps file={file} onChange={reload} />}
      {file?.mayUndoReview && <UndoReview taskId={taskId} onUndone={reload} />}
      {file && (
        <div class={layoutOf(file)}>
          <div class="stack">
            <DocumentPanel
              key={file.review ? 'review' : 'task'}
              file={file}
              isShown={file.review !== null && file.mayDecide}
              onViewed={reload}
            />
            {!file.review && <Facts file={file} />}
          </div>
          {file.review ? (
            <ReviewDesk file={file} review={file.review} onDecided={reload} />
          ) : (
            <Timeline file={file} onChange={reload} />
          )}
        </div>
      )}
      {file?.review && (
        <div class="columns">
          <Facts file={file} />
          <Timeline file={file} onChange={reload} />
        </div>
      )}
      {isCancelling && (
        <ReasonDialog
          title={`Cancel task ${taskId}`}
          text="This removes it from the signer’s inbox permanently. The sender sees your reason."
          verb="Cancel task"
          usual={['Sent in error', 'At the request of the sender']}
          onReason={(reason) => void cancel(reason)}
          onClose={() => setCancelling(false)}
        />
      )}
    </ConsolePage>
  )
}

/** A review has the document on its left, where the reader may open it. */
const layoutOf = ({ review, documents }: TaskFile): string => {
  if (!review) return 'columns'
  return documents.length > 0 ? 'columns reviewing' : 'stack'
}

/** Not in the title, which the browser keeps in its history. */
function Headline({ task: { documentType, patient, externalDocId } }: Pick<TaskFile, 'task'>) {
  const [name] = patient?.names ?? []
  const parts = [
    documentType,
    name && `${name.given.join(' ')} ${name.family}`,
    patient && `born ${calendarDate(patient.birthDate)}`,
    externalDocId,
  ]
  return (
    <p class="headline">
      <GivenText>{parts.filter(Boolean).join(' · ')}</GivenText>
    </p>
  )
}

const ENDS: readonly string[] = ['task.sign', 'task.reject', 'task.retract', 'task.cancel', 'task.fail']

function Facts({ file: { task, fontNotes, story } }: { file: TaskFile }) {
  const ended = story.find(({ kind, outcome }) => outcome === 'done' && ENDS.includes(kind))
  const { patient, contentsRemovedAt: removedAt } = task
  const [name] = patient?.names ?? []
  return (
    <section class="facts" aria-labelledby="facts">
      <h2 id="facts">Task</h2>
      <TermList
        rows={[
          ['Patient', name ? `${name.given.join(' ')} ${name.family}` : removedAt && 'Removed, with the document'],
          ['Born', patient && calendarDate(patient.birthDate)],
          ['Document', task.documentType],
          ['Clinical date', task.clinicalDate && calendarDate(task.clinicalDate)],
          ['Prepared', task.preparations.map((done) => preparationSentences[done]).join(' ') || null],
          ['SHA-256 as received', task.receivedSha256],
          ['Signer', task.signer],
          ['Outcome', ended?.sentence ?? null],
          ['Sender', task.sender],
          ['Sender’s id', task.externalDocId],
          ['Document no.', task.documentId],
          ['Template', task.templateId],
          ['Fonts', fontNotes.join(' ') || null],
          ['Reason', task.statusReason && reasonInWords(task.statusReason)],
          ['Filed as', task.externalSavedDocumentId],
          ['Created', localTime(task.createdAt)],
          ['Contents removed', removedAt && localTime(removedAt)],
        ]}
      />
    </section>
  )
}
