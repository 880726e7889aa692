/** One task: what it is, what happened to it, and what an operator may do. */
import { useState } from 'preact/hooks'
import { reasonInWords } from '../../../../lib/contract/task/reason-words.ts'
import type { CancelBody, TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { ReasonDialog } from '../../shared/dialogs/reason-dialog.tsx'
import { calendarDate, localTime } from '../../shared/format.ts'
import { TermList } from '../../shared/term-list.tsx'
import { GivenText } from '../../shared/text/given-text.tsx'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { ConsolePage } from '../console-page.tsx'
import { useLive } from '../live.ts'
import { DocumentPanel } from './document-panel.tsx'
import { NextSteps } from './next-steps.tsx'
import { ReviewDesk, UndoReview } from './review-desk.tsx'
import { Status } from './status.tsx'
import { storyInWords } from './story-words.ts'
import { Timeline } from './timeline.tsx'

export function TaskPage({ taskId }: { taskId: number }) {
  const [file, reload, missing] = useLive<TaskFile>(`/tasks/${taskId}`)
  const [isCancelling, setCancelling] = useState(false)
  const cancel = (reason: string) => {
    setCancelling(false)
    const body: CancelBody = { reason }
    return act('POST', `/tasks/${taskId}/cancel`, { body, done: t('task.cancelled', { id: String(taskId) }), reload })
  }
  const tools = file && (
    <>
      <Status status={file.task.status} detail={file.review ? t('task.review') : ''} />
      {file.mayCancel && (
        <button type="button" class="danger" onClick={() => setCancelling(true)}>
          {t('task.cancel')}
        </button>
      )}
    </>
  )
  return (
    <ConsolePage
      title={t('task.numbered', { id: String(taskId) })}
      back={{ route: 'tasks', name: t('console.tasks') }}
      tools={tools}
    >
      {!file && <p class="loading">{missing || t('service.loading')}</p>}
      {file && <Headline task={file.task} />}
      {file && <NextSteps file={file} onChange={reload} />}
      {file?.mayUndoReview && <UndoReview taskId={taskId} onUndone={reload} />}
      {file && (
        <div class={layoutOf(file)}>
          <div class="stack">
            <DocumentPanel
              key={file.review ? t('task.review') : 'task'}
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
          title={t('task.cancelOf', { id: String(taskId) })}
          text={t('task.cancelText')}
          verb={t('task.cancel')}
          usual={[t('task.inError'), t('task.atRequest')]}
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
    patient && t('task.born', { date: calendarDate(patient.birthDate) }),
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
      <h2 id="facts">{t('console.task')}</h2>
      <TermList
        rows={[
          [t('task.patient'), name ? `${name.given.join(' ')} ${name.family}` : removedAt && t('task.removed')],
          [t('patient.born'), patient && calendarDate(patient.birthDate)],
          [t('task.document'), task.documentType],
          [t('task.clinicalDate'), task.clinicalDate && calendarDate(task.clinicalDate)],
          [t('task.prepared'), task.preparations.map((done) => t(`prepared.${done}`)).join(' ') || null],
          [t('task.sha'), task.receivedSha256],
          [t('task.signer'), task.signer],
          [t('task.outcome'), ended ? storyInWords(ended) : null],
          [t('task.sender'), task.sender],
          [t('patient.senderId'), task.externalDocId],
          [t('task.number'), task.documentId],
          [t('task.template'), task.templateId],
          [t('task.fonts'), fontNotes.join(' ') || null],
          [t('reason.field'), task.statusReason && reasonInWords(task.statusReason)],
          [t('task.filedAs'), task.externalSavedDocumentId],
          [t('task.created'), localTime(task.createdAt)],
          [t('task.contentsRemoved'), removedAt && localTime(removedAt)],
        ]}
      />
    </section>
  )
}
