/** The form for a new key. */
import type { KeyBody } from '../../../operations/operator/messages/keys.ts'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { EntryForm, type Texts } from '../entry-form.tsx'
import { OrganizationSelect } from '../organization-select.tsx'

interface NewKeyProps {
  organizations: readonly Organization[]
  /** The id of the organization that is chosen first; empty: the first one. */
  chosen: string
  reload(): Promise<void>
  /** Called with the key, for the one time it is shown. */
  onKey(key: string): void
}

export function NewKey({ organizations, chosen, reload, onKey }: NewKeyProps) {
  const create = async ({ organizationId, personName = '', description = '', expires }: Texts) => {
    const body: KeyBody = { personName, description, expiresAt: expires ? new Date(expires).toISOString() : null }
    const path = `/organizations/${organizationId}/keys`
    const result = await act<{ key: string }>('POST', path, { body, done: t('key.created'), reload })
    if (result) onKey(result.answer.key)
    return result
  }
  return (
    <EntryForm class="panel wide" autocomplete="off" onEnter={create}>
      <h2>{t('key.new')}</h2>
      <OrganizationSelect organizations={organizations} chosen={chosen} />
      <label>
        {t('key.owner')}
        <input name="personName" required maxLength={100} />
      </label>
      <label>
        {t('key.description')}
        <input name="description" required maxLength={100} />
      </label>
      <label>
        {t('key.expires')}
        <input name="expires" type="datetime-local" />
      </label>
      <button type="submit" class="primary">
        {t('key.create')}
      </button>
    </EntryForm>
  )
}
