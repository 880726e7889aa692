/** A card for each signer: what the signer does with the documents of this sender, and the form that changes it. */
import { useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { announceFailure } from '../shared/connection.tsx'
import { type RoomAnswer, roomCall } from './room-api.ts'

type Signer = RoomAnswer['signers'][number]

interface SignersProps {
  signers: readonly Signer[]
  onChange(): Promise<unknown>
}

export const Signers = ({ signers, onChange }: SignersProps) => (
  <details class="room-signers">
    <summary>What each signer does</summary>
    <ul>
      {signers.map((signer) => (
        <Card key={signer.npi} signer={signer} onChange={onChange} />
      ))}
    </ul>
    <p>
      <a href="/inbox">Open the inbox</a> to sign as one of them.
    </p>
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
      announce(`${name}: saved.`)
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
            <strong>{name}</strong> {isActive ? sentenceFor(script) : 'is inactive: orders to this signer fail'}
          </span>
        </summary>
        <form onSubmit={save}>
          <p class="room-npi">NPI {npi}</p>
          <label>
            Outcome
            <select
              value={act}
              onChange={(event) => setAct((event.currentTarget as HTMLSelectElement).value as typeof act)}
            >
              <option value="wait">Waits for a person</option>
              <option value="sign">Signs</option>
              <option value="reject">Rejects</option>
            </select>
          </label>
          {act !== 'wait' && (
            <>
              <label>
                After, in seconds
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
                Of the documents, in percent
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
              Reason
              <input name="reason" maxLength={500} defaultValue={script.reason ?? ''} />
            </label>
          )}
          <button type="submit">Save</button>
        </form>
      </details>
    </li>
  )
}

function sentenceFor({ act, afterSeconds, reason, share }: Signer['script']): string {
  if (act === 'wait') return 'waits for you'
  const does = act === 'sign' ? 'signs' : 'rejects'
  const part = (share ?? 1) < 1 ? ` ${Math.round((share ?? 1) * 100)} % of the documents` : ''
  return `${does}${part} after ${afterSeconds ?? 10} s${reason ? `: “${reason}”` : ''}`
}
