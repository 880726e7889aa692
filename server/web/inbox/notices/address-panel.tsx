/** The address that e-mails go to. It is used once the signer has entered the code that was sent there. */
import type { Notices } from '../../../operations/notices.ts'
import { t } from '../../words/words.ts'

export interface PanelProps {
  notices: Notices
  /** Resolves with whether it was done; the signer has been told then. */
  change(path: string, body: object, done: string): Promise<boolean>
}

export function AddressPanel({ notices: { address, unconfirmed }, change }: PanelProps) {
  const enter = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const entered = String(new FormData(form).get('address')).trim()
    if (await change('/address', { address: entered }, t('email.codeSent'))) form.reset()
  }
  const confirm = async (event: SubmitEvent) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget as HTMLFormElement).get('code'))
    await change('/address/confirm', { code }, t('email.confirmed'))
  }
  return (
    <section class="panel notice-panel" aria-labelledby="notice-address">
      <h2 id="notice-address">{t('email.address')}</h2>
      <p>{address === null ? t('email.noAddress') : t('email.goTo', { address })}</p>
      {unconfirmed !== null && (
        <form onSubmit={(event) => void confirm(event)}>
          <label>
            {t('email.code', { address: unconfirmed })}
            <input name="code" inputMode="numeric" autocomplete="one-time-code" maxLength={9} required />
          </label>
          <button type="submit" class="primary">
            {t('email.confirm')}
          </button>
        </form>
      )}
      <form onSubmit={(event) => void enter(event)}>
        <label>
          {address === null && unconfirmed === null ? t('email.yours') : t('email.another')}
          <input name="address" type="email" autocomplete="email" maxLength={254} required />
        </label>
        <button type="submit" class={unconfirmed === null ? 'primary' : ''}>
          {t('email.sendCode')}
        </button>
      </form>
    </section>
  )
}
