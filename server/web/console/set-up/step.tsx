/** One step of a set-up: whether it is done, and what can be done in it. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from '../../shared/icon.tsx'
import { t } from '../../words/words.ts'

interface StepProps {
  number: number
  title: string
  isDone: boolean
  /** Whether it is the one to do now. */
  isNext: boolean
  /** Whether it may be left out. */
  isOptional?: boolean
  children: ComponentChildren
}

export function Step({ number, title, isDone, isNext, isOptional = false, children }: StepProps) {
  const heading = useId()
  const state = isDone ? t('setUp.done') : isOptional ? t('setUp.optional') : t('setUp.open')
  return (
    <li>
      <section class="panel set-up-step" aria-labelledby={heading} data-next={isNext || undefined}>
        <h2 id={heading}>
          <span class={`step-number ${isDone ? 'done' : ''}`}>{isDone ? <Icon name="check" /> : number}</span> {title}{' '}
          <small class="step-state">{state}</small>
        </h2>
        {children}
      </section>
    </li>
  )
}

/** A form that is folded away once the step is done. */
export const More = ({ isOpen, title, children }: { isOpen: boolean; title: string; children: ComponentChildren }) =>
  isOpen ? (
    children
  ) : (
    <details>
      <summary>{title}</summary>
      {children}
    </details>
  )
