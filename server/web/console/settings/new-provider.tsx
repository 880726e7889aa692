/** The form for a new provider. */
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { ProviderBody } from '../../../operations/operator/messages/providers.ts'
import { useListQuery } from '../../shared/route.ts'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { EntryForm, type Texts } from '../entry-form.tsx'

interface NewProviderProps {
  organizations: readonly Organization[]
  onAdded(): Promise<void>
}

export function NewProvider({ organizations, onAdded }: NewProviderProps) {
  const [wanted] = useListQuery()
  const create = ({ npi = '', firstName = '', lastName = '', signingName = '' }: Texts, data: FormData) => {
    const organizationIds = data.getAll('organizationIds').map(Number)
    const body: ProviderBody = { npi, firstName, lastName, signingName, organizationIds }
    return act('POST', '/providers', { body, done: t('added', { name: signingName }), reload: onAdded })
  }
  return (
    <EntryForm class="panel wide" onEnter={create}>
      <h2>{t('provider.new')}</h2>
      <label>
        {t('organization.npi')}
        <input
          name="npi"
          required
          inputMode="numeric"
          pattern="\d{10}"
          title={t('organization.npiForm')}
          defaultValue={wanted.get('npi') ?? ''}
        />
      </label>
      <label>
        {t('provider.first')}
        <input name="firstName" required maxLength={100} />
      </label>
      <label>
        {t('provider.last')}
        <input name="lastName" required maxLength={100} />
      </label>
      <label>
        {t('provider.signsAs')}
        <input name="signingName" required maxLength={200} placeholder={t('provider.example')} />
      </label>
      <fieldset class="choices">
        <legend>{t('console.organizations')}</legend>
        {organizations.map(({ id, name }) => (
          <label key={id} class="check">
            <input type="checkbox" name="organizationIds" value={id} />
            {name}
          </label>
        ))}
      </fieldset>
      <button type="submit" class="primary">
        {t('provider.add')}
      </button>
    </EntryForm>
  )
}
