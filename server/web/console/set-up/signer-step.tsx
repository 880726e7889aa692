/** The signers whom the agency addresses: those who sign for it, each with a sign-in, and adding one by NPI. */
import { useState } from 'preact/hooks'
import type { AccountBody, Person } from '../../../operations/operator/messages/accounts.ts'
import type {
  ProviderBody,
  ProviderChangeBody,
  StoredProvider,
} from '../../../operations/operator/messages/providers.ts'
import { passwordOf } from '../../shared/sign-in/password-input.tsx'
import { GivenText } from '../../shared/text/given-text.tsx'
import { t } from '../../words/words.ts'
import { callAdmin } from '../admin-api.ts'
import type { Texts } from '../entry-form.tsx'
import { Field, FieldForm } from '../field-form.tsx'
import { More, Step } from './step.tsx'

interface SignerStepProps {
  organizationId: number
  signers: readonly StoredProvider[]
  accounts: readonly Person[]
  isNext: boolean
  reload(): Promise<void>
}

/** Returns the account with which a signer signs in now. */
const accountOf = ({ npi }: StoredProvider, accounts: readonly Person[]) =>
  accounts.find((account) => account.npi === npi && account.disabledAt === null)

/** Whether anyone can sign: in person, or by a demo script. */
export const canSign = (signer: StoredProvider, accounts: readonly Person[]) =>
  signer.isActive && (signer.script !== null || accountOf(signer, accounts) !== undefined)

export function SignerStep({ organizationId, signers, accounts, isNext, reload }: SignerStepProps) {
  const isTheirs = ({ organizations }: StoredProvider) => organizations.some(({ id }) => id === organizationId)
  const theirs = signers.filter(isTheirs)
  const others = signers.filter((signer) => !isTheirs(signer) && canSign(signer, accounts)).length
  return (
    <Step
      number={4}
      title={t('setUp.signers')}
      isDone={signers.some((signer) => canSign(signer, accounts))}
      isNext={isNext}
    >
      <p>{others > 0 ? t('setUp.othersToo', { count: others }) : t('setUp.signersAre')}</p>
      <ul class="set-up-signers">
        {theirs.map((signer) => (
          <li key={signer.npi}>
            <GivenText>{signer.signingName}</GivenText>, {t('setUp.npiIs', { npi: signer.npi })}:{' '}
            <SignIn signer={signer} account={accountOf(signer, accounts)} reload={reload} />
          </li>
        ))}
      </ul>
      <More isOpen={others + theirs.length === 0} title={t('setUp.addSigner')}>
        <NewSigner organizationId={organizationId} signers={signers} reload={reload} />
      </More>
    </Step>
  )
}

interface SignInProps {
  signer: StoredProvider
  account: Person | undefined
  reload(): Promise<void>
}

function SignIn({ signer, account, reload }: SignInProps) {
  if (!signer.isActive) return <>{t('setUp.signerInactive')}</>
  if (signer.script) return <>{t('setUp.signsAlone')}</>
  if (account) return <>{t('setUp.signsInAs', { email: account.email })}</>
  const add = async ({ email = '' }: Texts, data: FormData) => {
    const body: AccountBody = {
      email,
      name: signer.signingName,
      role: 'signer',
      npi: signer.npi,
      password: passwordOf(data),
    }
    await callAdmin('POST', '/accounts', body)
    await reload()
  }
  return (
    <>
      {t('setUp.cannotSignIn')}
      <FieldForm verb={t('setUp.addSignIn')} onSend={add}>
        <Field name="email" label={t('setUp.email')} type="email" required maxLength={254} />
        <Field
          name="password"
          label={t('setUp.password')}
          hint={t('setUp.passwordIs')}
          type="password"
          autocomplete="new-password"
          required
          maxLength={200}
        />
      </FieldForm>
    </>
  )
}

function NewSigner({
  organizationId,
  signers,
  reload,
}: Pick<SignerStepProps, 'organizationId' | 'signers' | 'reload'>) {
  const [npi, setNpi] = useState('')
  const known = signers.find((signer) => signer.npi === npi.trim())
  const add = async ({ npi = '', firstName = '', lastName = '', signingName = '' }: Texts) => {
    if (known) {
      const organizationIds = [...new Set([...known.organizations.map(({ id }) => id), organizationId])]
      const body: ProviderChangeBody = { organizationIds }
      await callAdmin('PATCH', `/providers/${known.npi}`, body)
    } else {
      const body: ProviderBody = { npi, firstName, lastName, signingName, organizationIds: [organizationId] }
      await callAdmin('POST', '/providers', body)
    }
    setNpi('')
    await reload()
  }
  return (
    <FieldForm verb={t('setUp.addSigner')} isMain={false} onSend={add}>
      <Field
        name="npi"
        label={t('setUp.signerNpi')}
        inputMode="numeric"
        maxLength={10}
        required
        {...(known && { hint: t('setUp.signerKnown', { name: known.signingName }) })}
        onText={setNpi}
      />
      {!known && (
        <>
          <Field name="firstName" label={t('setUp.firstName')} required maxLength={100} />
          <Field name="lastName" label={t('setUp.lastName')} required maxLength={100} />
          <Field
            name="signingName"
            label={t('setUp.signsAs')}
            required
            maxLength={200}
            placeholder={t('provider.example')}
          />
        </>
      )}
    </FieldForm>
  )
}
