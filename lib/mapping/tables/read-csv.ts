/** Comma-separated values, as RFC 4180 describes them and as spreadsheets save them. Pure. */

/** A row, and the line of the file that it begins on, from 1. */
export interface CsvRow {
  line: number
  cells: readonly string[]
}

export interface Csv {
  rows: readonly CsvRow[]
  /** The line of the first cell whose quotation marks do not enclose it; null when all is well. Nothing after it is read. */
  brokenAt: number | null
}

/** The semicolon is what spreadsheets write where a comma is before decimals. */
const SEPARATORS = [',', ';', '\t']

/**
 * Returns the rows that hold anything, without the blanks around their cells. The separator is that of the first line: comma,
 * semicolon or tab, or the one that a line before it names (`sep=;`). A cell in quotation marks may hold separators, line breaks, and quotation marks written twice.
 */
export function readCsv(text: string): Csv {
  const whole = text.replace(/^\ufeff/, '')
  const [named = '', stated] = /^sep=([,;\t])(?:\r\n?|\n)/i.exec(whole) ?? []
  const given = whole.slice(named.length)
  const separator = stated ?? separatorOf(given)
  const cell = new RegExp(`(?: *"((?:[^"]|"")*)" *|([^"${separator}\r\n]*))(${separator}|\r\n?|\n|$)`, 'y')
  const rows: CsvRow[] = []
  let line = named === '' ? 1 : 2
  let row = { line, cells: [] as string[] }
  while (cell.lastIndex < given.length || row.cells.length > 0) {
    const [matched, quoted, plain = '', end] = cell.exec(given) ?? []
    if (matched === undefined) return { rows, brokenAt: line }
    row.cells.push((quoted?.replaceAll('""', '"') ?? plain).trim())
    line += matched.match(/\r\n?|\n/g)?.length ?? 0
    if (end === separator) continue
    if (row.cells.some((value) => value !== '')) rows.push(row)
    row = { line, cells: [] }
  }
  return { rows, brokenAt: null }
}

/** The one that the first line holds most of, outside of quotation marks. */
function separatorOf(text: string): string {
  const [first = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/)
  const count = (separator: string) => first.split(separator).length
  return SEPARATORS.toSorted((a, b) => count(b) - count(a))[0]!
}
