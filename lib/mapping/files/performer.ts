/** Who signs, and where, as an index says: by NPI, or by the map's tables. Pure. */
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import { hasCheckDigit, judgeSigner } from '../npi.ts'
import { isPlaceholder } from '../placeholder.ts'
import type { Index } from './read-index.ts'

/** Returns the NPI of the signer; an empty text when the document is held. */
export function signerNpi(index: Index, map: MapFile, findings: Findings): string {
  const { place, value: id } = index('signer')
  const npi = npiOf(id, map)
  findings.from('performers[0].signer.userNPI', place)
  if (npi !== null) judgeSigner(npi, place, map, findings)
  else if (id === '') findings.hold(place, 'does not identify a signer')
  else findings.hold(place, 'is not an NPI, and is not in signers of the map')
  return npi ?? ''
}

function npiOf(id: string, { signers, signerIds }: MapFile): string | null {
  if (Object.hasOwn(signers, id)) return signers[id]!
  return signerIds === 'any' && isNpi(id) ? id : null
}

/** Returns the NPI of the organization that receives the task; undefined leaves it to the service, with a warning. */
export function organizationNpi(index: Index, { organizations }: MapFile, findings: Findings): string | undefined {
  const { place, value: id } = index('organization')
  findings.from('performers[0].organization.orgNPI', place)
  if (Object.hasOwn(organizations, id)) return organizations[id]
  if (isNpi(id)) return id
  if (id === '')
    findings.warn(place, 'does not identify an organization, so the signer’s primary organization receives the task')
  else findings.hold(place, 'is not an NPI, and is not in organizations of the map')
  return undefined
}

/** Ten digits of another kind seldom have the check digit. */
const isNpi = (id: string): boolean => /^\d{10}$/.test(id) && hasCheckDigit(id) && !isPlaceholder(id)
