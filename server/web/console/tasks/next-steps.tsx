/** The next step for a task that does not move: one sentence and one button for each reason. */
import type { NextStep, TaskFile } from '../../../operations/operator/messages/tasks.ts'
import { announce } from '../../shared/announce.tsx'
import { t } from '../../words/words.ts'
import { redeliver } from '../deliveries/redeliver.tsx'
import { remind } from '../remind.ts'
import { actInWords, stepInWords } from './step-words.ts'

interface NextStepsProps {
  file: TaskFile
  onChange(): Promise<void>
}

export function NextSteps({ file: { task, nextSteps }, onChange }: NextStepsProps) {
  if (nextSteps.length === 0) return null
  return (
    <section class="next-steps panel wide" aria-labelledby="next-steps">
      <h2 id="next-steps">{t('next.title')}</h2>
      <ul>
        {nextSteps.map((step) => (
          <li key={`${step.reason} ${step.sentence}`} class="bulk">
            <span>{stepInWords(step)}</span>
            <NextButton step={step} taskId={task.taskId} onChange={onChange} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface NextButtonProps {
  step: NextStep
  taskId: number
  onChange(): Promise<void>
}

function NextButton({ step, taskId, onChange }: NextButtonProps) {
  const { act } = step
  if (act.kind === 'open')
    return (
      <a class="button" href={`#/${act.route}`}>
        {actInWords(step)}
      </a>
    )
  const run = () => {
    if (act.kind === 'review') return showReview()
    if (act.kind === 'copy') return copy(act.text)
    if (act.kind === 'remind') return remind(act.npi)
    return redeliver(
      { taskId, subscriptionId: act.subscriptionId, states: ['waiting', 'failed', 'cancelled'] },
      onChange,
    )
  }
  return (
    <button type="button" onClick={() => void run()}>
      {actInWords(step)}
    </button>
  )
}

function showReview(): void {
  const heading = document.getElementById('review')
  heading?.scrollIntoView()
  heading?.focus({ preventScroll: true })
}

/** A browser refuses the clipboard to a page that is not open over https or from this machine. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    announce(t('next.copied', { text }))
  } catch {
    announce(t('next.notCopied', { text }))
  }
}
