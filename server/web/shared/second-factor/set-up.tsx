/** Leads someone to a second factor: the new secret, a first code of it, then the recovery codes. */
import { useState } from 'preact/hooks'
import type { ShownOffer } from '../../../people/second-factor/shown-offer.ts'
import { CodeForm } from './code-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import './second-factor.css'
import { parts, t } from '../../words/words.ts'

interface SetUpProps {
  offer: ShownOffer
  /** Sends the first code, and resolves with the recovery codes. */
  confirm(code: string): Promise<string[]>
  onDone(): void
  onBack(): void
}

export function SetUp({ offer, confirm, onDone, onBack }: SetUpProps) {
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} news={t('factor.isOn')} onDone={onDone} />
  return (
    <div class="set-up">
      <p>{t('factor.scan')}</p>
      <img class="qr" src={offer.picture} alt={t('factor.qr')} width={208} height={208} />
      <p>{parts('factor.key', { key: <code class="secret">{offer.secret}</code> })}</p>
      <CodeForm
        verb={t('factor.turnOn')}
        back={t('verb.back')}
        mayRecover={false}
        onCode={async (code) => setCodes(await confirm(code))}
        onBack={onBack}
      />
    </div>
  )
}
