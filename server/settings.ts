/** Checks the settings of a service: each by itself, and what they need of one another, all at once. */
import type { WrongValue } from '../lib/contract/wrong-values.ts'
import { readSettings, SettingsError } from '../lib/settings.ts'
import { SETTINGS, Settings } from './config.ts'
import { externalKeyTogether } from './domain/settings/external-key-settings.ts'
import { timestampsTogether } from './domain/settings/timestamp-settings.ts'
import { bucketTogether, mailTogether, proxyTogether, signOnTogether } from './domain/settings/whole-settings.ts'

const OWNER = 'service'
const RULES = [signOnTogether, mailTogether, bucketTogether, proxyTogether, timestampsTogether, externalKeyTogether]

export interface Caller {
  nameOf(name: string): string
  unread: ReadonlySet<string>
}

const PROGRAM: Caller = { nameOf: (name) => name, unread: new Set() }

/**
 * Returns the settings with their defaults.
 * @param caller how it names a setting in an error, and which ones it has found wrong itself
 * @throws SettingsError that names everything wrong, and no value
 */
export function checkedSettings(given: object, { nameOf, unread }: Caller = PROGRAM): Settings {
  const { settings, wrong } = byThemselves(given)
  const isWrong = (name: string) => unread.has(name) || wrong.some(({ path }) => settingOf(path) === name)
  const missing = RULES.flatMap((rule) => rule(given as Readonly<Record<string, unknown>>))
  const together = missing.filter(([name]) => !isWrong(name)).map(([path, right]) => ({ path, right }))
  if (settings && together.length === 0) return settings
  throw new SettingsError(OWNER, merged([...wrong, ...together]).map(named(nameOf)))
}

function byThemselves(given: object): { settings?: Settings; wrong: readonly WrongValue[] } {
  try {
    return { settings: readSettings(Settings, given, OWNER), wrong: [] }
  } catch (error) {
    if (error instanceof SettingsError) return { wrong: error.wrong }
    throw error
  }
}

/** Says once what is needed for two reasons, such as the public URL. */
const merged = (wrong: readonly WrongValue[]): WrongValue[] =>
  [...new Set(wrong.map(({ path }) => path))].map((path) => {
    const rights = wrong.flatMap((one) => (one.path === path ? one.right : []))
    return { path, right: rights.join(', and ') }
  })

/** The setting that a path begins with: `profile` of `profile.list.paging`. */
const settingOf = (path: string): string => /^\w*/.exec(path)![0]

const named =
  (nameOf: (name: string) => string) =>
  ({ path, right }: WrongValue): WrongValue => ({
    path: path.replace(/^\w+/, nameOf),
    right: right.replace(/\{(\w+)\}/g, (text, name: string) => (Object.hasOwn(SETTINGS, name) ? nameOf(name) : text)),
  })
