/** Which organization of a signer receives a task. Pure. spec: Resources › Routing order */
import type { OrganizationAddress } from '../../../lib/contract/primitives.ts'
import type { PerformerOrganization } from '../../../lib/contract/task/performer.ts'
import { foldName } from '../../../lib/name-fold.ts'

export interface SignerOrganization {
  id: number
  npi: string | null
  addresses: readonly OrganizationAddress[]
}

export interface Route {
  organizationId: number
  by: 'orgNPI' | 'address' | 'primary'
}

/** `organizations` are the active ones of the provider, the primary one first. Null when there is none at all. */
export function route(
  wanted: PerformerOrganization | null | undefined,
  organizations: readonly SignerOrganization[],
): Route | null {
  const orgNpi = wanted?.orgNPI?.trim()
  const byNpi = orgNpi ? organizations.find(({ npi }) => npi === orgNpi) : undefined
  if (byNpi) return { organizationId: byNpi.id, by: 'orgNPI' }
  const places = (wanted?.addresses ?? []).map(placeOf).filter((place) => place !== null)
  const byAddress = organizations.find(({ addresses }) =>
    addresses.map(placeOf).some((place) => place !== null && places.includes(place)),
  )
  if (byAddress) return { organizationId: byAddress.id, by: 'address' }
  const [primary] = organizations
  return primary ? { organizationId: primary.id, by: 'primary' } : null
}

/**
 * Two addresses are the same place when the first five of the postal code and the street line agree, regardless of their case and
 * spacing. City and state follow from the postal code, and senders spell them in many ways.
 */
function placeOf({ postalCode, line }: OrganizationAddress): string | null {
  const street = foldName(line ?? '')
  const zip = (postalCode ?? '').trim().slice(0, 5)
  return street === '' || zip === '' ? null : `${zip}|${street}`
}
