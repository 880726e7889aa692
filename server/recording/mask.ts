/**
 * Goes through a value by its schema and parts what is harmless from what is not. Harmless are ids and other numbers, flags, words
 * of the interface and times, where the interface has them and does not mark them as private. Everything else is replaced, or left
 * out when the interface does not know it. Pure.
 */
import * as z from 'zod'
import { docs } from '../../lib/contract/docs.ts'

export interface Masking {
  /**
   * Returns what takes the place of a text that is not known to be harmless.
   * @param name of the field or parameter that holds it, as the interface has it
   */
  replace(text: string, name: string): string
  /** Called for a part that the interface does not know. */
  leaveOut(): void
}

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

interface Place {
  name: string
  isPrivate: boolean
}

/** Returns the masked value; undefined when nothing of it may stay. */
export const maskJson = (schema: z.ZodType, value: unknown, by: Masking): Json | undefined =>
  maskPart(schema, value, { name: 'body', isPrivate: false }, by)

function maskPart(
  part: z.ZodType,
  value: unknown,
  { name, isPrivate: isInPrivate }: Place,
  by: Masking,
): Json | undefined {
  const { schema, isSensitive } = unwrapped(part)
  const at = { name, isPrivate: isInPrivate || isSensitive }
  if (value === null || value === '') return value
  if (Array.isArray(value)) {
    if (schema instanceof z.ZodArray) return maskItems(schema.element as z.ZodType, value, at, by)
  } else if (typeof value === 'object') {
    const way = wayOf(schema, value as Record<string, unknown>)
    if (way) return maskFields(way, value as Record<string, unknown>, at, by)
  } else if (value !== undefined) {
    if (!at.isPrivate && isHarmless(schema, value, name)) return value as Json
    return by.replace(String(value), name)
  }
  by.leaveOut()
  return undefined
}

const maskItems = (element: z.ZodType, items: unknown[], at: Place, by: Masking): Json[] =>
  items.map((item) => maskPart(element, item, at, by)).filter((item) => item !== undefined)

/** In the order of the schema, so that two values with the same fields compare alike. */
function maskFields({ schema, chosenBy }: Way, value: Record<string, unknown>, at: Place, by: Masking): Json {
  const masked: Record<string, Json> = {}
  const names = Object.keys(schema.shape)
  for (const name of names) {
    if (!Object.hasOwn(value, name)) continue
    const part = schema.shape[name] as z.ZodType
    const field = name === chosenBy ? (value[name] as Json) : maskPart(part, value[name], { ...at, name }, by)
    if (field !== undefined) masked[name] = field
  }
  for (const name of Object.keys(value)) if (!names.includes(name)) by.leaveOut()
  return masked
}

/** Returns what is inside of optional parts and the like; each layer may carry the mark of what is private. */
function unwrapped(part: z.ZodType): { schema: z.ZodType; isSensitive: boolean } {
  let schema: z.ZodType = part
  let isSensitive = false
  for (;;) {
    isSensitive ||= docs.get(schema)?.sensitive === true
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) schema = schema.unwrap() as z.ZodType
    else return { schema, isSensitive }
  }
}

/** The fields that an object has. */
interface Way {
  schema: z.ZodObject
  /** The field whose word chose these, where there are several ways. It stays: what was masked must be read in the same way. */
  chosenBy?: string
}

function wayOf(schema: z.ZodType, value: Record<string, unknown>): Way | undefined {
  if (schema instanceof z.ZodObject) return { schema }
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return undefined
  const { discriminator: chosenBy } = schema.def
  const ways = schema.options.filter((way) => way instanceof z.ZodObject)
  const chosen = ways.find(({ shape }) => (shape[chosenBy] as z.ZodType).safeParse(value[chosenBy]).success)
  return chosen && { schema: chosen, chosenBy }
}

/** No page is larger, in points (ISO 32000-1, annex C): what is counted or measured stays below, and a number of a person is above. */
const LARGEST_MEASURE = 14_400

function isHarmless(schema: z.ZodType, value: unknown, name: string): boolean {
  if (schema instanceof z.ZodNumber) return isHarmlessNumber(value, name)
  const isWord = schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral || schema instanceof z.ZodISODateTime
  return (isWord || schema instanceof z.ZodBoolean) && schema.safeParse(value).success
}

/** Ids are the host's own, and may be larger than ours. */
const isHarmlessNumber = (value: unknown, name: string): boolean =>
  /(^i|I)d$/.test(name) ? Number.isInteger(value) : typeof value === 'number' && Math.abs(value) <= LARGEST_MEASURE

/** Returns the masked value of a parameter in a path or query. */
export function maskParameter(part: z.ZodType, text: string, name: string, by: Masking): string {
  const { schema, isSensitive } = unwrapped(part)
  const { type } = docs.get(part) ?? {}
  const isNumber = type === 'integer' && /^-?\d{1,16}$/.test(text) && isHarmlessNumber(Number(text), name)
  const isFlag = type === 'boolean' && /^(true|false)$/.test(text)
  if (text === '' || (!isSensitive && (isNumber || isFlag || isHarmless(schema, text, name)))) return text
  return by.replace(text, name)
}
