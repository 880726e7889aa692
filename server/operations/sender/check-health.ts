import { STORE_RETRY_AFTER_MS } from '../../choices.ts'
import { Later } from '../../domain/refusal.ts'
import type { SenderRun } from './sender-context.ts'

/** Healthy when the store answers and can write, and the service continues. spec: Endpoints › Health */
export const run: SenderRun<'checkHealth'> = async ({ shared, stopping }) => {
  if (stopping.aborted) throw new Later('unavailable', RESTART_MS, 'The service is stopping.')
  await shared.ping().catch(() => {
    throw new Later('unavailable', STORE_RETRY_AFTER_MS, 'The store does not answer.')
  })
  await shared.objects?.ping().catch(() => {
    throw new Later('unavailable', STORE_RETRY_AFTER_MS, 'The object storage of the documents does not answer.')
  })
  return { status: 'ok' }
}

/** After this time it is likely to have been started again. */
const RESTART_MS = 30_000
