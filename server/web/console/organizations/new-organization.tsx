/** The form for a new organization. */
import type { OrganizationBody } from '../../../operations/operator/messages/organizations.ts'
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
    return act('POST', '/organizations', { body, done: `${name} has been added.`, reload: onAdded })
  }
  return (
    <EntryForm class="panel wide" onEnter={create}>
      <h2>New organization</h2>
      <label>
        Name
        <input name="name" required maxLength={200} />
      </label>
      <label>
        NPI
        <input name="npi" inputMode="numeric" pattern="\d{10}" title="10 digits" />
      </label>
      <AddressInputs />
      <label class="check">
        <input type="checkbox" name="ingestion" />
        Can send orders
      </label>
      <button type="submit" class="primary">
        Add organization
      </button>
    </EntryForm>
  )
}
