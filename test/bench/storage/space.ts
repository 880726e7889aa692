/** How many bytes each table of a store takes, with its indexes, and how many it has had written into its log. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DATABASE_FILE } from '../../../server/store/folder/data-files.ts'
import { query } from '../../support/store/postgres/a-postgres.ts'

export interface Space {
  /** By name of the table. */
  bytes: ReadonlyMap<string, number>
  rows: ReadonlyMap<string, number>
  /** Of the write-ahead log since there is the server; null where the log is written over again and again. */
  log: number | null
}

type Found = { name: string; bytes: number; log?: number }

/** @param data a folder or a URL, as of `--data` */
export async function spaceOf(data: string): Promise<Space> {
  const ask = data.startsWith('postgres') ? (sql: string) => query(data, sql) : inFolder(data)
  const found = (await ask(data.startsWith('postgres') ? OF_POSTGRES : OF_SQLITE)) as Found[]
  const rows = new Map<string, number>()
  for (const { name } of found) {
    const [counted] = await ask(`SELECT count(*) AS count FROM ${name}`)
    rows.set(name, Number(counted!.count))
  }
  return {
    bytes: new Map(found.map(({ name, bytes }) => [name, Number(bytes)])),
    rows,
    log: found[0]?.log ?? null,
  }
}

const OF_POSTGRES = `SELECT relname AS name, pg_total_relation_size(relid)::float AS bytes,
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float AS log
  FROM pg_stat_user_tables`

const OF_SQLITE = `SELECT s.tbl_name AS name, sum(d.pgsize) AS bytes
  FROM dbstat AS d JOIN sqlite_schema AS s ON s.name = d.name
  WHERE d.aggregate = TRUE GROUP BY s.tbl_name`

function inFolder(folder: string) {
  return async (sql: string) => {
    const database = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true })
    try {
      return database.prepare(sql).all()
    } finally {
      database.close()
    }
  }
}
