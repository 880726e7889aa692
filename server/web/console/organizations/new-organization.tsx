/** The form for a new organization. */
import type { OrganizationBody } from '../../../operations/operator/messages/organizations.ts'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { EntryForm, type Texts } from '../entry-form.tsx'
import { AddressInputs, addressOf, hasAddress } from './address.tsx'

export function NewOrganization({ onAdded }: { onAdded(): Promise<void> }) {
  const create = async (texts: Texts) => {
    const { name = '', npi, ingestion } = texts
    const address = hasAddress(texts) ? addressOf(texts) : null
    if (hasAddress(texts) && !address) return null
    const body: OrganizationBody = {
      name,
      npi: npi ?? null,
      addresses: address ? [address] : [],
      ingestionEnabled: ingestion === 'on',
    }
    return act('POST', '/organizations', { body, done: t('added', { name }), reload: onAdded })
  }
  return (
    <EntryForm class="panel wide" onEnter={create}>
      <h2>{t('organization.new')}</h2>
      <label>
        {t('organization.name')}
        <input name="name" required maxLength={200} />
      </label>
      <label>
        {t('organization.npi')}
        <input name="npi" inputMode="numeric" pattern="\d{10}" title={t('organization.npiForm')} />
      </label>
      <AddressInputs />
      <label class="check">
        <input type="checkbox" name="ingestion" />
        {t('organization.canSend')}
      </label>
      <button type="submit" class="primary">
        {t('organization.add')}
      </button>
    </EntryForm>
  )
}
