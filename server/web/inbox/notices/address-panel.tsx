/** The address that e-mails go to. It is used once the signer has entered the code that was sent there. */
import type { Notices } from '../../../operations/notices.ts'

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
    if (await change('/address', { address: entered }, 'An e-mail with a code is on its way.')) form.reset()
  }
  const confirm = async (event: SubmitEvent) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget as HTMLFormElement).get('code'))
    await change('/address/confirm', { code }, 'Your address is confirmed.')
  }
  return (
    <section class="panel notice-panel" aria-labelledby="notice-address">
      <h2 id="notice-address">Address</h2>
      <p>{address === null ? 'There is no address yet.' : `E-mails go to ${address}.`}</p>
      {unconfirmed !== null && (
        <form onSubmit={(event) => void confirm(event)}>
          <label>
            Code that was sent to {unconfirmed}
            <input name="code" inputMode="numeric" autocomplete="one-time-code" maxLength={9} required />
          </label>
          <button type="submit" class="primary">
            Confirm
          </button>
        </form>
      )}
      <form onSubmit={(event) => void enter(event)}>
        <label>
          {address === null && unconfirmed === null ? 'Your e-mail address' : 'Another e-mail address'}
          <input name="address" type="email" autocomplete="email" maxLength={254} required />
        </label>
        <button type="submit" class={unconfirmed === null ? 'primary' : ''}>
          Send a code
        </button>
      </form>
    </section>
  )
}
