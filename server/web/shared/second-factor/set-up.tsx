/** Leads someone to a second factor: the new secret, a first code of it, then the recovery codes. */
import { useState } from 'preact/hooks'
import type { ShownOffer } from '../../../people/second-factor/shown-offer.ts'
import { CodeForm } from './code-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import './second-factor.css'

interface SetUpProps {
  offer: ShownOffer
  /** Sends the first code, and resolves with the recovery codes. */
  confirm(code: string): Promise<string[]>
  onDone(): void
  onBack(): void
}

export function SetUp({ offer, confirm, onDone, onBack }: SetUpProps) {
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} news="Your second factor is on." onDone={onDone} />
  return (
    <div class="set-up">
      <p>Scan the picture with an authenticator app on your phone, or type the key into it.</p>
      <img class="qr" src={offer.picture} alt="QR code of the key below" width={208} height={208} />
      <p>
        Key: <code class="secret">{offer.secret}</code>
      </p>
      <CodeForm
        verb="Turn on"
        back="Back"
        mayRecover={false}
        onCode={async (code) => setCodes(await confirm(code))}
        onBack={onBack}
      />
    </div>
  )
}
