/** One task: what it is, what happened to it, and what an operator may do. */
import { useState } from 'preact/hooks'
import { preparationSentences } from '../../../../lib/pdf/prepare/preparation.ts'
import type { CancelBody, TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { announce } from '../../shared/announce.tsx'
import { call, sentenceOf } from '../../shared/api.ts'
import { calendarDate, localTime } from '../../shared/format.ts'
import { Icon } from '../../shared/icon.tsx'
import { ReasonDialog } from '../../shared/reason-dialog.tsx'
import { useTitle } from '../../shared/title.ts'
import { useLive } from '../live.ts'
import { ReviewDesk } from './review-desk.tsx'
import { Status } from './status.tsx'
import { Timeline } from './timeline.tsx'

export function TaskPage({ taskId }: { taskId: number }) {
  const [file, reload, missing] = useLive<TaskFile>(`/admin/v1/tasks/${taskId}`)
  const [isCancelling, setCancelling] = useState(false)
  const heading = useTitle(`Task ${taskId}`)
  const cancel = async (reason: string) => {
    setCancelling(false)
    try {
      const body: CancelBody = { reason }
      await call('POST', `/admin/v1/tasks/${taskId}/cancel`, body)
      announce(`Task ${taskId} is cancelled.`)
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
    }
    await reload()
  }
  return (
    <main class="console-page">
      <div class="console-head">
        <a class="button quiet" href="#/">
          <Icon name="back" /> Tasks
        </a>
        <h1 ref={heading} tabIndex={-1}>
          Task {taskId}
        </h1>
        {file && <Status status={file.task.status} note={file.review ? 'review' : ''} />}
        {file?.mayCancel && (
          <button type="button" class="danger" onClick={() => setCancelling(true)}>
            Cancel task
          </button>
        )}
      </div>
      {!file && <p class="loading">{missing || 'Loading…'}</p>}
      {file?.review && <ReviewDesk file={file} review={file.review} onDecided={reload} />}
      {file && (
        <div class="columns">
          <Facts file={file} />
          <Timeline file={file} onChange={reload} />
        </div>
      )}
      {isCancelling && (
        <ReasonDialog
          title={`Cancel task ${taskId}`}
          text="It leaves the signer’s inbox for good. The sender is told, with your reason."
          verb="Cancel task"
          usual={['Sent in error', 'At the request of the sender']}
          onReason={(reason) => void cancel(reason)}
          onClose={() => setCancelling(false)}
        />
      )}
    </main>
  )
}

function Facts({ file: { task } }: { file: TaskFile }) {
  const [name] = task.patient.names
  const rows = [
    ['Patient', `${name?.given.join(' ')} ${name?.family}`],
    ['Born', calendarDate(task.patient.birthDate)],
    ['Document', task.documentType],
    ['Clinical date', calendarDate(task.clinicalDate)],
    ['Prepared', task.preparations.map((done) => preparationSentences[done]).join(' ') || null],
    ['Signer', task.signer],
    ['Sender', task.sender],
    ['Sender’s id', task.externalDocId],
    ['Inbox request', task.documentId],
    ['Template', task.templateId],
    ['Reason', task.statusReason],
    ['Filed as', task.externalSavedDocumentId],
    ['Created', localTime(task.createdAt)],
  ] as const
  return (
    <section class="facts" aria-labelledby="facts">
      <h2 id="facts">Task</h2>
      <dl>
        {rows.map(
          ([term, value]) =>
            value !== null && (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  )
}
