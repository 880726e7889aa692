/** Flags of settings. */
import * as z from 'zod'
import { SECTIONS, type Setting } from '../../config.ts'
import type { Command } from '../command/command.ts'
import { ALL_SETTINGS, type AnySetting, fileVariableOf, flagOf, SETTING_NAMES, variableOf } from './names.ts'

/** Adds the flags of all settings, under their headings. */
export const withAllSettings = (command: Command): Command => withVariables(withSettings(command, SETTING_NAMES, true))

/** Adds the flags of some settings. */
export function withSettings(command: Command, names: readonly AnySetting[], hasSections = false): Command {
  for (const name of names) {
    const section = (SECTIONS as Readonly<Record<string, string>>)[name]
    if (hasSections && section) command.optionsGroup(`${section}:`)
    addFlag(command, name, ALL_SETTINGS[name])
  }
  return hasSections ? command.optionsGroup('Options:') : command
}

function addFlag(command: Command, name: string, setting: Setting): void {
  const { kind, value } = setting
  const text = described(setting)
  if (kind === 'secret') command.option(`${flagOf(name)} <FILE>`, `file with the ${text}`)
  else if (kind === 'list') command.repeatable(`${flagOf(name)} <${value}>`, `${text}; may be given several times`)
  else command.option(value === undefined ? flagOf(name) : `${flagOf(name)} <${value}>`, text)
}

function described(setting: Setting): string {
  const standard = defaultOf(setting)
  return standard === undefined ? setting.summary : `${setting.summary} (default: ${standard})`
}

/** Returns what applies while the setting is not given, in words; undefined where the summary says enough. */
export function defaultOf({ schema, absent }: Setting): string | undefined {
  if (absent !== undefined) return absent
  const { data } = schema.safeParse(undefined)
  if (Array.isArray(data) || data === false || data === undefined) return undefined
  return schema instanceof z.ZodDefault ? String(data) : undefined
}

/** Adds what the help says of the other ways to give settings. */
const withVariables = (command: Command): Command =>
  command.addHelpText(
    'after',
    `
Each setting can also be given by an environment variable, such as ${variableOf('smtpUrl')}
for ${flagOf('smtpUrl')}, or by the name of a file that holds it, such as
${fileVariableOf('smtpUrl')}. A flag comes before a variable. Lists are separated
by commas; a switch is true or false. ${flagOf('masterKey')} and its like name files:
${variableOf('masterKey')} is the key itself. countersign config shows what applies.

PGPASSWORD is the password for PostgreSQL; without it, the file that PGPASSFILE
names is read, or ~/.pgpass. Other users see a password in --data.`,
  )
