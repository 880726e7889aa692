import { Refusal } from '../../domain/refusal.ts'
import type { SenderRun } from './sender-context.ts'

/** An active signer. An inactive one is as good as unknown. spec: Endpoints › Provider lookup results */
export const run: SenderRun<'findProvider'> = async ({ shared }, { params }) => {
  const provider = await shared.providers.find(params.npi)
  if (!provider?.isActive) throw new Refusal('notFound', 'npi: no active provider has this NPI')
  return provider
}
