/** Visitors set up, replace and turn off their own second factor, and get new recovery codes. */
import { useState } from 'preact/hooks'
import type { Enrolled } from '../../../http/callers/second-step.ts'
import type { Proof } from '../../../people/second-factor/own-second-factor.ts'
import type { ShownOffer } from '../../../people/second-factor/shown-offer.ts'
import { t } from '../../words/words.ts'
import { announce } from '../announce.tsx'
import { call } from '../api.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { CodeForm } from './code-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUp } from './set-up.tsx'

/** Where the visitor's own second factor is. */
export const SECOND_FACTOR = '/account/api/second-factor'

export type Purpose = 'set up' | 'replace' | 'renew codes' | 'turn off'

const TITLES: Readonly<Record<Purpose, string>> = {
  'set up': t('factor.setUpTitle'),
  replace: t('factor.replaceTitle'),
  'renew codes': t('account.newCodes'),
  'turn off': t('factor.offTitle'),
}

export function SecondFactorDialog({ purpose, onClose }: { purpose: Purpose; onClose(): void }) {
  const [offer, setOffer] = useState<ShownOffer | null>(null)
  const prove = async (proof: Proof) => setOffer(await call<ShownOffer>('POST', SECOND_FACTOR, proof))
  const confirm = async (code: string) =>
    (await call<Enrolled>('POST', `${SECOND_FACTOR}/code`, { code })).recoveryCodes
  const [codes, setCodes] = useState<string[] | null>(null)
  const renew = async (code: string) =>
    setCodes((await call<Enrolled>('POST', `${SECOND_FACTOR}/recovery-codes`, { code })).recoveryCodes)
  const turnOff = async (code: string) => {
    await call('POST', `${SECOND_FACTOR}/removal`, { code })
    announce(t('factor.isOff'))
    onClose()
  }
  const code = { back: t('verb.back'), mayRecover: true, onBack: onClose }
  return (
    <Dialog title={TITLES[purpose]} onClose={onClose}>
      {codes && <RecoveryCodes codes={codes} news={t('factor.earlierCodes')} onDone={onClose} />}
      {offer && <SetUp offer={offer} confirm={confirm} onDone={onClose} onBack={onClose} />}
      {!codes && !offer && (
        <>
          <p>{t('password.elsewhere')}</p>
          {purpose === 'set up' && <PasswordForm onPassword={(current) => prove({ current })} onBack={onClose} />}
          {purpose === 'replace' && (
            <CodeForm {...code} verb={t('verb.continue')} onCode={(entered) => prove({ code: entered })} />
          )}
          {purpose === 'renew codes' && <CodeForm {...code} verb={t('factor.getCodes')} onCode={renew} />}
          {purpose === 'turn off' && <CodeForm {...code} verb={t('account.turnOff')} isDanger onCode={turnOff} />}
        </>
      )}
    </Dialog>
  )
}
