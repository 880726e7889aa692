/** When e-mails come that tell a signer of waiting documents: not at all, soon after each, or once a day at an hour. */
import type { NoticesBody } from '../../../operations/notices.ts'
import './notices.css'
import { t } from '../../words/words.ts'

interface NoticeChoiceProps {
  chosen: NoticesBody
  onChange(chosen: NoticesBody): void
}

const MODES: Readonly<Record<NoticesBody['mode'], string>> = {
  off: t('notices.off'),
  soon: t('notices.soon'),
  daily: t('notices.daily'),
}

export const NoticeChoice = ({ chosen, onChange }: NoticeChoiceProps) => (
  <fieldset class="notice-choice">
    <legend>{t('notices.when')}</legend>
    {Object.entries(MODES).map(([mode, label]) => (
      <label key={mode} class="touch">
        <input
          type="radio"
          name="mode"
          checked={chosen.mode === mode}
          onChange={() => onChange({ ...chosen, mode: mode as NoticesBody['mode'] })}
        />
        {label}
      </label>
    ))}
    {chosen.mode === 'daily' && (
      <label class="notice-hour">
        {t('notices.at', { zone: chosen.timeZone })}
        <select
          value={String(chosen.hour)}
          onChange={(event) => onChange({ ...chosen, hour: Number(event.currentTarget.value) })}
        >
          {Array.from({ length: 24 }, (_, hour) => (
            <option key={hour} value={String(hour)}>
              {String(hour).padStart(2, '0')}:00
            </option>
          ))}
        </select>
      </label>
    )}
  </fieldset>
)
