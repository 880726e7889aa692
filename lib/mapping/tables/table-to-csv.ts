/** A table of a map as text for a spreadsheet, which `tableFromCsv` reads again. Pure. */
import type { MapFile } from '../map-file.ts'
import type { TableName } from './table-from-csv.ts'

type Rows = { [N in TableName]: (table: MapFile[N]) => readonly (readonly (string | number | undefined)[])[] }

/** The header and the rows of each table. */
const rows: Rows = {
  documentTypes: (table) => [
    ['code', 'documentTypeId', 'templateId'],
    ...Object.entries(table).map(([code, { documentTypeId, templateId }]) => [code, documentTypeId, templateId]),
  ],
  organizations: (table) => [['facility', 'orgNPI'], ...Object.entries(table)],
  signers: (table) => [['id', 'userNPI'], ...Object.entries(table)],
}

/** Returns the text of a CSV file, as RFC 4180 describes it. */
export const tableToCsv = <N extends TableName>(name: N, table: MapFile[N]): string =>
  rows[name](table)
    .map((cells) => `${cells.map(cellOf).join(',')}\r\n`)
    .join('')

/** A cell without quotation marks loses the blanks around it. */
const cellOf = (value: string | number | undefined): string => {
  const text = String(value ?? '')
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
