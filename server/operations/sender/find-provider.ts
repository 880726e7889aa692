import { Refusal } from '../../domain/refusal.ts'
import type { SenderRun } from './sender-context.ts'

/** Finds an active signer; an inactive one counts as unknown. spec: Endpoints › Provider lookup results */
export const run: SenderRun<'findProvider'> = async ({ shared }, { params }) => {
  const provider = await shared.providers.find(params.npi)
  if (!provider?.isActive) throw new Refusal('notFound', 'npi: no active provider has this NPI')
  return provider
}
