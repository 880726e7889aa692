/** Sandboxes of several teams in one process: each has its own store, clock, keys, faults, and port, and none of them touches another. */
import { join } from 'node:path'
import type { Settings } from '../../config.ts'
import { isServer } from '../../domain/store-place.ts'
import type { Team } from '../../domain/team.ts'
import type { Service, ServiceOptions } from '../../service.ts'
import { CommandError } from '../command/command-error.ts'

const MOST = 10
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/

/**
 * Returns the names that `--teams` gives.
 * @throws CommandError that says what is wrong with them, or with another setting that all teams would share
 */
export function teamNames(given: string, settings: Settings): string[] {
  const names = given.split(',').map((name) => name.trim())
  const wrong = [
    ...names
      .filter((name) => !NAME.test(name))
      .map((name) => `"${name}" is not up to 30 small letters, digits and hyphens`),
    ...(new Set(names).size < names.length ? ['each name once'] : []),
    ...(names.length > MOST ? [`at most ${MOST} teams`] : []),
    ...(settings.sandbox ? [] : ['only together with --sandbox']),
    ...(isServer(settings.data) ? ['each team has a store of its own: give a folder or :memory: as --data'] : []),
    ...(settings.publicUrl === undefined ? [] : ['each team has an address of its own: omit --public-url']),
    ...(settings.documents === undefined ? [] : ['each team keeps its own documents: omit --documents']),
    ...(settings.port > 0 && settings.port + names.length - 1 > 65_535 ? ['the ports after --port are too few'] : []),
  ]
  if (wrong.length > 0) throw new CommandError(`--teams: ${wrong.join('; ')}`)
  return names
}

export interface TeamServices {
  /** In the order of the names. */
  services: readonly Service[]
  stop: Service['stop']
}

/** Returns the options of each team: the ports follow one another, and so do those of metrics. */
export function optionsOf(names: readonly string[], settings: Settings, options: ServiceOptions): ServiceOptions[] {
  const { data, port, metricsPort } = settings
  const numbered = (first: number, index: number) => (first === 0 ? 0 : first + index)
  return names.map((team, index) => ({
    ...options,
    team,
    data: data === ':memory:' ? data : join(data, team),
    port: numbered(port, index),
    ...(metricsPort !== undefined && { metricsPort: numbered(metricsPort, index) }),
  }))
}

/** Starts all of them, or none: where one cannot start, those before it are stopped. */
export async function startTeams(
  options: readonly ServiceOptions[],
  createService: (options: ServiceOptions) => Promise<Service>,
): Promise<TeamServices> {
  const services: Service[] = []
  const listening: Team[] = []
  const stop: Service['stop'] = async (patience) => {
    await Promise.all(services.map((service) => service.stop(patience)))
  }
  try {
    for (const one of options) {
      const service = await createService({ ...one, teams: () => listening })
      services.push(service)
      await service.start()
      listening.push({ name: one.team ?? '', port: Number(new URL(service.baseUrl).port) })
    }
  } catch (failure) {
    await stop()
    throw failure
  }
  return { services, stop }
}
