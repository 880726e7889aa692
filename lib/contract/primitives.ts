/** The small values the interface is made of. Each message says what would be right; `describeIssues` adds the path. */
import * as z from 'zod'
import { characterCount } from './characters.ts'
import { docs } from './docs.ts'
import { ANY_HOST_ID, rule } from './rule.ts'
import { utcTimeRule } from './utc-time.ts'

export { rule } from './rule.ts'

/** The most items of a list, and more than anyone needs: an endless list would have to be checked to its end. */
export const MAX_ITEMS = 100
export const tooMany = `at most ${MAX_ITEMS}`

/** An object whose absence is one error, not one for each of its fields. */
export const absent = rule('an object')

/** Senders' systems often write null where a value is absent, so an optional field accepts both. */
export const optional = <S extends z.ZodType>(schema: S) => schema.nullish()

/** Whether a value says anything: senders' forms send empty text for what was omitted. */
export const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '')

/** Text with at least one character that is not white space. Text without a limit has no use here. */
export const text = (maxLength = 255) => {
  const right = `text of 1 to ${maxLength} characters`
  return z
    .string(rule(right))
    .regex(/\S/, right)
    .max(maxLength, right)
    .refine((value) => !value.includes('\u0000'), 'text without NUL characters')
}

export const Npi = z
  .string(rule('exactly 10 digits'))
  .regex(/^\d{10}$/, 'exactly 10 digits')
  .register(docs, {
    id: 'Npi',
    title: 'NPI',
    description: 'National Provider Identifier: exactly 10 digits.',
    examples: ['9999900019'],
  })

const calendarDate = 'a calendar date, YYYY-MM-DD'
export const date = () => z.iso.date(rule(calendarDate))

/** A time in UTC. The service writes a Z; a host may leave it out or write +00:00, which `utcTime` reads as the same time. */
export const timestamp = () => z.iso.datetime({ offset: true, local: true, ...rule(utcTimeRule.right) })

/** Text that may be empty, its length in characters as people count them. */
export const upTo = (maxLength: number) => {
  const right = `text of up to ${maxLength} characters`
  return z
    .string(rule(right))
    .refine((value) => characterCount(value) <= maxLength, right)
    .refine((value) => !value.includes('\u0000'), 'text without NUL characters')
}

/** The largest id that every store keeps as an integer. */
const MAX_ID = 2_147_483_647
const ANY_ID = `a whole number from 1 to ${MAX_ID}`
export const id = () => z.int(rule(ANY_ID)).positive(ANY_ID).max(MAX_ID, ANY_ID)

/**
 * An id that a host gave: any whole number that JavaScript keeps exactly. A larger one would be rounded, and would then name
 * another task, so it is refused instead. choice: Ids of hosts
 */
export const anyId = () => z.int(rule(ANY_HOST_ID))

/** The same, as it is in a message or a path. */
export const anyPathId = () =>
  z
    .string(rule(`${ANY_HOST_ID}, given once`))
    .regex(/^-?\d{1,16}$/, ANY_HOST_ID)
    .transform(Number)
    .pipe(anyId())

/** The longest text that a host may take where the interface sets no limit. */
export const MAX_HOST_TEXT = 4000

/** Text for people that a host may omit, or write as something else: nothing depends on it. */
export const anyText = () => z.string().nullish().catch(null)

/** An id as a path segment. Anything but plain digits is refused, so that `1e3` never means task 1000. */
export const pathId = () =>
  z
    .string(rule(`${ANY_ID}, given once`))
    .regex(/^\d{1,10}$/, ANY_ID)
    .transform(Number)
    .pipe(id())

/** `?flag=true` as it travels; `z.coerce.boolean()` would turn "false" into true. */
export const queryFlag = () =>
  z.stringbool({ truthy: ['true'], falsy: ['false'], ...rule('true or false, given once') })

export const Address = z
  .object(
    {
      line: optional(upTo(255)).register(docs, {
        title: 'Street line',
        description: 'Street and house number.',
        examples: ['1 Alder Street'],
        sensitive: true,
      }),
      city: optional(upTo(255)).register(docs, {
        title: 'City',
        description: 'City or town.',
        examples: ['Duluth'],
        sensitive: true,
      }),
      state: optional(upTo(255)).register(docs, {
        title: 'State',
        description: 'State, as the two-letter code.',
        examples: ['MN'],
        sensitive: true,
      }),
      postalCode: text(20).register(docs, {
        title: 'Postal code',
        description: 'ZIP or ZIP+4. Required on each address.',
        examples: ['55802'],
        sensitive: true,
      }),
    },
    absent,
  )
  .register(docs, {
    id: 'Address',
    title: 'Address',
    description: 'A postal address.',
    examples: [{ line: '1 Alder Street', city: 'Duluth', state: 'MN', postalCode: '55802' }],
    sensitive: true,
  })
export type Address = z.infer<typeof Address>

/** Where an organization is: what orders are routed by. One without a postal code is no error; it matches nothing. */
export const OrganizationAddress = z
  .object(
    {
      ...Address.shape,
      postalCode: optional(upTo(255)).register(docs, {
        title: 'Postal code',
        description: 'ZIP or ZIP+4. An address without it matches no organization.',
        examples: ['55802'],
      }),
    },
    absent,
  )
  .register(docs, {
    id: 'OrganizationAddress',
    title: 'Address of an organization',
    description: 'A postal address that tasks are routed by.',
    examples: [{ line: '100 Shore Lane', city: 'Duluth', state: 'MN', postalCode: '55802' }],
  })
export type OrganizationAddress = z.infer<typeof OrganizationAddress>
