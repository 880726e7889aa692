/**
 * The accepted messages of one node in a SQLite file, or a shared database, sealed by the caller, in the order of their arrival. Several
 * of them are written as one, because the disk takes as long for one as for a hundred.
 */
import type { DatabaseSync } from 'node:sqlite'
import { transaction } from '../../../lib/journal/transaction.ts'
import type { Where } from '../database/where.ts'
import { createMarks, isMarked, type Marks, withoutSync } from '../handling/marks.ts'
import { openSharedIntakeStore } from './intake-in-database.ts'
import { closeQueueFile, createCheckpoints, EMPTY, isOfText, LARGE, openQueueFile } from './queue-file.ts'

export interface Entry {
  /** Grows with each entry, and represents no entry of an earlier file. */
  id: number
  digest: string
  /** The bytes of what is sealed. */
  size: number
  /** Whether it is marked as under way already; undefined in a queue that does not mark what is under way. */
  isMarked?: boolean
}

export interface Waiting {
  count: number
  /** In bytes, as they are sealed. */
  size: number
}

export interface IntakeStore {
  /**
   * Writes messages, all or none, so that they are on the disk when it returns. Returns for each whether it is new: one whose
   * digest is known was accepted before.
   */
  write(messages: readonly NewMessage[], at: number): boolean[]
  /** The first entry after an id that no one has taken; undefined when there is none. */
  next(afterId: number): Entry | undefined
  /** An entry that no one has taken; undefined for any other. */
  find(id: number): Entry | undefined
  /** Returns the encrypted part of an entry that has not been taken. */
  read(id: number): Uint8Array
  /** Counts a try with a message that no one has taken, and returns how many there were. */
  countTry(id: number): number
  /** Removes messages that were taken, and returns how much has gone. Their digests stay. */
  take(ids: readonly number[]): Waiting
  /** Returns the entries that have not been taken. */
  waiting(): Waiting
  /** Forgets the digests of messages that came before `at` and were taken. */
  sweep(at: number): void
  /** Which messages may have ended the process. In a shared queue, `recover` also takes over the messages of processes that have ended. */
  marks: Marks<number>
  /** Cannot be used after that. @param isDeleted removes the file, too */
  close(isDeleted: boolean): void
}

export interface NewMessage {
  digest: string
  sealed: Uint8Array
  /** Whether it goes into the flow at once: its mark is then written with it. */
  isUnderWay: boolean
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS accepted (
    id INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, size INTEGER NOT NULL, sealed BLOB
  ) STRICT;
  CREATE INDEX IF NOT EXISTS accepted_waiting ON accepted (id, size) WHERE sealed IS NOT NULL;
  CREATE TABLE IF NOT EXISTS tries (id INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;`

/**
 * Opens the file, or makes it; no one but its owner may read it. Throws what SQLite and Node.js say of one that cannot be had.
 * @param at numbers of a new file begin after this time in ms: messages of a file that was removed may still be on their way,
 * and what is said of those must not be taken for these
 */
export function openIntakeStore(where: Where, at: number): IntakeStore {
  if (typeof where !== 'string') return openSharedIntakeStore(where)
  const file = where
  const database = openQueueFile(file, SCHEMA)
  if (isOfText(database, 'accepted', 'sealed')) toBytes(database)
  database.prepare(FIRST_NUMBER).run(at)
  const insert = database.prepare(
    'INSERT INTO accepted (digest, at, size, sealed) SELECT ?, ?, ?, ? WHERE ? ON CONFLICT (digest) DO NOTHING',
  )
  const marks = createMarks<number>(database)
  const noteWritten = createCheckpoints(database)
  const COLUMNS = `id, digest, size, ${isMarked('accepted.id')} AS isMarked`
  const next = database.prepare(
    `SELECT ${COLUMNS} FROM accepted WHERE id > ? AND sealed IS NOT NULL ORDER BY id LIMIT 1`,
  )
  const find = database.prepare(`SELECT ${COLUMNS} FROM accepted WHERE id = ? AND sealed IS NOT NULL`)
  const read = database.prepare('SELECT sealed FROM accepted WHERE id = ?')
  const take = database.prepare(
    `UPDATE accepted SET sealed = NULL WHERE sealed IS NOT NULL AND id IN (SELECT value FROM json_each(?)) RETURNING size`,
  )
  const countTry = database.prepare(
    'INSERT INTO tries (id, count) VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET count = count + 1 RETURNING count',
  )
  const forgetTries = database.prepare('DELETE FROM tries WHERE id IN (SELECT value FROM json_each(?))')
  const waiting = database.prepare(
    'SELECT count(*) AS count, ifnull(sum(size), 0) AS size FROM accepted WHERE sealed IS NOT NULL',
  )
  const sweep = database.prepare('DELETE FROM accepted WHERE sealed IS NULL AND at < ?')

  return {
    write(messages, at) {
      const isNew = transaction(database, () => {
        const written = messages.map(({ digest, sealed }) => {
          const result = insert.run(digest, at, sealed.length, sealed, 1)
          // SQLite keeps a copy of what was bound last. This binds nothing in its place, and inserts nothing.
          if (sealed.length >= LARGE) insert.run('', 0, 0, EMPTY, 0)
          return result
        })
        const underWay = written.filter(({ changes }, index) => changes === 1 && messages[index]!.isUnderWay)
        if (underWay.length > 0) marks.begin(underWay.map(({ lastInsertRowid }) => Number(lastInsertRowid)))
        return written.map(({ changes }) => changes === 1)
      })
      noteWritten(messages.reduce((sum, { sealed }) => sum + sealed.length, 0))
      return isNew
    },
    countTry: (id) => countTry.get(id)!.count as number,
    next: (afterId) => entryOf(next.get(afterId)),
    find: (id) => entryOf(find.get(id)),
    read: (id) => read.get(id)!.sealed as Uint8Array,
    take(ids) {
      const taken = JSON.stringify(ids)
      // A power failure may undo it. What was taken then comes again, as after a crash; that costs less than to wait for the disk.
      const sizes = withoutSync(database, () =>
        transaction(database, () => {
          forgetTries.run(taken)
          marks.endWithin(ids)
          return take.all(taken) as { size: number }[]
        }),
      )
      return { count: sizes.length, size: sizes.reduce((sum, { size }) => sum + size, 0) }
    },
    waiting: () => waiting.get() as unknown as Waiting,
    sweep: (at) => void sweep.run(at),
    marks,
    close: (isDeleted) => closeQueueFile(database, file, isDeleted),
  }
}

const entryOf = (row: Record<string, unknown> | undefined): Entry | undefined =>
  row && ({ ...row, isMarked: row.isMarked === 1 } as Entry)

const FIRST_NUMBER = `
  INSERT INTO sqlite_sequence SELECT 'accepted', ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'accepted')`

/** Early files hold Base64. */
function toBytes(database: DatabaseSync): void {
  database.function('from_base64', (text) => (text === null ? null : Buffer.from(String(text), 'base64')))
  database.exec(`BEGIN IMMEDIATE;
    ALTER TABLE accepted RENAME TO of_text; DROP INDEX accepted_waiting; ${SCHEMA}
    INSERT INTO sqlite_sequence SELECT 'accepted', seq FROM sqlite_sequence WHERE name = 'of_text';
    INSERT INTO accepted SELECT id, digest, at, ifnull(length(from_base64(sealed)), size), from_base64(sealed) FROM of_text;
    DROP TABLE of_text; COMMIT`)
}
