/** The names of settings, as a flag and as a variable. */
import * as z from 'zod'
import { SETTINGS, type Setting, type SettingName } from '../../config.ts'

const LOG_LEVELS = ['error', 'warn', 'info', 'silent'] as const

/** The settings of a process; a program gives its own log. */
const LOG_SETTINGS = {
  logLevel: {
    schema: z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`).default('info'),
    value: LOG_LEVELS.join('|'),
    summary: 'the least important lines that are logged',
  },
} as const satisfies Readonly<Record<string, Setting>>

/** The settings of the service, and those of its process. */
export const ALL_SETTINGS: typeof SETTINGS & typeof LOG_SETTINGS = { ...SETTINGS, ...LOG_SETTINGS }

export const SETTING_NAMES = Object.keys(ALL_SETTINGS) as AnySetting[]

export type AnySetting = SettingName | keyof typeof LOG_SETTINGS

const PREFIX = 'COUNTERSIGN_'
const FILE = '_FILE'

/** `--smtp-url`; of a secret `--smtp-password-file`, because other users of a machine see the command line. */
export function flagOf(name: string): string {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  return isSecret(name) ? `${flag}-file` : flag
}

export const isSecret = (name: string): boolean =>
  (ALL_SETTINGS as Readonly<Record<string, Setting>>)[name]?.kind === 'secret'

/** `COUNTERSIGN_SMTP_URL` */
export const variableOf = (name: string): string =>
  PREFIX + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** `COUNTERSIGN_SMTP_URL_FILE`, the name of a file that holds the value. */
export const fileVariableOf = (name: string): string => variableOf(name) + FILE

/** Read by commands that have no settings of a service. */
const OTHERS = ['COUNTERSIGN_KEY', 'COUNTERSIGN_SECOND_KEY']

/** Returns a sentence for each variable that looks like a setting and is not one. */
export function unknownVariables(env: NodeJS.ProcessEnv): string[] {
  const known = [...SETTING_NAMES.flatMap((name) => [variableOf(name), fileVariableOf(name)]), ...OTHERS]
  const unknown = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !known.includes(name))
  if (unknown.some((name) => KUBERNETES.test(name)))
    return [
      `${unknown.map(printable).join(', ')}: Kubernetes sets these for a service named countersign; set enableServiceLinks: false for the pod`,
    ]
  return unknown.map((name) => `${printable(name)}: there is no such setting; did you mean ${nearest(name, known)}?`)
}

const KUBERNETES = /^COUNTERSIGN_(SERVICE_HOST|SERVICE_PORT|PORT_\d+_TCP)/

const printable = (name: string) => name.replace(/\W/g, '?')

const nearest = (name: string, known: readonly string[]): string =>
  known.reduce((best, one) => (distance(name, one) < distance(name, best) ? one : best))

/** Returns how many letters must be added, removed or replaced to make one text the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = row[column - 1]! + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1))
    }
    row = next
  }
  return row.at(-1)!
}
