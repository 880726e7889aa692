/** `countersign serve`: the service alone. One JSON line on stdout when it listens; logs on stderr. */
import type { Logger } from 'pino'
import { memoryAtRest } from '../../lib/at-rest.ts'
import { isServer } from '../domain/store-place.ts'
import type { Service } from '../service.ts'
import { startThreadEarly } from '../store/sql/sqlite/start-thread.ts'
import { Command, type Shell } from './command/command.ts'
import { CommandError } from './command/command-error.ts'
import { createLog } from './command/create-log.ts'
import { printLine } from './command/print-line.ts'
import { playScenario, readScenario } from './serving/play-scenario.ts'
import { serviceSettings } from './serving/service-settings.ts'
import { endOnSignal, stopOnSignal } from './serving/stop-on-signal.ts'
import { optionsOf, startTeams, type TeamServices, teamNames } from './serving/teams.ts'
import { withAllSettings } from './settings/flags.ts'

interface Given extends Readonly<Record<string, unknown>> {
  replay?: string
  scenario?: string
  teams?: string
  json?: boolean
}

export const command = withAllSettings(new Command('serve'))
  .option('--replay <FOLDER>', 'answer only as the host did that countersign record recorded; keeps nothing')
  .option('--scenario <FILE>', 'play the scenario in this JSON file when the sandbox has started')
  .option('--teams <NAMES>', 'a sandbox for each of these teams, such as north,south, on the ports from --port on')
  .option('--json', 'print one line of JSON when it listens, as it does in any case')
  .action((given: Given, { shell }: Command) => serve(given, shell))

async function serve({ replay, scenario: file, teams: given, json: _, ...flags }: Given, shell: Shell): Promise<void> {
  if (replay !== undefined) {
    const { serveReplay } = await import('./recording/serve-replay.ts')
    const more = { ...(file !== undefined && { scenario: file }), ...(given !== undefined && { teams: given }) }
    return serveReplay(replay, { ...flags, ...more }, command, shell)
  }
  const { settings, logLevel, given: found } = serviceSettings(flags, shell.env, true)
  const { logLevel: __, ...values } = found.values
  if (file !== undefined && !settings.sandbox) throw new CommandError('--scenario: only together with --sandbox')
  const scenario = file === undefined ? undefined : await readScenario(file)
  const names = given === undefined ? [] : teamNames(given, settings)
  const isStarted = endOnSignal()
  const logger = await createLog(logLevel)
  if (!isServer(settings.data)) startThreadEarly()
  // The service is loaded only now, so that help and wrong options are answered at once.
  const { createService } = await import('../index.ts')
  logWarnings(logger)
  const all =
    names.length > 0
      ? await startTeams(optionsOf(names, settings, { ...values, logger }), createService)
      : await startOne(await createService({ ...values, logger }))
  isStarted()
  stopOnSignal(all, logger)
  for (const [index, service] of all.services.entries()) {
    if (scenario) await playScenario(service, scenario, settings.profile)
    if (settings.seed !== undefined && service.apiKeys.length === 0) logger.info(SEEDED_BEFORE)
    const { baseUrl, mode, apiKeys, metricsUrl } = service
    const inboxUrl = settings.publicUrl ? new URL('/inbox', settings.publicUrl).href : service.inboxUrl
    const team = names[index]
    printLine(shell, { ...(team && { team }), baseUrl, mode, apiKeys, inboxUrl, ...(metricsUrl && { metricsUrl }) })
  }
  // Only the start needed it.
  memoryAtRest(STARTED_MS).worked()
}

async function startOne(service: Service): Promise<TeamServices> {
  await service.start()
  return { services: [service], stop: service.stop }
}

/** Has warnings of Node.js logged, which would otherwise be printed among the lines of the log as text. */
function logWarnings(log: Logger): void {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message, code }: Error & { code?: string }) =>
    log.warn({ warning: name, code }, message),
  )
}

/** Until the many things that a start begins at once have come to rest. */
const STARTED_MS = 2_000

const SEEDED_BEFORE =
  'the demo is there already, and its keys are not shown again: countersign keys create makes another, countersign organizations list shows for whom'
