/** A database of PostgreSQL for one test after another, over one connection: each is a process, which takes longer than most statements. */
import pg from 'pg'
import { openStore } from '../../../../server/store/store.ts'

export interface KeptDatabase {
  url: string
  /** One statement, or several without values. */
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Leaves it as it was made, and nobody else connected to it. False where that cannot be: its tables are others. */
  restore(): Promise<boolean>
  close(): Promise<void>
}

/** @param url of a new, empty database */
export async function emptyDatabase(url: string): Promise<KeptDatabase> {
  const { close, query } = connection(url)
  return {
    url,
    query,
    close,
    async restore() {
      await query(`${ALONE}; DROP SCHEMA public CASCADE; CREATE SCHEMA public`)
      return true
    },
  }
}

/** As the first start of a service leaves it, but for what that has sealed. @param url of a new, empty database */
export async function migratedDatabase(url: string): Promise<KeptDatabase> {
  await (await openStore(url, Buffer.alloc(32))).close()
  const { close, query } = connection(url)
  await query('DELETE FROM keepsake')
  const tables = (await query(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`)).map(nameOf)
  const emptied: string[] = []
  for (const name of tables) if ((await query(`SELECT 1 FROM "${name}" LIMIT 1`)).length === 0) emptied.push(name)
  const numbered = await query('SELECT sequencename AS name, start_value, last_value FROM pg_sequences')
  const restored = numbered.map((row) => {
    const { start_value: start, last_value: last } = row
    return `SELECT setval('"${nameOf(row)}"', ${last ?? start}, ${last !== null})`
  })
  const [made] = await query(SCHEMA)
  return {
    url,
    query,
    close,
    async restore() {
      const [now] = await query(`${ALONE}; ${SCHEMA}`)
      if (now!.schema !== made!.schema) return false
      const deleted = emptied.map((name) => `DELETE FROM "${name}"`)
      // Without triggers, so in any order.
      await query(
        ['SET session_replication_role = replica', ...deleted, ...restored, 'RESET session_replication_role'].join(';'),
      )
      return true
    },
  }
}

const ALONE =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'

/** All that tables consist of. */
const SCHEMA = `SELECT md5(string_agg(part, ',' ORDER BY part)) AS schema FROM (
  SELECT concat_ws(' ', 'relation', oid, relname) AS part FROM pg_class WHERE relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT concat_ws(' ', 'trigger', oid, tgname, tgenabled) FROM pg_trigger
  UNION ALL
  SELECT concat_ws(' ', 'column', attrelid, attnum, attname, atttypid, attnotnull) FROM pg_attribute
    WHERE attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)) AS parts`

const nameOf = ({ name }: Record<string, unknown>): string => String(name)

function connection(url: string): Pick<KeptDatabase, 'query' | 'close'> {
  let client: pg.Client | null = null
  const connected = async () => {
    if (client) return client
    const made = new pg.Client({ connectionString: url })
    // Some tests restart the server.
    made.on('error', () => {})
    made.on('end', () => {
      client = null
    })
    await made.connect()
    client = made
    return made
  }
  let before: Promise<unknown> = Promise.resolve()
  return {
    async query(text) {
      // One after the other, because there is one connection.
      const asked = before.then(async () => (await connected()).query(text))
      before = asked.catch(() => {})
      // Of several statements there are several results.
      return [await asked].flat().at(-1)!.rows as Record<string, unknown>[]
    },
    close: async () => client?.end(),
  }
}
