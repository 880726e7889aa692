/** Lists the namespaces of a journal file, so that nothing is kept there that is not counted. */
import { DatabaseSync } from 'node:sqlite'
import { rangeOf } from './namespace.ts'

export interface NamespaceCount {
  namespace: string
  /** How many living entries it has. */
  count: number
}

/** Returns every namespace that has an entry, in order. Throws what SQLite says of a file that is not a journal. */
export function namespacesIn(file: string, now: number = Date.now()): NamespaceCount[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    database.exec('PRAGMA busy_timeout = 5000')
    const first = database.prepare('SELECT key FROM entries WHERE key >= ? ORDER BY key LIMIT 1')
    const count = database.prepare(
      'SELECT count(*) AS count FROM entries WHERE key >= ? AND key < ? AND (expires IS NULL OR expires > ?)',
    )
    const found: NamespaceCount[] = []
    for (let from = ''; ; ) {
      const row = first.get(from)
      if (!row) return found
      const key = String(row.key)
      const namespace = key.slice(0, Math.max(0, key.indexOf(':')))
      const [begin, end] = rangeOf(namespace)
      const living = Number(count.get(begin, end, now)!.count)
      if (living > 0) found.push({ namespace, count: living })
      from = end
    }
  } finally {
    database.close()
  }
}
