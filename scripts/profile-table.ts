/** The values of a host profile as a Markdown table, a row for each. Pure. */
import * as z from 'zod'
import { docs } from '../lib/contract/docs.ts'
import { HostProfile } from '../lib/profile/host-profile.ts'
import { defaultProfile } from '../lib/profile/parse-profile.ts'

const COLUMNS = ['value', 'meaning', 'default'] as const

export function profileTable(): string {
  const rows = valuesOf(HostProfile).map(([path, schema]) => [
    `\`${path.join('.')}\``,
    docs.get(schema)!.description.replaceAll('|', '\\|'),
    `\`${JSON.stringify(defaultOf(path))}\``,
  ])
  const widths = COLUMNS.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(COLUMNS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** Every value of a schema of objects, by its path. */
export function valuesOf(schema: z.ZodType, path: readonly string[] = []): [string[], z.ZodType][] {
  const inner = schema instanceof z.ZodPrefault ? (schema.unwrap() as z.ZodType) : schema
  if (!(inner instanceof z.ZodObject)) return [[[...path], schema]]
  const fields = Object.entries(inner.shape as Record<string, z.ZodType>)
  return fields.flatMap(([key, value]) => valuesOf(value, [...path, key]))
}

const defaultOf = (path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], defaultProfile)
