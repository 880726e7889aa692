/** Leads the signer through what is required, then to the signature. */
import { Icon } from '../../shared/icon.tsx'
import type { Step } from './steps.ts'

interface GuideProps {
  /** Stays in sight wherever the pages are scrolled to. */
  patientName: string
  steps: readonly Step[]
  next: Step | null
  isBusy: boolean
  /** The pages are being drawn as they would be sealed. */
  isPreparing: boolean
  /** Nothing can be done with the document any longer. */
  isGone: boolean
  onVisit(index: number): void
  onSign(): void
  onReject(): void
}

export function Guide(props: GuideProps) {
  const { patientName, steps, next, isBusy, isPreparing, isGone, onVisit, onSign, onReject } = props
  if (isGone) return <Gone />
  const required = steps.filter(({ isRequired }) => isRequired)
  const done = required.filter(({ isDone }) => isDone).length
  return (
    <section class="guide" aria-label="Sign this document">
      <p class="patient-name">{patientName}</p>
      <div class="progress">
        <p role="status">
          {next ? `${done} of ${required.length} done` : isPreparing ? 'Preparing the pages…' : 'Ready to sign'}
        </p>
        <progress aria-label="Required fields" max={Math.max(required.length, 1)} value={required.length ? done : 1} />
      </div>
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
                  Page {page} · {stateOf(state)}
                </small>
              </span>
            </button>
          </li>
        ))}
      </ol>
      <div class="actions">
        {next ? (
          <button type="button" class="primary" onClick={() => onVisit(next.index)}>
            {done === 0 ? 'Start' : 'Next field'}
          </button>
        ) : (
          <button type="button" class="primary" disabled={isBusy || isPreparing} onClick={onSign}>
            {isBusy ? 'Signing…' : 'Sign document'}
          </button>
        )}
        <button type="button" class="danger" disabled={isBusy} onClick={onReject}>
          Reject
        </button>
      </div>
      <p class={next ? 'fine waiting' : 'fine'}>By signing you confirm that you have reviewed this document.</p>
    </section>
  )
}

/** Stands in place of the guide, so that it too stays in sight. */
const Gone = () => (
  <section class="guide" aria-label="Sign this document">
    <p class="problem" role="alert">
      This document is no longer waiting for you: it was withdrawn, or signed or rejected in another window.
    </p>
    <a class="button" href="#/">
      <Icon name="back" /> Back to the inbox
    </a>
  </section>
)

type State = Pick<Step, 'isRequired' | 'isDone' | 'isAutomatic'>

const classOf = ({ isAutomatic, isDone }: State): string => (isAutomatic ? 'automatic' : isDone ? 'done' : 'open')

const stateOf = ({ isAutomatic, isRequired, isDone }: State): string => {
  if (isAutomatic) return 'filled in when you sign'
  if (isDone) return 'done'
  return isRequired ? 'required' : 'optional'
}
