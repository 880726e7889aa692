/** Plays a scenario in a sandbox that has just started, as a sender would: over HTTP. */
import { RefusedError } from '../../../lib/client/errors.ts'
import { sandboxCaller } from '../../../lib/client/sandbox-call.ts'
import { describeIssues } from '../../../lib/contract/error.ts'
import type { ProfileInput } from '../../../lib/profile/host-profile.ts'
import { Scenario, type ScenarioState } from '../../operations/sandbox/scenarios/scenario.ts'
import type { Service } from '../../service.ts'
import { CommandError } from '../command/command-error.ts'
import { jsonIn } from '../command/named-file.ts'

/** Months may pass in it. */
const TIMEOUT_MS = 600_000

export interface PlayedScenario extends Scenario {
  sender: string
}

/**
 * Reads a file with a scenario for `--scenario`.
 * @throws CommandError that says everything that is wrong with the file
 */
export async function readScenario(path: string): Promise<PlayedScenario> {
  const read = Scenario.safeParse(jsonIn(path, '--scenario'))
  if (!read.success) throw wrong(describeIssues(read.error).join('; '))
  const { sender } = read.data
  if (typeof sender !== 'string') throw wrong('sender: name the organization for which it is played')
  return { ...read.data, sender }
}

/**
 * Plays it to its end.
 * @throws CommandError that names the step that was refused, and why
 */
export async function playScenario(
  service: Pick<Service, 'baseUrl' | 'issueTemporaryKey'>,
  { sender, ...scenario }: PlayedScenario,
  profile: ProfileInput,
): Promise<void> {
  const apiKey = await service.issueTemporaryKey(sender)
  const call = sandboxCaller({ baseUrl: service.baseUrl, apiKey, profile, proxy: false, timeoutMs: TIMEOUT_MS })
  await call({ name: 'addScenario', method: 'POST', path: 'scenarios', body: scenario })
  const params = { name: scenario.name }
  const body = { fromStart: true }
  try {
    await call({ name: 'playScenario', method: 'POST', path: 'scenarios/:name/play', params, body })
  } catch (failure) {
    if (!(failure instanceof RefusedError)) throw failure
    const states = (await call({ name: 'listScenarios', method: 'GET', path: 'scenarios' })) as ScenarioState[]
    const done = states.find(({ name }) => name === scenario.name)?.done ?? 0
    throw wrong(`step ${done + 1} was refused: ${failure.errors.join('; ')}`)
  }
}

const wrong = (what: string) => new CommandError(`--scenario: ${what}`)
