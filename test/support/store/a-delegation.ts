/** Two signers of an organization, each with an account, and the delegation of one to the other. */
import { OPERATOR } from '../../../server/domain/audit.ts'
import type { Store } from '../../../server/store/store.ts'
import { AT } from '../../server/store/stores-in.ts'

export const GIVER = '9999900183'
export const DELEGATE = '9999900191'

/** Holds for an hour from `AT`. Returns its id. The organization has to allow it. */
export async function aDelegation(store: Store, organizationId: number): Promise<number> {
  for (const npi of [GIVER, DELEGATE]) await aSigner(store, npi, organizationId)
  const endsAt = new Date(AT.getTime() + 3_600_000)
  const people = { organizationId, signerNpi: GIVER, delegateNpi: DELEGATE }
  return store.delegations.create({ ...people, startsAt: AT, endsAt }, { by: OPERATOR, at: AT })
}

/** A provider of the organization who has an account. */
export async function aSigner(store: Store, npi: string, organizationId: number): Promise<void> {
  const name = { firstName: 'Dr', lastName: npi, signingName: `Dr ${npi}` }
  await store.providers.create({ npi, ...name, isActive: true, script: null, organizationIds: [organizationId] }, AT)
  await store.people.create(
    {
      email: `${npi}@practice.example`,
      name: name.signingName,
      role: 'signer',
      npi,
      organizationId: null,
      passwordHash: null,
    },
    AT,
  )
}
