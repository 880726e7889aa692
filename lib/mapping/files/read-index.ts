/** Reads the index of a document: an object in JSON, or a row in CSV beneath the names of its columns. Pure. */
import { setFor, textIn } from '../../hl7/character-set.ts'
import { strictJson } from '../../json-text.ts'
import type { Findings } from '../findings.ts'
import type { IndexField } from '../index-fields.ts'
import type { MapFile } from '../map-file.ts'
import { holdHidden } from '../readable-ids.ts'
import { type CsvRow, readCsv } from '../tables/read-csv.ts'

/** The kinds of index files, by the end of their name. */
export const indexKinds = ['json', 'csv'] as const
export type IndexKind = (typeof indexKinds)[number]

/** A field of an index. */
export interface IndexValue {
  /** The sender's name of it. */
  place: string
  /** The value without blanks around it; empty when the index does not have it. */
  value: string
}

export type Index = (field: IndexField) => IndexValue

/** Returns the fields of an index; null, and holds the document, when it cannot be read. */
export function readIndex(bytes: Uint8Array, kind: IndexKind, map: MapFile, findings: Findings): Index | null {
  const values = kind === 'json' ? fromJson(bytes, findings) : fromCsv(bytes, map, findings)
  if (values === null) return null
  const index: Index = (field) => {
    const place = map.columns[field] ?? field
    return { place, value: values.get(place) ?? '' }
  }
  const ids = ID_FIELDS.map(index)
  for (const { place, value } of ids)
    if (SHORTENED.test(value))
      findings.hold(place, 'is a number that a spreadsheet has shortened; format the column as text')
    else if (/^[='`’]/.test(value))
      findings.hold(place, 'begins as a spreadsheet marks a formula or a text; give the id alone')
  holdHidden(
    ids.map(({ place, value }) => [place, value]),
    findings,
  )
  return index
}

const ID_FIELDS = [
  'documentId',
  'replaces',
  'patientId',
  'patientIdAuthority',
  'ssn',
  'signer',
  'organization',
] as const

/** Such as 1.23457E+11, which many numbers become. */
const SHORTENED = /^[+-]?\d+(?:[.,]\d+)?E\+\d+$/i

type Values = ReadonlyMap<string, string>

function fromJson(bytes: Uint8Array, findings: Findings): Values | null {
  const rounded = new Set<string>()
  const read = strictJson(bytes, (name, value, written) => {
    if (typeof value === 'number' && !isWhole(value, written?.source)) rounded.add(name)
    return value
  })
  const json = read.ok ? read.value : null
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    findings.hold('index', read.ok ? 'is not a JSON object' : read.reason)
    return null
  }
  const entries = Object.entries(json).filter(([, value]) => value !== null)
  for (const [name, value] of entries) {
    if (typeof value !== 'string' && typeof value !== 'number') findings.hold(name, 'is not a string or a number')
    else if (rounded.has(name)) findings.hold(name, 'is a number that JSON readers round; write it as a string')
  }
  if (haveSameName(entries.map(([name]) => name))) findings.hold('index', SAME_NAMES)
  return new Map(entries.map(([name, value]) => [name, String(value).trim()]))
}

/** A program that writes decimals or exponents also rounds, and the zeros of an id are lost. */
const isWhole = (value: number, source = String(value)): boolean =>
  Number.isSafeInteger(value) && /^-?\d+$/.test(source)

const SAME_NAMES = 'has two columns of one name'

/** Whether names are the same but for upper and lower case. */
const haveSameName = (names: readonly string[]): boolean =>
  new Set(names.map((name) => name.toLowerCase())).size < names.length

function fromCsv(bytes: Uint8Array, { charset = 'utf-8' }: MapFile, findings: Findings): Values | null {
  const characterSet = setFor(charset)
  const text = characterSet === null ? null : textIn(bytes, characterSet)
  if (text === null) {
    findings.hold('index', 'is not valid in the character set that charset in the map names')
    return null
  }
  const { rows, brokenAt } = readCsv(text)
  const problem = brokenAt === null ? problemOf(rows) : `line ${brokenAt}: the quotation marks do not enclose a cell`
  if (problem !== null) {
    findings.hold('index', problem)
    return null
  }
  const [head, row] = rows
  return new Map(head!.cells.map((name, at) => [name, row!.cells[at]!] as const).filter(([name]) => name !== ''))
}

function problemOf([head, row, ...others]: readonly CsvRow[]): string | null {
  if (head === undefined || row === undefined)
    return 'needs a line with the names of the columns, and a line with their values'
  if (others.length > 0) return 'has several documents; each needs an index of its own'
  if (head.cells.length !== row.cells.length)
    return `line ${row.line}: ${row.cells.length} cells, where the first line has ${head.cells.length}`
  if (head.cells.some((name, at) => name === '' && row.cells[at] !== ''))
    return 'has a value in a column without a name'
  return haveSameName(head.cells.filter((name) => name !== '')) ? SAME_NAMES : null
}
