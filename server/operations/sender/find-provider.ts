import { Refusal } from '../../domain/refusal.ts'
import type { StoredProvider } from '../../store/directory/providers.ts'
import type { SenderRun } from './sender-context.ts'

/** Finds an active signer; an inactive one counts as unknown. spec: Endpoints › Provider lookup results */
export const run: SenderRun<'findProvider'> = async ({ shared }, { params }) => {
  const provider = await shared.providers.find(params.npi)
  if (!provider?.isActive) throw new Refusal('notFound', 'npi: no active provider has this NPI')
  return { ...provider, organizations: provider.organizations.filter(({ isActive }) => isActive).map(shown) }
}

/** Every part is text, also where it is not known. spec: Resources › Provider user */
const shown = ({ name, npi, addresses }: StoredProvider['organizations'][number]) => ({
  name,
  npi: npi ?? '',
  addresses: addresses.map(({ line, city, state, postalCode }) => ({
    line: line ?? '',
    city: city ?? '',
    state: state ?? '',
    postalCode,
  })),
})
