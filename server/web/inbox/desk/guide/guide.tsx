/** Leads the signer through what is required, then to the signature. */
import type { ShownPatient } from '../../../../operations/signer/messages.ts'
import { useIsLost } from '../../../shared/connection.tsx'
import { Icon } from '../../../shared/icon.tsx'
import { GivenText } from '../../../shared/text/given-text.tsx'
import { PatientFacts } from '../../list/document-lines.tsx'
import { Gone } from '../../outcome/gone.tsx'
import { Acts, type ActsProps } from './acts.tsx'
import type { Step } from './steps.ts'

interface GuideProps extends ActsProps {
  taskId: number
  /** Stays in sight wherever the pages are scrolled to. */
  patient: ShownPatient
  /** The name of the signer whom a colleague signs for; null for one's own document. Stays in sight, too. */
  onBehalfOf: string | null
  /** The text that the signer agrees to by signing. */
  consent: string
  steps: readonly Step[]
  /** The document cannot be signed as it is filled in, or not now; the first button says why. */
  isHeldUp: boolean
  /** Nothing can be done with the document any longer. */
  isGone: boolean
}

export function Guide({ taskId, patient, onBehalfOf, consent, steps, isHeldUp, isGone, ...acts }: GuideProps) {
  if (isGone) return <Gone taskId={taskId} />
  const { next, isUnread, isPreparing, onVisit } = acts
  const isLost = useIsLost()
  const required = steps.filter(({ isRequired }) => isRequired)
  const done = required.filter(({ isDone }) => isDone).length
  return (
    <section class="guide" aria-label="Sign this document">
      <div class="whose">
        <p class="patient-name">
          <GivenText>{patient.name}</GivenText>
        </p>
        <PatientFacts patient={patient} />
        {onBehalfOf && (
          <p class="badge behalf">
            You sign for <GivenText>{onBehalfOf}</GivenText>
          </p>
        )}
      </div>
      <div class="progress">
        <p role="status">
          {next ? `${done} of ${required.length} done` : readiness(isUnread, isPreparing, isHeldUp, isLost)}
        </p>
        <progress aria-label="Required fields" max={Math.max(required.length, 1)} value={required.length ? done : 1} />
      </div>
      <Acts {...acts} />
      <ol class="steps">
        {steps.map(({ index, page, label, ...state }) => (
          <li key={index}>
            <button type="button" class={classOf(state)} onClick={() => onVisit(index)}>
              <span class="mark">
                <Icon name={state.isAutomatic ? 'clock' : 'check'} />
              </span>
              <span>
                {label}
                <small>
                  {page === null ? 'At the end' : `Page ${page}`} · {stateOf(state)}
                </small>
              </span>
            </button>
          </li>
        ))}
      </ol>
      <p class={next ? 'fine waiting' : 'fine'}>{consent}</p>
      <p class="fine keys">Ctrl+Enter: next step</p>
    </section>
  )
}

const readiness = (isUnread: boolean, isPreparing: boolean, isHeldUp: boolean, isLost: boolean): string => {
  if (isLost) return 'No connection'
  if (isUnread) return 'Not all pages shown yet'
  if (isPreparing) return 'Preparing the pages…'
  return isHeldUp ? 'Not ready to sign' : 'Ready to sign'
}

type State = Pick<Step, 'isRequired' | 'isDone' | 'isAutomatic'>

const classOf = ({ isAutomatic, isDone }: State): string => (isAutomatic ? 'automatic' : isDone ? 'done' : 'open')

const stateOf = ({ isAutomatic, isRequired, isDone }: State): string => {
  if (isAutomatic) return 'filled in when you sign'
  if (isDone) return 'done'
  return isRequired ? 'required' : 'optional'
}
