/** The rest of a sign-in after the right password: a code, or a second factor where one is required. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Account } from '../../../http/callers/account.ts'
import type { Enrolled } from '../../../http/callers/second-step.ts'
import type { ShownOffer } from '../../../people/second-factor/shown-offer.ts'
import { call, SESSION, sentenceOf } from '../api.ts'
import { Logo } from '../logo.tsx'
import { CodeForm } from './code-form.tsx'
import { SetUp } from './set-up.tsx'
import '../sign-in/sign-in.css'
import { t } from '../../words/words.ts'

interface SecondStepProps {
  missing: NonNullable<Account['missing']>
  place: string
  /** Takes what the server knows of the visitor from now on. */
  onDone(account: Account): void
  /** Goes back to the password. */
  onRestart(): void
}

export function SecondStep({ missing, place, onDone, onRestart }: SecondStepProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <main class="sign-in">
      <Logo />
      <h1 ref={heading} tabIndex={-1}>
        {t('signIn.to', { place })}
      </h1>
      {missing === 'code' ? (
        <CodeForm
          verb={t('signIn.title')}
          back={t('verb.startAgain')}
          mayRecover
          onCode={async (code) => onDone(await call<Account>('POST', `${SESSION}/code`, { code }))}
          onBack={onRestart}
        />
      ) : (
        <Enrolment onDone={onDone} onRestart={onRestart} />
      )}
    </main>
  )
}

const PATH = `${SESSION}/second-factor`

function Enrolment({ onDone, onRestart }: Pick<SecondStepProps, 'onDone' | 'onRestart'>) {
  const [offer, setOffer] = useState<ShownOffer | null>(null)
  const [problem, setProblem] = useState('')
  const [signedIn, setSignedIn] = useState<Account | null>(null)
  useEffect(() => {
    call<ShownOffer>('POST', PATH).then(setOffer, (failure: unknown) => setProblem(sentenceOf(failure)))
  }, [])
  const confirm = async (code: string) => {
    const { recoveryCodes, ...account } = await call<Account & Enrolled>('POST', `${PATH}/code`, { code })
    setSignedIn(account)
    return recoveryCodes
  }
  return (
    <>
      {!signedIn && <p>{t('factor.needed')}</p>}
      {offer ? (
        <SetUp offer={offer} confirm={confirm} onDone={() => signedIn && onDone(signedIn)} onBack={onRestart} />
      ) : (
        <>
          <p class="problem" role="alert">
            {problem}
          </p>
          <button type="button" onClick={onRestart}>
            {t('verb.startAgain')}
          </button>
        </>
      )}
    </>
  )
}
