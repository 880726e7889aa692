/** One organization: whether it is active and may send, where it is, its keys, what its PDFs may contain, how they are signed, and by whom. */
import { fieldKinds } from '../../../../lib/contract/task/field-kinds.ts'
import type { ChangeBody, OrganizationFile } from '../../../operations/operator/messages/organizations.ts'
import { localTime } from '../../shared/format.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { ConsolePage } from '../console-page.tsx'
import { EntryForm, type Texts, textsOf } from '../entry-form.tsx'
import { isValid } from '../keys/key-words.ts'
import { useLive } from '../live.ts'
import { ActiveContentForm } from './active-content.tsx'
import { ActiveState } from './active-state.tsx'
import { type Address, AddressInputs, addressLine, addressOf } from './address.tsx'
import { DelegationPanel } from './delegation.tsx'
import { DocumentsForm } from './documents.tsx'
import { SignatureRuleForm } from './signature-rule.tsx'
import { TimeZoneForm } from './time-zone.tsx'

export function OrganizationPage({ id }: { id: number }) {
  const [file, reload, missing] = useLive<OrganizationFile>(`/organizations/${id}`)
  const change = (body: ChangeBody, done: string) => act('PATCH', `/organizations/${id}`, { body, done, reload })
  return (
    <ConsolePage
      title={file?.organization.name ?? t('console.organization')}
      back={{ route: 'organizations', name: t('console.organizations') }}
      tools={
        file?.mayChange && (
          <a class="button" href={`#/set-up/${id}`}>
            {t('setUp.link')}
          </a>
        )
      }
    >
      {file ? (
        <div class="columns">
          <Details file={file} onChange={change} />
          <Keys file={file} />
          <ActiveContentForm file={file} onChange={change} />
          <DocumentsForm file={file} onChange={change} />
          <SignatureRuleForm file={file} onChange={change} />
          <DelegationPanel file={file} onChange={change} />
        </div>
      ) : (
        <p class="loading">{missing || t('service.loading')}</p>
      )}
    </ConsolePage>
  )
}

function Keys({ file: { organization, keys } }: { file: OrganizationFile }) {
  const valid = keys.filter((key) => isValid(key, serviceTime()))
  return (
    <section class="panel" aria-labelledby="keys">
      <h2 id="keys">{t('console.keys')}</h2>
      <ul class="keys">
        {valid.map(({ keyId, description, personName, last4, lastUsedAt }) => (
          <li key={keyId}>
            <span>
              <strong>{description || t('key.noDescription')}</strong> (…{last4})
              <small>
                {personName && `${personName} · `}
                {lastUsedAt ? t('key.lastUsedAt', { time: localTime(lastUsedAt) }) : t('key.notUsed')}
              </small>
            </span>
          </li>
        ))}
      </ul>
      {valid.length === 0 && <p>{t('organization.noKey')}</p>}
      <a class="button" href={`#/keys?organization=${organization.id}`}>
        {t('organization.manageKeys')}
      </a>
    </section>
  )
}

interface DetailsProps {
  file: OrganizationFile
  /** Resolves to null when the change was refused. */
  onChange(body: ChangeBody, done: string): Promise<unknown>
}

function Details({ file, onChange }: DetailsProps) {
  const { organization, mayChange } = file
  const { name, npi, addresses, ingestionEnabled, coversTokens } = organization
  const save = (changed: Address[]) => onChange({ addresses: changed }, t('organization.addressesSaved'))
  const add = async (texts: Texts) => {
    const address = addressOf(texts)
    return address && save([...addresses, address])
  }
  return (
    <section class="panel" aria-labelledby="details">
      <h2 id="details">{t('organization.details')}</h2>
      <ActiveState file={file} onChange={onChange} />
      {mayChange ? (
        <form
          key={npi}
          class="bulk"
          onSubmit={(event) => {
            event.preventDefault()
            const given = textsOf(new FormData(event.currentTarget)).npi ?? null
            void onChange(
              { npi: given },
              given ? t('organization.npiIs', { name, npi: given }) : t('organization.noNpi', { name }),
            )
          }}
        >
          <label>
            {t('organization.npi')}
            <input
              name="npi"
              inputMode="numeric"
              pattern="\d{10}"
              title={t('organization.npiForm')}
              defaultValue={npi ?? ''}
            />
          </label>
          <button type="submit">{t('organization.saveNpi')}</button>
        </form>
      ) : (
        <p>{t('organization.npiOf', { npi: npi ?? t('organization.notGiven') })}</p>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={ingestionEnabled}
          disabled={!mayChange}
          onChange={(event) => {
            const enabled = event.currentTarget.checked
            void onChange(
              { ingestionEnabled: enabled },
              t(enabled ? 'organization.nowCan' : 'organization.nowCannot', { name }),
            )
          }}
        />
        {t('organization.canSend')}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={coversTokens}
          onChange={(event) => {
            const covers = event.currentTarget.checked
            const done = t(covers ? 'organization.covered' : 'organization.notCovered')
            void onChange({ coversTokens: covers }, done)
          }}
        />
        {t('organization.cover', { token: fieldKinds.VisibleSignature.token })}
      </label>
      <TimeZoneForm file={file} onChange={onChange} />
      <h3>{t('organization.addresses')}</h3>
      <ul class="addresses">
        {addresses.map((address, index) => (
          <li key={addressLine(address)}>
            {addressLine(address)}
            {mayChange && (
              <button
                type="button"
                class="small"
                aria-label={t('organization.removeOf', { address: addressLine(address) })}
                onClick={() => void save(addresses.toSpliced(index, 1))}
              >
                {t('verb.remove')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayChange ? (
        <EntryForm class="panel-form" onEnter={add}>
          <AddressInputs />
          <button type="submit">{t('organization.addAddress')}</button>
        </EntryForm>
      ) : (
        <p>{t('organization.operatorOnly')}</p>
      )}
    </section>
  )
}
