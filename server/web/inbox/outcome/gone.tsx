/** Replaces the guide once nothing can be done with the document any longer, so that it too stays in sight. */
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../shared/icon.tsx'
import { t } from '../../words/words.ts'
import { outcomeOf, outcomeSentence } from './outcome.ts'

export function Gone({ taskId }: { taskId: number }) {
  const [sentence, setSentence] = useState('')
  useEffect(() => {
    // Without an answer it is still true that the document is gone.
    outcomeOf(taskId).then(
      (outcome) => outcome && setSentence(outcomeSentence(outcome)),
      () => {},
    )
  }, [taskId])
  return (
    <section class="guide" aria-label={t('guide.title')}>
      <p class="problem" role="alert">
        {t('outcome.gone', { sentence })}
      </p>
      <a class="button" href="#/">
        <Icon name="back" /> {t('inbox.back')}
      </a>
    </section>
  )
}
