/** Reads and checks the settings of a service before it is loaded: everything wrong is said at once. */
import * as z from 'zod'
import { readSettings } from '../../../lib/settings.ts'
import type { Settings } from '../../config.ts'
import { checkedSettings } from '../../settings.ts'
import { masterKey } from '../../store/sealing/master-key.ts'
import { CommandError } from '../command/command-error.ts'
import { faultsOf, type GivenSettings, givenSettings } from '../settings/given-settings.ts'
import { ALL_SETTINGS, SETTING_NAMES } from '../settings/names.ts'

export interface ServiceGiven {
  settings: Settings
  logLevel: string
  given: GivenSettings
}

/**
 * @param needsKey whether a production service without its master key is refused, too
 * @throws CommandError that names every setting that is wrong, or an error about the master key
 */
export function serviceSettings(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
  needsKey: boolean,
): ServiceGiven {
  const given = givenSettings(SETTING_NAMES, flags, env)
  const { logLevel: level, ...values } = given.values
  let settings: Settings | undefined
  let logLevel = ''
  const logName = given.nameOf('logLevel')
  const faults = [
    ...given.faults,
    ...faultsOf(() => {
      settings = checkedSettings(values, given)
    }),
    ...faultsOf(() => {
      const schema = z.strictObject({ [logName]: ALL_SETTINGS.logLevel.schema })
      logLevel = String(readSettings(schema, { [logName]: level }, 'log')[logName])
    }),
  ]
  const withoutKey = needsKey && !given.unread.has('masterKey') ? withoutMasterKey(values) : undefined
  if (faults.length > 0) throw new CommandError([...faults, ...(withoutKey ? [withoutKey.message] : [])].join('; '))
  if (withoutKey) throw withoutKey
  return { settings: settings!, logLevel, given }
}

/** That of a sandbox is made when it starts. */
function withoutMasterKey({ data = 'countersign-data', sandbox, masterKey: key }: Readonly<Record<string, unknown>>) {
  if (sandbox === true || key !== undefined) return undefined
  try {
    masterKey(String(data), undefined, false)
    return undefined
  } catch (error) {
    return error as Error
  }
}
