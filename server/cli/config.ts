/** `countersign config`: the settings with which a service would start here, and where each comes from. Shows no secret. */

import type { Setting } from '../config.ts'
import { Command, type Shell } from './command/command.ts'
import { printLine } from './command/print-line.ts'
import { shown } from './command/shown.ts'
import { type ServiceGiven, serviceSettings } from './serving/service-settings.ts'
import { withAllSettings } from './settings/flags.ts'
import { ALL_SETTINGS, type AnySetting, isSecret, SETTING_NAMES } from './settings/names.ts'

export const command = withAllSettings(new Command('config'))
  .option('--json', 'as one line of JSON')
  .action((given: Readonly<Record<string, unknown>>, { shell }: Command) => config(given, shell))

function config({ json: isJson = false, ...flags }: Readonly<Record<string, unknown>>, shell: Shell): void {
  const read = serviceSettings(flags, shell.env, false)
  const rows = SETTING_NAMES.map((name) => ({ name, ...effective(name, read) }))
  if (isJson) printLine(shell, { settings: rows })
  else shell.stdout.write(shown(rows.map(({ name, value, from, source }) => ({ name, value, source: from ?? source }))))
}

interface Effective {
  value: unknown
  source: 'flag' | 'variable' | 'file' | 'default'
  /** The flag or the variable. */
  from: string | null
}

function effective(name: AnySetting, { settings, logLevel, given }: ServiceGiven): Effective {
  const source = given.sources.get(name)
  const { kind }: Setting = ALL_SETTINGS[name]
  const value = name === 'logLevel' ? logLevel : settings[name]
  if (!source) return { value: kind === 'file' ? null : (value ?? null), source: 'default', from: null }
  const { kind: from, name: by, raw } = source
  const visible = isSecret(name) ? WITHHELD : kind === 'file' ? raw : name === 'data' ? withoutPassword(value) : value
  return { value: visible, source: from, from: by }
}

const WITHHELD = '(withheld)'

/** Returns the place of a store without what may be a password in its URL. */
function withoutPassword(data: unknown): unknown {
  const [, scheme, rest = ''] = /^(postgres(?:ql)?:\/\/)(.*)$/s.exec(String(data)) ?? []
  if (scheme === undefined) return data
  const [place = '', parameters] = rest.split(/\?(.*)/s)
  // A password may hold an at sign, and so the last one ends it.
  const at = place.lastIndexOf('@')
  const [user = '', password] = place.slice(0, Math.max(at, 0)).split(/:(.*)/s)
  const shownUser = at < 0 ? '' : `${user}${password === undefined ? '' : `:${WITHHELD}`}@`
  return `${scheme}${shownUser}${place.slice(at + 1)}${parameters === undefined ? '' : `?${WITHHELD}`}`
}
