/** The agency: its name, its NPI, and whether it may send. */
import type {
  ChangeBody,
  OrganizationBody,
  OrganizationFile,
} from '../../../operations/operator/messages/organizations.ts'
import { go } from '../../shared/route.ts'
import { GivenText } from '../../shared/text/given-text.tsx'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { callAdmin } from '../admin-api.ts'
import type { Texts } from '../entry-form.tsx'
import { Field, FieldForm } from '../field-form.tsx'
import { Step } from './step.tsx'

interface AgencyStepProps {
  /** Null for a new agency. */
  file: OrganizationFile | null
  isNext: boolean
  reload(): Promise<void>
}

export function AgencyStep({ file, isNext, reload }: AgencyStepProps) {
  return (
    <Step number={1} title={t('setUp.agency')} isDone={file !== null && maySend(file)} isNext={isNext}>
      {file ? <Known file={file} reload={reload} /> : <NewAgency />}
    </Step>
  )
}

export const maySend = ({ organization: { isActive, ingestionEnabled } }: OrganizationFile) =>
  isActive && ingestionEnabled

function NewAgency() {
  const create = async ({ name = '', npi }: Texts) => {
    const body: OrganizationBody = { name, npi: npi ?? null, addresses: [], ingestionEnabled: true }
    const { id } = await callAdmin<{ id: number }>('POST', '/organizations', body)
    go(`set-up/${id}`)
  }
  return (
    <FieldForm verb={t('setUp.addAgency')} onSend={create}>
      <Field name="name" label={t('setUp.name')} required maxLength={200} />
      <Npi />
    </FieldForm>
  )
}

const Npi = () => <Field name="npi" label={t('setUp.npiLater')} inputMode="numeric" maxLength={10} />

function Known({ file, reload }: Pick<AgencyStepProps, 'reload'> & { file: OrganizationFile }) {
  const { id, name, npi, isActive } = file.organization
  const path = `/organizations/${id}`
  const giveNpi = async ({ npi: given }: Texts) => {
    const body: ChangeBody = { npi: given ?? null }
    await callAdmin('PATCH', path, body)
    await reload()
  }
  const allow = () => {
    const body: ChangeBody = { ingestionEnabled: true, ...(!isActive && { isActive: true }) }
    return act('PATCH', path, { body, done: t('setUp.mayNow', { name }), reload })
  }
  return (
    <>
      <p>
        <strong>
          <GivenText>{name}</GivenText>
        </strong>
        {npi && <> · {t('setUp.npiIs', { npi })}</>} · <a href={`#/organizations/${id}`}>{t('setUp.allSettings')}</a>
      </p>
      {!maySend(file) && (
        <p class="bulk">
          {t('setUp.mayNot')}{' '}
          <button type="button" onClick={() => void allow()}>
            {t('setUp.allow')}
          </button>
        </p>
      )}
      {!npi && (
        <details>
          <summary>{t('setUp.giveNpi')}</summary>
          <FieldForm verb={t('setUp.saveNpi')} isMain={false} onSend={giveNpi}>
            <Field name="npi" label={t('setUp.npi')} inputMode="numeric" maxLength={10} required />
          </FieldForm>
        </details>
      )}
    </>
  )
}
