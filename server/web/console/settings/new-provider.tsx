/** The form for a new provider. */
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { ProviderBody } from '../../../operations/operator/messages/providers.ts'
import { useListQuery } from '../../shared/route.ts'
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
    return act('POST', '/providers', { body, done: `${signingName} has been added.`, reload: onAdded })
  }
  return (
    <EntryForm class="panel wide" onEnter={create}>
      <h2>New provider</h2>
      <label>
        NPI
        <input
          name="npi"
          required
          inputMode="numeric"
          pattern="\d{10}"
          title="10 digits"
          defaultValue={wanted.get('npi') ?? ''}
        />
      </label>
      <label>
        First name
        <input name="firstName" required maxLength={100} />
      </label>
      <label>
        Last name
        <input name="lastName" required maxLength={100} />
      </label>
      <label>
        Signs as
        <input name="signingName" required maxLength={200} placeholder="Helen Marsh MD" />
      </label>
      <fieldset class="choices">
        <legend>Organizations</legend>
        {organizations.map(({ id, name }) => (
          <label key={id} class="check">
            <input type="checkbox" name="organizationIds" value={id} />
            {name}
          </label>
        ))}
      </fieldset>
      <button type="submit" class="primary">
        Add provider
      </button>
    </EntryForm>
  )
}
