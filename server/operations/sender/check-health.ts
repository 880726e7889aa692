import { Refusal } from '../../domain/refusal.ts'
import type { SenderRun } from './sender-context.ts'

/** Healthy when the store answers. spec: Endpoints › Health */
export const run: SenderRun<'checkHealth'> = async ({ shared }) => {
  await shared.ping().catch(() => {
    throw new Refusal('unavailable', 'The store does not answer.')
  })
  return { status: 'ok' }
}
