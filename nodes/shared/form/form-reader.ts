/** Reads the typed inputs and the lists of rows of a node's form for one message. */
import { InputError } from '../runtime/failures.ts'
import type { Config, Message, Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { sharedText } from '../runtime/status.ts'
import { type Evaluate, evaluator, orOtherName, type TypedValue, typedInput } from './evaluate.ts'
import { compact, type JsonObject } from './form-values.ts'
import { createOrigins, type Origin } from './origins.ts'

export interface FormReader {
  config: Config
  /**
   * Returns what an input gives, for the field that is sent as `path`. Undefined when it gives nothing, or cannot be evaluated:
   * `errors` then has a sentence about it.
   */
  value(name: string, path: string): Promise<unknown>
  /** Returns the object that an input gives as the body, or undefined. `fields` are those of its fields that are sent. */
  object(name: string, fields: readonly string[]): Promise<JsonObject | undefined>
  /** Returns the rows of a list, each without its empty cells; `filled` omits those without any value. */
  rows(list: string, path: string, which?: 'all' | 'filled'): Promise<JsonObject[]>
  /** Values that cannot be evaluated, as sentences. */
  errors: readonly string[]
  /** Adds to a sentence about a field which input it comes from, and whether that gave nothing. */
  named(sentence: string): string
}

/** A row of a list in a form: a typed input for each of its cells. */
type Row = Record<string, TypedValue>

export interface Reading {
  runtime: Runtime
  node: RuntimeNode
  config: Config
  otherNames?: Record<string, string> | undefined
}

/** Reads the inputs of a node for a message, under the labels of its form. */
export const messageReader = ({ runtime, node, config, otherNames }: Reading, message: Message): FormReader =>
  createFormReader(config, orOtherName(evaluator(runtime, node, message), otherNames), labelsOf(runtime))

/** @param labels returns how the form calls an input, a cell or a list; undefined where no form has it */
export function createFormReader(config: Config, evaluate: Evaluate, labels: Labels): FormReader {
  const { add, named } = createOrigins()
  const errors: string[] = []

  async function read(path: string, label: Origin['label'], input: TypedValue): Promise<unknown> {
    const value = await evaluate(input, path).catch((failure) => {
      if (!(failure instanceof InputError)) throw failure
      errors.push(...failure.errors.map((sentence) => (label === undefined ? sentence : `${sentence} (${label})`)))
    })
    add(path, { label, input, value })
    return value
  }

  async function readRow(row: Row, list: string, path: string): Promise<JsonObject> {
    const cells = Object.entries(row).map(async ([name, cell]) => {
      return [name, await read(`${path}.${name}`, labels.cell(list, name), cell)]
    })
    return compact(Object.fromEntries(await Promise.all(cells)))
  }

  return {
    config,
    value: (name, path) => read(path, labels.input(name), typedInput(config, name)),
    async object(name, fields) {
      const label = labels.input(name)
      const { type, value } = typedInput(config, name)
      const given = await read(name, label, { type, value })
      if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
      for (const field of fields)
        add(field, { label, input: { type, value: `${value}.${field}` }, value: (given as JsonObject)[field] })
      return given as JsonObject
    },
    async rows(list, path, which = 'all') {
      const stored = (config[list] ?? []) as Row[]
      const found: JsonObject[] = []
      for (const row of stored) {
        const values = await readRow(row, list, `${path}[${found.length}]`)
        if (which === 'all' || Object.keys(values).length > 0) found.push(values)
      }
      add(path, { label: labels.list(list), input: { type: 'rows', value: stored }, value: found })
      return found
    },
    errors,
    named,
  }
}

export interface Labels {
  input(name: string): string | undefined
  cell(list: string, name: string): string | undefined
  list(name: string): string | undefined
}

/** Labels for properties that no form chooses. */
export const noLabels: Labels = { input: () => undefined, cell: () => undefined, list: () => undefined }

/** The labels of a form, in the language of Node-RED. */
export const labelsOf = (runtime: Runtime): Labels => ({
  input: (name) =>
    // Several forms have it.
    name === 'annotations' ? sharedText(runtime, 'annotations.list') : runtime._(`label.${name}`),
  // A field is filled with its value.
  cell: (list, name) =>
    sharedText(runtime, `cell.${list.endsWith('Annotations') && name === 'value' ? 'filled' : name}`),
  list: (name) => sharedText(runtime, `rows.${name}`),
})
