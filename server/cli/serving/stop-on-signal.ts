/** Ends the process of a service when it is asked to, by a service manager or at the terminal. */
import type { Logger } from 'pino'
import { SHORT_STOP_PATIENCE, STOP_PATIENCE } from '../../choices.ts'
import type { Service } from '../../index.ts'

export function stopOnSignal(service: Service, log: Logger): void {
  let isStopping = false
  const stop = (patience: typeof STOP_PATIENCE) => async (signal: NodeJS.Signals) => {
    // A second signal does not wait.
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'stopping: what is under way is finished first')
    await service.stop(patience)
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', stop(STOP_PATIENCE))
  // Someone sits at the terminal.
  process.on('SIGINT', stop(SHORT_STOP_PATIENCE))
}
