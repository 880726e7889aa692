/** The columns of every list of tasks. */
import type { OverviewTask } from '../../../operations/operator/messages/tasks.ts'
import { calendarDate, localTime, waitingFor } from '../../shared/format.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import type { Columns } from '../table.tsx'
import { Status } from './status.tsx'

/** There is no column of patients where the service shows none. */
export const taskColumns = (tasks: readonly OverviewTask[] | null): Columns<OverviewTask> => [
  { name: 'Task', isShort: true, cell: ({ taskId }) => <a href={`#/tasks/${taskId}`}>{taskId}</a> },
  {
    name: 'Status',
    cell: ({ status, inReview, updatedAt }) => (
      <>
        <Status status={status} detail={inReview ? 'review' : ''} />
        <small>{waitingFor(updatedAt, serviceTime().getTime())}</small>
      </>
    ),
  },
  ...(tasks?.some(({ patient }) => patient)
    ? [
        {
          name: 'Patient',
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
    name: 'Document',
    cell: ({ documentType, externalDocId }) => (
      <>
        {documentType}
        <small>{externalDocId}</small>
      </>
    ),
  },
  { name: 'Signer', cell: ({ signer }) => signer },
  { name: 'Sender', cell: ({ sender }) => sender },
  { name: 'Received', isShort: true, cell: ({ createdAt }) => localTime(createdAt) },
]
