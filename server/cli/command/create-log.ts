/** The log of a command that serves: lines of JSON on standard error, each with the time in UTC. */
import type { Logger } from 'pino'
import type { Command, Shell } from './command.ts'
import { CommandError } from './command-error.ts'

export const LOG_LEVEL_VARIABLE = 'COUNTERSIGN_LOG_LEVEL'
const LEVELS = ['error', 'warn', 'info', 'silent']

export interface GivenLevel {
  logLevel?: string | undefined
}

export const withLogLevel = (command: Command): Command =>
  command.option(
    `--log-level <${LEVELS.join('|')}>`,
    `the least important lines that are logged, instead of ${LOG_LEVEL_VARIABLE} (default: info)`,
  )

/** @throws CommandError when there is no such level */
export async function createLog({ logLevel }: GivenLevel, env: Shell['env']): Promise<Logger> {
  const level = logLevel ?? env[LOG_LEVEL_VARIABLE] ?? 'info'
  const name = logLevel === undefined ? LOG_LEVEL_VARIABLE : '--log-level'
  if (!LEVELS.includes(level)) throw new CommandError(`${name}: one of ${LEVELS.join(', ')}`)
  // Loaded only now, so that help and wrong options are answered at once.
  const { pino } = await import('pino')
  return pino({ base: null, level, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
}
