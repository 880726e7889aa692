import { Refusal } from '../../domain/refusal.ts'
import type { Operation } from './operation.ts'

/** Healthy when the store answers. spec: Endpoints › Health */
export const run: Operation<'checkHealth'> = async ({ shared }) => {
  await shared.ping().catch(() => {
    throw new Refusal('unavailable', 'The store does not answer.')
  })
  return { status: 'ok' }
}
