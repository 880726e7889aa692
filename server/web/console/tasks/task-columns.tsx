/** The columns of every list of tasks. */
import type { OverviewTask } from '../../../operations/operator/messages/tasks.ts'
import { calendarDate, localTime, waitingFor } from '../../shared/format.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { t } from '../../words/words.ts'
import type { Columns } from '../table.tsx'
import { Status } from './status.tsx'

/** There is no column of patients where the service shows none. */
export const taskColumns = (tasks: readonly OverviewTask[] | null): Columns<OverviewTask> => [
  { name: t('console.task'), isShort: true, cell: ({ taskId }) => <a href={`#/tasks/${taskId}`}>{taskId}</a> },
  {
    name: t('task.status'),
    cell: ({ status, inReview, updatedAt }) => (
      <>
        <Status status={status} detail={inReview ? t('task.review') : ''} />
        <small>{waitingFor(updatedAt, serviceTime().getTime())}</small>
      </>
    ),
  },
  ...(tasks?.some(({ patient }) => patient)
    ? [
        {
          name: t('task.patient'),
          cell: ({ patient }: OverviewTask) => (
            <>
              {patient?.name}
              {patient?.birthDate && <small>{calendarDate(patient.birthDate)}</small>}
            </>
          ),
        },
      ]
    : []),
  {
    name: t('task.document'),
    cell: ({ documentType, externalDocId }) => (
      <>
        {documentType}
        <small>{externalDocId}</small>
      </>
    ),
  },
  { name: t('task.signer'), cell: ({ signer }) => signer },
  { name: t('task.sender'), cell: ({ sender }) => sender },
  { name: t('task.received'), isShort: true, cell: ({ createdAt }) => localTime(createdAt) },
]
