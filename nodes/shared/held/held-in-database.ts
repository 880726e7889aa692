/** The held messages of one node in a database that several Node-REDs share: each of them shows, resends and discards all of them. */
import { hasEnded, isOurs } from '../../../lib/journal/postgres-store.ts'
import { IS_NUMBERED, numberIn, rowsOf, type SharedQueue, withNumbers } from '../database/where.ts'
import { beginAloneMarks, beginMarks, createDatabaseMarks, endMarks } from '../handling/marks-in-database.ts'
import type { HeldEntry, HeldStore } from './held-store.ts'

const COLUMNS = `id, digest, at, size, summary, resent_at AS "resentAt",
  resent_by IS NOT NULL AND resent_by <> $2 AND ${hasEnded('resent_by')} AS "isLeftOver"`

/** A process that has lost its lease, and its messages to another one, changes nothing any more. */
const isResentByUs = (run: string): string => `resent_by IS NOT NULL AND ${isOurs('resent_by', run)}`

export function openSharedHeldStore({ database, queue }: SharedQueue): HeldStore {
  const { run } = database
  const release = database.retain()
  const rows = (sql: string, ...values: unknown[]) => rowsOf(database, sql, [queue, ...values])
  const entryOf = (row: Record<string, unknown>): HeldEntry =>
    withNumbers(row as unknown as HeldEntry, ['id', 'at', 'size', 'resentAt'])

  return {
    add: (digest, at, { summary, message }) =>
      void rows(
        `INSERT INTO countersign_held (queue, id, digest, at, size, summary, message)
         VALUES ($1, nextval('countersign_number'), $2, $3, $4, $5, $6) ON CONFLICT (queue, digest) DO NOTHING`,
        digest,
        at,
        message.length,
        summary,
        message,
      ),
    replace: (id, at, { summary, message }) =>
      void database.call(
        {
          sql: `UPDATE countersign_held SET at = $3, size = $4, summary = $5, message = $6, resent_at = NULL, resent_by = NULL
            WHERE queue = $1 AND id = $2`,
          values: [queue, id, at, message.length, summary, message],
        },
        endMarks(queue, [id], run),
      ),
    holdAgain(id, at, { summary, message }) {
      const [held] = database.call(
        {
          sql: `UPDATE countersign_held SET at = $3, size = $4, summary = $5, message = $6, resent_at = NULL, resent_by = NULL
            WHERE queue = $1 AND id = $2 AND ${isResentByUs('$7')}`,
          values: [queue, id, at, message.length, summary, message, run],
        },
        endMarks(queue, [id], run),
      )
      return held!.count === 1
    },
    resend({ id, resentAt }, at, isAlone) {
      const results = database.call(...(isAlone ? beginAloneMarks(queue, id, run) : [beginMarks(queue, [id], run)]), {
        sql: `UPDATE countersign_held SET resent_at = $3, resent_by = $4
            WHERE queue = $1 AND id = $2 AND resent_at IS NOT DISTINCT FROM $5::bigint`,
        values: [queue, id, at, run, resentAt],
      })
      return results.at(-1)!.count === 1
    },
    remove: (id) =>
      void database.call(
        { sql: 'DELETE FROM countersign_held WHERE queue = $1 AND id = $2', values: [queue, id] },
        endMarks(queue, [id], run),
      ),
    taken: (id) =>
      database.call(
        {
          sql: `DELETE FROM countersign_held WHERE queue = $1 AND id = $2 AND ${isResentByUs('$3')}`,
          values: [queue, id, run],
        },
        endMarks(queue, [id], run),
      )[0]!.count === 1,
    newest: (most) =>
      rows(
        `SELECT ${COLUMNS} FROM countersign_held WHERE queue = $1 AND ${IS_NUMBERED} ORDER BY id DESC LIMIT $3`,
        run,
        most,
      ).map(entryOf),
    after: (id, most) =>
      rows(
        `SELECT ${COLUMNS} FROM countersign_held WHERE queue = $1 AND ${IS_NUMBERED} AND id > $3 ORDER BY id LIMIT $4`,
        ...[run, id, most],
      ).map(entryOf),
    leftOver: (id, most) =>
      rows(
        `SELECT ${COLUMNS} FROM countersign_held
         WHERE queue = $1 AND resent_by IS NOT NULL AND resent_by <> $2 AND ${hasEnded('resent_by')}
           AND ${IS_NUMBERED} AND id > $3
         ORDER BY id LIMIT $4`,
        ...[run, id, most],
      ).map(entryOf),
    find: (id) =>
      rows(`SELECT ${COLUMNS} FROM countersign_held WHERE queue = $1 AND id = $3 AND ${IS_NUMBERED}`, run, id).map(
        entryOf,
      )[0],
    has: (digest) => rows('SELECT 1 FROM countersign_held WHERE queue = $1 AND digest = $2', digest).length > 0,
    read: (id) =>
      rows('SELECT message FROM countersign_held WHERE queue = $1 AND id = $2', id)[0]!.message as Uint8Array,
    used: () =>
      withNumbers(
        rows(
          `SELECT count(*) AS count, coalesce(sum(size), 0) AS size FROM countersign_held WHERE queue = $1 AND ${IS_NUMBERED}`,
        )[0] as unknown as ReturnType<HeldStore['used']>,
        ['count', 'size'],
      ),
    heldBefore: (at) =>
      Number(
        rows(`SELECT count(*) AS count FROM countersign_held WHERE queue = $1 AND at < $2 AND ${IS_NUMBERED}`, at)[0]!
          .count,
      ),
    marks: createDatabaseMarks<number>(database, queue, numberIn),
    close: () => release(),
  }
}
