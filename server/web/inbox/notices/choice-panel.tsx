/** When e-mails come. A daily one comes at an hour of the time zone that the signer's browser is in when it is chosen. */
import { useState } from 'preact/hooks'
import type { NoticesBody } from '../../../operations/notices.ts'
import { ownTimeZone } from '../../shared/format.ts'
import { NoticeChoice } from '../../shared/notices/notice-choice.tsx'
import { t } from '../../words/words.ts'
import type { PanelProps } from './address-panel.tsx'

export function ChoicePanel({ notices: { mode, hour }, change }: PanelProps) {
  const [chosen, setChosen] = useState<NoticesBody>({ mode, hour, timeZone: ownTimeZone() })
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    await change('', chosen, t('email.saved'))
  }
  return (
    <section class="panel notice-panel" aria-labelledby="notice-times">
      <h2 id="notice-times">{t('email.times')}</h2>
      <form onSubmit={(event) => void save(event)}>
        <NoticeChoice chosen={chosen} onChange={setChosen} />
        <button type="submit" class="primary">
          {t('email.save')}
        </button>
      </form>
    </section>
  )
}
