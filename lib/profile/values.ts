/** The building blocks of a profile's values. */
import * as z from 'zod'
import { docs } from '../contract/docs.ts'
import { rule } from '../contract/primitives.ts'
import type { ProfileValue } from './callback-values.ts'

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

/** A value that is read without zod as well, by the same rule. */
export const ruled = <T extends string | number>({ fits, right, otherwise }: ProfileValue<T>) =>
  z.custom<T>(fits, rule(right)).default(otherwise)

/** A group of values, each of which may be omitted, and the group, too. */
export const part = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, rule('an object')).prefault({} as never)
