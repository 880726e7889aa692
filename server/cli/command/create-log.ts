/** The log of a command that serves: lines of JSON on standard error, each with the time in UTC. */
import type { Logger } from 'pino'

export async function createLog(level: string): Promise<Logger> {
  // Loaded only now, so that help and wrong options are answered at once.
  const { pino } = await import('pino')
  return pino({ base: null, level, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
}
