/** Visitors set up, replace and turn off their own second factor, and get new recovery codes. */
import { useState } from 'preact/hooks'
import type { Enrolled } from '../../../http/callers/second-step.ts'
import type { Proof } from '../../../people/second-factor/own-second-factor.ts'
import type { ShownOffer } from '../../../people/second-factor/shown-offer.ts'
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
  'set up': 'Set up a second factor',
  replace: 'Replace your second factor',
  'renew codes': 'New recovery codes',
  'turn off': 'Turn your second factor off',
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
    announce('Your second factor is off.')
    onClose()
  }
  const code = { back: 'Back', mayRecover: true, onBack: onClose }
  return (
    <Dialog title={TITLES[purpose]} onClose={onClose}>
      {codes && <RecoveryCodes codes={codes} news="Your earlier recovery codes no longer work." onDone={onClose} />}
      {offer && <SetUp offer={offer} confirm={confirm} onDone={onClose} onBack={onClose} />}
      {!codes && !offer && (
        <>
          <p>You stay signed in here, and are signed out everywhere else.</p>
          {purpose === 'set up' && <PasswordForm onPassword={(current) => prove({ current })} onBack={onClose} />}
          {purpose === 'replace' && (
            <CodeForm {...code} verb="Continue" onCode={(entered) => prove({ code: entered })} />
          )}
          {purpose === 'renew codes' && <CodeForm {...code} verb="Get new codes" onCode={renew} />}
          {purpose === 'turn off' && <CodeForm {...code} verb="Turn off" isDanger onCode={turnOff} />}
        </>
      )}
    </Dialog>
  )
}
