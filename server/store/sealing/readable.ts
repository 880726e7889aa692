/** Rows that may not open, as after damage on the disk: one of them must not keep the others from being worked on. */

/** Called for each row that does not open, with the code `UNREADABLE_ROW`. */
export type OnUnreadable = (fault: unknown) => void

/** Returns what `read` makes of the rows, without those for which it throws. */
export function readable<Row, T>(rows: readonly Row[], read: (row: Row) => T, onUnreadable: OnUnreadable): T[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)]
    } catch (fault) {
      onUnreadable(Object.assign(fault as Error, { code: 'UNREADABLE_ROW' }))
      return []
    }
  })
}
