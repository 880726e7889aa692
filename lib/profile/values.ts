/** What the values of a profile are made of. */
import * as z from 'zod'
import { docs } from '../contract/docs.ts'
import { rule } from '../contract/primitives.ts'

/** Registers what people read about a value. */
export const told = <S extends z.ZodType>(schema: S, title: string, description: string, ...examples: unknown[]): S => {
  docs.add(schema, { title, description, examples })
  return schema
}

const NAME = 'the name of a property or parameter'
const NAMED = /^[A-Za-z_][\w.-]{0,59}$/
export const name = () => z.string(rule(NAME)).regex(NAMED, NAME)

export const whole = (first: number, last: number) => {
  const right = `a whole number from ${first} to ${last}`
  return z.int(rule(right)).min(first, right).max(last, right)
}

/** A group of values, each of which may be left out, and the group, too. */
export const part = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, rule('an object')).prefault({} as never)
