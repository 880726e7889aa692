/** Ends the process of a service when it is asked to, by a service manager or at the terminal. */
import type { Logger } from 'pino'
import { SHORT_STOP_PATIENCE, STOP_PATIENCE } from '../../choices.ts'
import type { Service } from '../../index.ts'

/**
 * Ends the process at once when it is asked to stop while it starts: as the first process of a container, it would otherwise not
 * hear the signal at all. A start can be cut off anywhere. Returns what takes this back.
 */
export function endOnSignal(): () => void {
  const end = () => process.exit(0)
  process.on('SIGTERM', end).on('SIGINT', end)
  return () => void process.off('SIGTERM', end).off('SIGINT', end)
}

export function stopOnSignal(service: Pick<Service, 'stop'>, log: Logger): void {
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
  // A person waits at the terminal.
  process.on('SIGINT', stop(SHORT_STOP_PATIENCE))
}
