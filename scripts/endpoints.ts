/** The endpoints of the contract as a Markdown table, one row for each operation. Pure. */
import { type Operation, operations } from '../lib/contract/operations.ts'

const COLUMNS = ['endpoint', 'does', 'answers'] as const

export function endpointsTable(): string {
  const rows = (Object.values(operations) as Operation[]).map((operation) => [
    `\`${operation.method.toUpperCase()} ${operation.path.replace(/:(\w+)/g, '{$1}')}\``,
    operation.summary + (operation.public ? '; needs no key' : ''),
    Object.keys(operation.responses)
      .filter((status) => Number(status) !== 204 || operation.responses[200] === undefined)
      .join(', '),
  ])
  const widths = COLUMNS.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(COLUMNS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
