/**
 * Remembers which input of a form gave which field, so that a sentence about the field can name the input and its source, too:
 * `patient.sex: required (Sex: msg.patient.sex is empty)`. Never repeats a value.
 */
import type { TypedValue } from './evaluate.ts'

export interface Origin {
  /** The label in the form; omitted for a property that no form chooses. */
  label?: string | undefined
  input: TypedValue
  /** The input value. */
  value: unknown
}

export interface Origins {
  /** `path` names the field as it is sent: `patient.names[0].family`. What lies within the field has the same origin. */
  add(path: string, origin: Origin): void
  /** Adds the origin to a sentence that begins with the path of a field. Without a known one, the sentence stays as it is. */
  named(sentence: string): string
}

export function createOrigins(): Origins {
  const origins = new Map<string, Origin>()
  return {
    add: (path, origin) => void origins.set(path, origin),
    named(sentence) {
      const path = pathOf(sentence)
      const [known] = [...origins.keys()].filter((one) => isWithin(path, one)).sort((a, b) => b.length - a.length)
      if (known === undefined) return sentence
      const { label, input, value } = origins.get(known)!
      const source = sourceOf(input, value, path.slice(known.length))
      return `${sentence} (${label === undefined ? source : `${label}: ${source}`})`
    },
  }
}

/** The path with which a sentence begins. */
export const pathOf = (sentence: string): string => /^[\w.[\]]*/.exec(sentence)![0]

const isWithin = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`)

/** Where a value comes from, or what is missing there. `rest` leads to a part of the value. */
function sourceOf({ type, value: entered }: TypedValue, value: unknown, rest: string): string {
  if (isEmpty(entered)) return 'nothing is entered'
  const { part, at } = follow(value, rest)
  const { found, missing } = SOURCES[type]?.(`${entered}${at}`) ?? ENTERED
  return isEmpty(part) ? missing : found
}

interface Source {
  found: string
  missing: string
}
const place = (name: string): Source => ({ found: `from ${name}`, missing: `${name} is empty` })
const ENTERED: Source = { found: 'as entered in the form', missing: 'nothing is entered' }
/** Sources by the kind of an input; for other kinds, the value itself is in the form. */
const SOURCES: Record<string, (path: string) => Source> = {
  msg: (path) => place(`msg.${path}`),
  flow: (path) => place(`flow.${path}`),
  global: (path) => place(`global.${path}`),
  env: (path) => place(`the environment variable ${path}`),
  jsonata: () => ({ found: 'from its expression', missing: 'its expression gives nothing' }),
  rows: () => ({ found: 'from its rows', missing: 'all of its rows are empty' }),
}

/** Goes down to a part of a value, as far as there is one to go into. `at` is the way that was gone. */
function follow(value: unknown, rest: string): { part: unknown; at: string } {
  let part = value
  let at = ''
  for (const step of rest.match(/\.[^.[]+|\[\d+\]/g) ?? []) {
    if (typeof part !== 'object' || part === null) break
    part = (part as Record<string, unknown>)[step.replace(/^\.|[[\]]/g, '')]
    at += step
  }
  return { part, at }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)
