/** Reads settings from flags, variables and files. Everything wrong is collected, and no value is repeated. */
import * as z from 'zod'
import { readNamedFile, whyUnread } from '../../../lib/plain-file.ts'
import { parseProfile } from '../../../lib/profile/parse-profile.ts'
import { ProfileError } from '../../../lib/profile/profile-error.ts'
import { readSettings, SettingsError } from '../../../lib/settings.ts'
import type { Setting } from '../../config.ts'
import { separated } from '../../domain/master-key-form.ts'
import { CommandError } from '../command/command-error.ts'
import { ALL_SETTINGS, type AnySetting, fileVariableOf, flagOf, unknownVariables, variableOf } from './names.ts'

/** Where a value came from. */
export interface Source {
  kind: 'flag' | 'variable' | 'file'
  /** The flag or the variable. */
  name: string
  /** The setting as it was given: a value, or the name of a file. */
  raw: unknown
}

export interface GivenSettings {
  /** The given values, by the name of the setting; with the contents of files. */
  values: Readonly<Record<string, unknown>>
  sources: ReadonlyMap<string, Source>
  /** Settings whose file could not be read. */
  unread: ReadonlySet<string>
  /** A sentence for each thing that could not be read. */
  faults: readonly string[]
  /** How an error names a setting: as it was given, or as it would be. */
  nameOf(name: string): string
}

/** @param flags the options of a command, by their names in camelCase */
export function givenSettings(
  names: readonly AnySetting[],
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): GivenSettings {
  const values: Record<string, unknown> = {}
  const sources = new Map<string, Source>()
  const unread = new Set<string>()
  const faults = unknownVariables(env)
  for (const name of names) {
    const setting = ALL_SETTINGS[name]
    const [variable, fileVariable] = [variableOf(name), fileVariableOf(name)]
    if (env[variable] && env[fileVariable]) faults.push(`${variable} and ${fileVariable}: give one of them`)
    const source = sourceOf(name, setting, flags, env)
    if (!source) continue
    sources.set(name, source)
    try {
      const value = readValue(setting, source)
      values[name] = PARSED[name]?.(value) ?? value
    } catch (error) {
      unread.add(name)
      faults.push(`${source.name}: ${unreadable(error)}`)
    }
  }
  // Who gives variables alone looks for the missing ones there.
  const isByVariables = sources.size > 0 && [...sources.values()].every(({ kind }) => kind !== 'flag')
  const nameOf = (name: string) => sources.get(name)?.name ?? (isByVariables ? variableOf(name) : flagOf(name))
  return { values, sources, unread, faults, nameOf }
}

/** Settings whose files contain JSON. */
const PARSED: Readonly<Record<string, (content: unknown) => unknown>> = {
  profile: parseProfile,
  seed(given) {
    const text = String(given).trim()
    if (text === 'demo') return text
    return parsedSeed(text.startsWith('{') ? text : seedIn(text))
  },
}

/** Someone who mistypes demo names a file without meaning to. */
function seedIn(file: string): string {
  try {
    return contentOf(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const right = `the file ${whyUnread(error as NodeJS.ErrnoException)}; give demo, or the name of a JSON file`
    throw new SettingsError('service', [{ path: 'seed', right }])
  }
}

function parsedSeed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw new SettingsError('service', [{ path: 'seed', right: 'the file is not JSON' }])
  }
}

/** An empty variable counts as one that is not set: compose files pass on variables that way. */
function sourceOf(
  name: string,
  { kind }: Setting,
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): Source | undefined {
  const flag = flags[kind === 'secret' ? `${name}File` : name]
  if (flag !== undefined) return { kind: 'flag', name: flagOf(name), raw: flag }
  const [variable, fileVariable] = [variableOf(name), fileVariableOf(name)]
  if (env[variable]) return { kind: 'variable', name: variable, raw: env[variable] }
  if (env[fileVariable]) return { kind: 'file', name: fileVariable, raw: env[fileVariable] }
  return undefined
}

/** Throws when a file cannot be read. */
function readValue({ kind, value }: Setting, { kind: from, raw }: Source): unknown {
  if (kind === 'path') return raw
  if (kind === 'file') return contentOf(String(raw))
  const isFile = from === 'file' || (from === 'flag' && kind === 'secret')
  const read = isFile ? contentOf(String(raw)) : raw
  if (kind === 'list') return (Array.isArray(read) ? read : [read]).flatMap((text) => separated(String(text)))
  if (value !== undefined || kind === 'secret') return read
  return read === 'true' ? true : read === 'false' ? false : read
}

/** Returns the content of a file without the line break that editors put at the end. */
const contentOf = (file: string): string =>
  readNamedFile(file)
    .toString()
    .replace(/[\r\n]+$/, '')

const unreadable = (error: unknown): string =>
  error instanceof ProfileError
    ? error.errors.join('; ')
    : error instanceof SettingsError
      ? error.wrong.map(({ right }) => right).join('; ')
      : `the file ${whyUnread(error as NodeJS.ErrnoException)}`

/** Returns what a check finds wrong, as sentences. */
export function faultsOf(check: () => unknown): readonly string[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.errors
    throw error
  }
}

/**
 * Returns some settings of a command, with their defaults, each checked by itself.
 * @throws CommandError that names everything wrong
 */
export function someSettings<Name extends AnySetting>(
  names: readonly Name[],
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): { settings: { [One in Name]: z.output<(typeof ALL_SETTINGS)[One]['schema']> }; given: GivenSettings } {
  const given = givenSettings(names, flags, env)
  const settings: Record<string, unknown> = {}
  const faults = names.flatMap((name) =>
    given.unread.has(name)
      ? []
      : faultsOf(() => {
          const schema = z.strictObject({ [given.nameOf(name)]: ALL_SETTINGS[name].schema })
          settings[name] = readSettings(schema, { [given.nameOf(name)]: given.values[name] }, 'command')[
            given.nameOf(name)
          ]
        }),
  )
  if (given.faults.length + faults.length > 0) throw new CommandError([...given.faults, ...faults].join('; '))
  return { settings: settings as never, given }
}
