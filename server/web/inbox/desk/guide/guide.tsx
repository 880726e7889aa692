/** Leads the signer through what is required, then to the signature. */
import type { ShownPatient } from '../../../../operations/signer/messages.ts'
import { useIsLost } from '../../../shared/connection.tsx'
import { Icon } from '../../../shared/icon.tsx'
import { GivenText } from '../../../shared/text/given-text.tsx'
import { parts, t } from '../../../words/words.ts'
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
    <section class="guide" aria-label={t('guide.title')}>
      <div class="whose">
        <p class="patient-name">
          <GivenText>{patient.name}</GivenText>
        </p>
        <PatientFacts patient={patient} />
        {onBehalfOf && (
          <p class="badge behalf">{parts('guide.youSignFor', { name: <GivenText>{onBehalfOf}</GivenText> })}</p>
        )}
      </div>
      <div class="progress">
        <p role="status">
          {next
            ? t('guide.progress', { count: required.length, done })
            : readiness(isUnread, isPreparing, isHeldUp, isLost)}
        </p>
        <progress
          aria-label={t('guide.fields')}
          max={Math.max(required.length, 1)}
          value={required.length ? done : 1}
        />
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
                  {page === null ? t('guide.atEnd') : t('guide.page', { page })} · {stateOf(state)}
                </small>
              </span>
            </button>
          </li>
        ))}
      </ol>
      <p class={next ? 'fine waiting' : 'fine'}>{consent}</p>
      <p class="fine keys">{t('guide.keys')}</p>
    </section>
  )
}

const readiness = (isUnread: boolean, isPreparing: boolean, isHeldUp: boolean, isLost: boolean): string => {
  if (isLost) return t('guide.noConnection')
  if (isUnread) return t('guide.unread')
  if (isPreparing) return t('guide.preparing')
  return isHeldUp ? t('guide.notReady') : t('tray.ready')
}

type State = Pick<Step, 'isRequired' | 'isDone' | 'isAutomatic'>

const classOf = ({ isAutomatic, isDone }: State): string => (isAutomatic ? 'automatic' : isDone ? 'done' : 'open')

const stateOf = ({ isAutomatic, isRequired, isDone }: State): string => {
  if (isAutomatic) return t('guide.automatic')
  if (isDone) return t('guide.done')
  return isRequired ? t('guide.required') : t('guide.optional')
}
