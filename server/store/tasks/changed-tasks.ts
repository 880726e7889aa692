/** Finds the tasks of which a decisive column, or the encrypted texts, were changed without the master key. It opens each task. */
import type { StoreContext } from '../context.ts'
import type { RowFault } from '../rows/check-rows.ts'
import { type BoundRow, decisiveColumns, genuineTexts } from './task-row.ts'

export async function changedTasks(context: StoreContext): Promise<RowFault[]> {
  const found: RowFault[] = []
  for (let last = 0; ; ) {
    const page = await context.db
      .selectFrom('task')
      .select(['id', 'sealedNotes', ...decisiveColumns])
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const row of page)
      if (!isGenuine(context, row)) found.push({ table: 'task', id: String(row.id), is: 'changed' })
    if (page.length < PAGE) return found
    last = page.at(-1)!.id
  }
}

function isGenuine(context: StoreContext, row: BoundRow): boolean {
  try {
    return genuineTexts(context, row) !== null
  } catch {
    return false
  }
}

const PAGE = 500
