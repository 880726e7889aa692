/** A table of a map as a spreadsheet: a header with the names of the columns, and a row for each code of the sender. Pure. */
import * as z from 'zod'
import { id, Npi, rule } from '../../contract/primitives.ts'
import { type WrongValue, wrongValues } from '../../contract/wrong-values.ts'
import { SettingsError } from '../../settings.ts'
import type { MapFile } from '../map-file.ts'
import { type CsvRow, readCsv } from './read-csv.ts'

const code = z.string(rule('text'))
/** Text stays as it is, for the message of the schema. */
const number = <S extends z.ZodType>(schema: S) =>
  z.preprocess((cell) => (typeof cell === 'string' && /^\d+$/.test(cell) ? Number(cell) : cell), schema)

type Cells = Readonly<Record<string, unknown>>

/** The columns of a table, and what a row with them adds to it. */
const table = <S extends z.ZodObject>(
  columns: S,
  entry: (row: z.output<S>) => readonly [code: string, value: unknown],
) => ({
  columns: Object.keys(columns.shape),
  read(cells: Cells) {
    const row = columns.safeParse(cells)
    return row.success ? { entry: entry(row.data), issues: [] } : { issues: row.error.issues }
  },
})

const tables = {
  documentTypes: table(
    z.object({ code, documentTypeId: number(id()), templateId: number(id().optional()) }),
    ({ code, ...kind }) => [code, kind],
  ),
  organizations: table(z.object({ facility: code, orgNPI: Npi }), ({ facility, orgNPI }) => [facility, orgNPI]),
  signers: table(z.object({ id: code, userNPI: Npi }), ({ id, userNPI }) => [id, userNPI]),
} as const

export type TableName = keyof typeof tables
export const tableNames = Object.keys(tables) as TableName[]

/**
 * Returns a table of the map from the text of a CSV file. Throws `SettingsError`, which names every wrong row by its line, and none
 * of its values.
 */
export function tableFromCsv(name: TableName, text: string): MapFile[TableName] {
  const { rows, brokenAt } = readCsv(text)
  const [header, ...others] = rows
  const columns = header === undefined ? null : columnsOf(name, header)
  const read = columns === null ? [] : others.map((row) => readRow(name, columns, row))
  const wrong = [
    ...(columns === null ? [{ path: `line ${header?.line ?? 1}`, right: headerOf(name) }] : []),
    ...read.flatMap((row) => row.wrong),
    ...repeated(read),
    ...(brokenAt === null ? [] : [{ path: `line ${brokenAt}`, right: 'quotation marks around whole cells only' }]),
  ]
  if (wrong.length > 0) throw new SettingsError(`table ${name}`, wrong)
  return Object.fromEntries(read.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))) as never
}

/** May be missing from the header. */
const OPTIONAL = 'templateId'

const headerOf = (name: TableName): string => {
  const columns = tables[name].columns.map((column) => (column === OPTIONAL ? `${column} (optional)` : column))
  return `a header with the columns ${columns.join(', ')}`
}

/** Returns the columns in the order of the header; null when one is missing, unknown or there twice. */
function columnsOf(name: TableName, { cells }: CsvRow): readonly string[] | null {
  const known = tables[name].columns
  const names = cells.map((cell) => known.find((column) => column.toLowerCase() === cell.toLowerCase()))
  const isWhole = known.every((column) => column === OPTIONAL || names.includes(column))
  const found = names.filter((column) => column !== undefined)
  return isWhole && new Set(found).size === cells.length ? found : null
}

interface Row {
  line: number
  entry?: readonly [code: string, value: unknown]
  wrong: WrongValue[]
}

function readRow(name: TableName, columns: readonly string[], { line, cells }: CsvRow): Row {
  const filled = columns.flatMap((column, index) => (cells[index] ? [[column, cells[index]]] : []))
  const { entry, issues } = tables[name].read(Object.fromEntries(filled))
  const tooMany = cells.slice(columns.length).some((cell) => cell !== '')
  const wrong = [
    ...wrongValues({ issues }, '').map(({ path, right }) => ({ path: `line ${line}, ${path}`, right })),
    ...(tooMany ? [{ path: `line ${line}`, right: 'no more cells than the header has' }] : []),
  ]
  return { line, ...(entry && { entry }), wrong }
}

/** A code that represents two things represents none. */
function repeated(rows: readonly Row[]): WrongValue[] {
  const lines = new Map<string, number>()
  return rows.flatMap(({ line, entry }) => {
    const code = entry?.[0]
    const first = code === undefined ? undefined : lines.get(code)
    if (first !== undefined) return [{ path: `line ${line}`, right: `another code than line ${first} has` }]
    if (code !== undefined) lines.set(code, line)
    return []
  })
}
