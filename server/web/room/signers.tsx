/** A card for each signer: what the signer does with the documents of this sender, and the form that changes it. */
import { useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { announceFailure } from '../shared/connection.tsx'
import { parts, t } from '../words/words.ts'
import { type RoomAnswer, roomCall } from './room-api.ts'

type Signer = RoomAnswer['signers'][number]

interface SignersProps {
  signers: readonly Signer[]
  onChange(): Promise<unknown>
}

export const Signers = ({ signers, onChange }: SignersProps) => (
  <details class="room-signers">
    <summary>{t('scripted.title')}</summary>
    <ul>
      {signers.map((signer) => (
        <Card key={signer.npi} signer={signer} onChange={onChange} />
      ))}
    </ul>
    <p>{parts('scripted.open', { link: <a href="/inbox">{t('signIn.openInbox')}</a> })}</p>
  </details>
)

function Card({ signer, onChange }: { signer: Signer; onChange: SignersProps['onChange'] }) {
  const { npi, name, isActive, script } = signer
  const [act, setAct] = useState(script.act)
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const reason = String(form.get('reason') ?? '')
    try {
      await roomCall('POST', `signers/${npi}`, {
        act,
        afterSeconds: Number(form.get('after') ?? 0),
        share: Number(form.get('share') ?? 100) / 100,
        ...(act === 'reject' && reason && { reason }),
      })
      announce(t('scripted.saved', { name }))
      await onChange()
    } catch (failure) {
      announceFailure(failure)
    }
  }
  return (
    <li>
      <details>
        <summary>
          <span>
            <strong>{name}</strong> {isActive ? sentenceFor(script) : t('scripted.inactive')}
          </span>
        </summary>
        <form onSubmit={save}>
          <p class="room-npi">{t('scripted.npi', { npi })}</p>
          <label>
            {t('scripted.outcome')}
            <select
              value={act}
              onChange={(event) => setAct((event.currentTarget as HTMLSelectElement).value as typeof act)}
            >
              <option value="wait">{t('scripted.wait')}</option>
              <option value="sign">{t('scripted.sign')}</option>
              <option value="reject">{t('scripted.reject')}</option>
            </select>
          </label>
          {act !== 'wait' && (
            <>
              <label>
                {t('scripted.after')}
                <input
                  name="after"
                  type="number"
                  min="0"
                  max="8640000"
                  required
                  defaultValue={script.afterSeconds ?? 10}
                />
              </label>
              <label>
                {t('scripted.share')}
                <input
                  name="share"
                  type="number"
                  min="0"
                  max="100"
                  required
                  defaultValue={Math.round((script.share ?? 1) * 100)}
                />
              </label>
            </>
          )}
          {act === 'reject' && (
            <label>
              {t('reason.field')}
              <input name="reason" maxLength={500} defaultValue={script.reason ?? ''} />
            </label>
          )}
          <button type="submit">{t('verb.save')}</button>
        </form>
      </details>
    </li>
  )
}

function sentenceFor({ act, afterSeconds, reason, share }: Signer['script']): string {
  if (act === 'wait') return t('scripted.waits')
  const [percent, seconds] = [Math.round((share ?? 1) * 100), afterSeconds ?? 10]
  const verb = act === 'sign' ? 'signs' : 'rejects'
  const does = percent < 100 ? t(`scripted.${verb}Part`, { percent, seconds }) : t(`scripted.${verb}After`, { seconds })
  return reason ? t('scripted.because', { does, reason }) : does
}
