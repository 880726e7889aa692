/** A list of the console. On a narrow screen it has no head, and each cell begins with the name of its column. */
import type { ComponentChildren } from 'preact'
import { GivenText } from '../shared/text/given-text.tsx'
import { t } from '../words/words.ts'

interface Column<Row> {
  name: string
  /** The label of a cell on a narrow screen, where the name is too long. */
  shortName?: string
  /** A number or a word of the service, which stays on one line. */
  isShort?: boolean
  cell(row: Row): ComponentChildren
}

/** The first column tells the rows apart. */
export type Columns<Row> = readonly [Column<Row>, ...Column<Row>[]]

interface TableProps<Row> {
  /** Null until they are known; then there is no table yet. */
  rows: readonly Row[] | null
  keyOf(row: Row): string | number
  columns: Columns<Row>
  /** The buttons and links at the end of a row. */
  actions?(row: Row): ComponentChildren
  /** Replaces a table without rows. Optional; an empty table is shown by default. */
  empty?: string
  class?: string
}

export function Table<Row>({ rows, keyOf, columns, actions, empty, class: layout }: TableProps<Row>) {
  if (!rows) return null
  if (empty && rows.length === 0) return <p class="empty">{empty}</p>
  const [first, ...others] = columns
  return (
    <table class={layout}>
      <thead>
        <tr>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          {actions && (
            <th scope="col">
              <span class="visually-hidden">{t('list.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <th scope="row" class={layoutOf(first)}>
              {shown(first.cell(row))}
            </th>
            {others.map(({ name, shortName = name, cell, ...layout }) => (
              <td key={name} class={layoutOf(layout)} data-label={shortName}>
                {shown(cell(row))}
              </td>
            ))}
            {actions && <td class="row-actions">{actions(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const layoutOf = ({ isShort }: { isShort?: boolean }) => (isShort ? 'short' : undefined)

const shown = (content: ComponentChildren) => (typeof content === 'string' ? <GivenText>{content}</GivenText> : content)
