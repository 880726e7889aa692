/** The accepted messages of one node in a database that several Node-REDs share. Each process sends those that it has accepted or taken over. */
import { hasEnded } from '../../../lib/journal/postgres-store.ts'
import type { Statement } from '../database/calls.ts'
import { IS_NUMBERED, numberIn, oneMore, rowsOf, type SharedQueue, withNumbers } from '../database/where.ts'
import { UNDER_WAY } from '../handling/marks.ts'
import { createDatabaseMarks, endMarks } from '../handling/marks-in-database.ts'
import type { Entry, IntakeStore, NewMessage, Waiting } from './intake-store.ts'

const COLUMNS = `id, digest, octet_length(sealed) AS size, EXISTS (
  SELECT FROM countersign_under_way AS mark
  WHERE mark.queue = accepted.queue AND mark.id = accepted.id::text AND stage = ${UNDER_WAY}) AS "isMarked"`

const IS_READ = `${IS_NUMBERED} AND ($2::text IS NULL OR owner = $2)`

export function openSharedIntakeStore({ database, queue, isOrdered = false }: SharedQueue): IntakeStore {
  const { run } = database
  /** The process whose messages are read; null for those of all. */
  const owner = isOrdered ? null : run
  const release = database.retain()
  const rows = (sql: string, ...values: unknown[]) => rowsOf(database, sql, [queue, ...values])
  const takeOver: Statement = {
    sql: `UPDATE countersign_accepted SET owner = $2
      WHERE queue = $1 AND owner <> $2 AND sealed IS NOT NULL AND ${hasEnded('owner')}`,
    values: [queue, run],
  }
  const marks = createDatabaseMarks<number>(database, queue, numberIn, isOrdered ? undefined : takeOver)

  const insert = ({ digest, sealed }: NewMessage, at: number): Statement => ({
    sql: `INSERT INTO countersign_accepted (queue, id, digest, at, size, sealed, owner)
      VALUES ($1, nextval('countersign_number'), $2, $3, $4, $5, $6) ON CONFLICT (queue, digest) DO NOTHING`,
    values: [queue, digest, at, sealed.length, sealed, run],
  })
  /** In the transaction that writes the messages, by their digests: their numbers are not known before. */
  const mark = (digests: readonly string[]): Statement => ({
    sql: `INSERT INTO countersign_under_way (queue, id, deaths, stage, owner)
      SELECT queue, id::text, 0, ${UNDER_WAY}, owner FROM countersign_accepted
      WHERE queue = $1 AND digest = ANY($2) AND owner = $3 AND sealed IS NOT NULL ON CONFLICT (queue, id) DO NOTHING`,
    values: [queue, digests, run],
  })

  return {
    write(messages, at) {
      const underWay = messages.filter(({ isUnderWay }) => isUnderWay).map(({ digest }) => digest)
      const results = database.call(
        ...messages.map((message) => insert(message, at)),
        ...(underWay.length > 0 ? [mark(underWay)] : []),
      )
      return messages.map((_, index) => results[index]!.count === 1)
    },
    next: (afterId) =>
      entryOf(
        rows(
          `SELECT ${COLUMNS} FROM countersign_accepted AS accepted
           WHERE queue = $1 AND ${IS_READ} AND id > $3 AND sealed IS NOT NULL ORDER BY id LIMIT 1`,
          owner,
          afterId,
        )[0],
      ),
    find: (id) =>
      entryOf(
        rows(
          `SELECT ${COLUMNS} FROM countersign_accepted AS accepted
           WHERE queue = $1 AND ${IS_READ} AND id = $3 AND sealed IS NOT NULL`,
          owner,
          id,
        )[0],
      ),
    read: (id) =>
      rows('SELECT sealed FROM countersign_accepted WHERE queue = $1 AND id = $2', id)[0]!.sealed as Uint8Array,
    countTry: (id) =>
      Number(
        rows(
          `UPDATE countersign_accepted SET tries = ${oneMore('tries')} WHERE queue = $1 AND id = $2 RETURNING tries`,
          id,
        )[0]?.tries ?? 1,
      ),
    take(ids) {
      const [taken] = database.call(
        {
          sql: `UPDATE countersign_accepted SET sealed = NULL
            WHERE queue = $1 AND ${IS_READ} AND id = ANY($3::bigint[]) AND sealed IS NOT NULL RETURNING size`,
          values: [queue, owner, ids],
        },
        endMarks(queue, ids, run),
      )
      return { count: taken!.count, size: taken!.rows.reduce((sum, { size }) => sum + Number(size), 0) }
    },
    waiting: () =>
      withNumbers(
        rows(
          `SELECT count(*) AS count, coalesce(sum(octet_length(sealed)), 0) AS size FROM countersign_accepted
           WHERE queue = $1 AND sealed IS NOT NULL AND ${IS_NUMBERED}`,
        )[0] as unknown as Waiting,
        ['count', 'size'],
      ),
    sweep: (at) => void rows('DELETE FROM countersign_accepted WHERE queue = $1 AND sealed IS NULL AND at < $2', at),
    marks,
    // A shared queue belongs to the other processes as well.
    close: () => release(),
  }
}

const entryOf = (row: Record<string, unknown> | undefined): Entry | undefined =>
  row && withNumbers(row as unknown as Entry, ['id', 'size'])
