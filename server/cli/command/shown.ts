/** Writes a result as people read it: a list as a table, one thing as names and values. Pure. */

/** Ends with a line break. */
export function shown(result: object): string {
  if (!Array.isArray(result)) return lines(Object.entries(result).map(([name, value]) => [name, cell(value)]))
  if (result.length === 0) return 'none\n'
  const names = Object.keys(result[0] as object)
  return lines([names, ...result.map((row: Record<string, unknown>) => names.map((name) => cell(row[name])))])
}

function lines(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column]!)).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.map(cell).join('; ') || '-'
  if (typeof value === 'object') return Object.values(value).filter(Boolean).map(cell).join(', ')
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}
