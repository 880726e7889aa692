/** The held messages of one node in a SQLite file, or a shared database, sealed by the caller. */
import type { DatabaseSync } from 'node:sqlite'
import { transaction } from '../../../lib/journal/transaction.ts'
import type { Where } from '../database/where.ts'
import { createMarks, type Marks } from '../handling/marks.ts'
import { closeQueueFile, createCheckpoints, EMPTY, isOfText, LARGE, openQueueFile } from '../intake/queue-file.ts'
import { openSharedHeldStore } from './held-in-database.ts'

export interface HeldEntry {
  /** Grows with each entry; none is used twice. */
  id: number
  digest: string
  /** When the message was held, in milliseconds since 1970. */
  at: number
  /** The bytes of the encrypted message. */
  size: number
  /** The summary that the list shows, encrypted. */
  summary: string
  /** When it was last resent, as long as no one has taken it over, corrected it or held it again since; else null. */
  resentAt: number | null
  /** Whether a process has resent it that has ended since. */
  isLeftOver: boolean
}

/** The encrypted part of a message. */
export interface Sealed {
  summary: string
  message: Uint8Array
}

export interface HeldStore {
  /** Adds a message, so that it is on the disk when it returns. Does nothing when there is one with this digest. */
  add(digest: string, at: number, sealed: Sealed): void
  /** Puts other contents in the place of those of an entry, which then counts as held and not as resent. */
  replace(id: number, at: number, sealed: Sealed): void
  /**
   * Notes that an entry is resent by this process, and marks it as under way. Returns false when it was removed since it was found, or
   * another process has resent it.
   * @param isAlone because it may have ended the process
   */
  resend(entry: HeldEntry, at: number, isAlone: boolean): boolean
  /**
   * Puts other contents in the place of those of an entry that this process has resent, and that counts as held again. Returns false, and
   * writes nothing, for any other.
   */
  holdAgain(id: number, at: number, sealed: Sealed): boolean
  remove(id: number): void
  /** Removes an entry that this process has resent. Returns false, and removes nothing, for any other. */
  taken(id: number): boolean
  /** Returns the newest entries, the newest first. */
  newest(most: number): HeldEntry[]
  /** Returns some of the entries after an id, in the order of their arrival. */
  after(id: number, most: number): HeldEntry[]
  /** Returns some of the entries after an id that a process has resent which has ended since, in the order of their arrival. */
  leftOver(id: number, most: number): HeldEntry[]
  find(id: number): HeldEntry | undefined
  has(digest: string): boolean
  /** The sealed message of an entry. */
  read(id: number): Uint8Array
  /** How many entries there are, and the bytes of their messages as they are sealed. */
  used(): { count: number; size: number }
  /** How many entries were held before a time. */
  heldBefore(at: number): number
  /** Which entries may have ended the process while they were resent. */
  marks: Marks<number>
  /** Cannot be used after that. @param isDeleted removes the file, too */
  close(isDeleted: boolean): void
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS held (
    id INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, size INTEGER NOT NULL,
    resent_at INTEGER, resent_by TEXT, summary TEXT NOT NULL, message BLOB NOT NULL
  ) STRICT;`

/** Counts read these alone: a row is as long as its message. */
const INDEXES = `
  CREATE INDEX IF NOT EXISTS held_size ON held (size);
  CREATE INDEX IF NOT EXISTS held_at ON held (at);`

/** Early files hold messages in Base64. */
function toBytes(database: DatabaseSync): void {
  database.function('from_base64', (text) => Buffer.from(String(text), 'base64'))
  database.exec(`BEGIN IMMEDIATE;
    ALTER TABLE held RENAME TO of_text; ${SCHEMA}
    INSERT INTO sqlite_sequence SELECT 'held', seq FROM sqlite_sequence WHERE name = 'of_text';
    INSERT INTO held SELECT id, digest, at, length(from_base64(message)), resent_at, resent_by, summary, from_base64(message) FROM of_text;
    DROP TABLE of_text; COMMIT`)
}

const COLUMNS =
  'id, digest, at, size, summary, resent_at AS resentAt, resent_by IS NOT NULL AND resent_by <> ? AS isLeftOver'

const entryOf = (row: Record<string, unknown>): HeldEntry =>
  ({ ...row, isLeftOver: row.isLeftOver === 1 }) as unknown as HeldEntry

/**
 * Opens the file, or makes it; no one but its owner may read it. Throws what SQLite and Node.js say of one that cannot be had.
 * @param run names this process
 */
export function openHeldStore(where: Where, run: string): HeldStore {
  if (typeof where !== 'string') return openSharedHeldStore(where)
  const file = where
  const database = openQueueFile(file, SCHEMA)
  if (isOfText(database, 'held', 'message')) toBytes(database)
  database.exec(INDEXES)
  const marks = createMarks<number>(database)
  const noteWritten = createCheckpoints(database)
  const add = database.prepare(
    'INSERT INTO held (digest, at, size, summary, message) SELECT ?, ?, ?, ?, ? WHERE ? ON CONFLICT (digest) DO NOTHING',
  )
  const REPLACE =
    'UPDATE held SET at = ?, size = ?, summary = ?, message = ?, resent_at = NULL, resent_by = NULL WHERE id = ?'
  const replace = database.prepare(REPLACE)
  const holdAgain = database.prepare(`${REPLACE} AND resent_at IS NOT NULL`)
  const taken = database.prepare('DELETE FROM held WHERE id = ? AND resent_at IS NOT NULL')
  const resend = database.prepare('UPDATE held SET resent_at = ?, resent_by = ? WHERE id = ?')
  const remove = database.prepare('DELETE FROM held WHERE id = ?')
  const newest = database.prepare(`SELECT ${COLUMNS} FROM held ORDER BY id DESC LIMIT ?`)
  const after = database.prepare(`SELECT ${COLUMNS} FROM held WHERE id > ? ORDER BY id LIMIT ?`)
  const leftOver = database.prepare(
    `SELECT ${COLUMNS} FROM held WHERE resent_by IS NOT NULL AND resent_by <> ? AND id > ? ORDER BY id LIMIT ?`,
  )
  const find = database.prepare(`SELECT ${COLUMNS} FROM held WHERE id = ?`)
  const has = database.prepare('SELECT 1 FROM held WHERE digest = ?')
  const read = database.prepare('SELECT message FROM held WHERE id = ?')
  const used = database.prepare('SELECT count(*) AS count, ifnull(sum(size), 0) AS size FROM held')
  const heldBefore = database.prepare('SELECT count(*) AS count FROM held WHERE at < ?')

  return {
    add(digest, at, { summary, message }) {
      add.run(digest, at, message.length, summary, message, 1)
      // SQLite keeps a copy of what was bound last. This binds nothing in its place, and inserts nothing.
      if (message.length >= LARGE) add.run('', 0, 0, '', EMPTY, 0)
      noteWritten(message.length)
    },
    replace(id, at, { summary, message }) {
      transaction(database, () => {
        replace.run(at, message.length, summary, message, id)
        marks.endWithin([id])
      })
      noteWritten(message.length)
    },
    holdAgain(id, at, { summary, message }) {
      const isHeld = transaction(database, () => {
        const { changes } = holdAgain.run(at, message.length, summary, message, id)
        marks.endWithin([id])
        return changes === 1
      })
      noteWritten(message.length)
      return isHeld
    },
    resend: ({ id }, at, isAlone) =>
      transaction(database, () => {
        if (resend.run(at, run, id).changes !== 1) return false
        if (isAlone) marks.beginAloneWithin(id)
        else marks.begin([id])
        return true
      }),
    remove: (id) =>
      transaction(database, () => {
        remove.run(id)
        marks.endWithin([id])
      }),
    taken: (id) =>
      transaction(database, () => {
        const { changes } = taken.run(id)
        marks.endWithin([id])
        return changes === 1
      }),
    newest: (most) => newest.all(run, most).map(entryOf),
    after: (id, most) => after.all(run, id, most).map(entryOf),
    leftOver: (id, most) => leftOver.all(run, run, id, most).map(entryOf),
    find(id) {
      const row = find.get(run, id)
      return row && entryOf(row)
    },
    has: (digest) => has.get(digest) !== undefined,
    read: (id) => read.get(id)!.message as Uint8Array,
    used: () => used.get() as unknown as ReturnType<HeldStore['used']>,
    heldBefore: (at) => Number(heldBefore.get(at)!.count),
    marks,
    close: (isDeleted) => closeQueueFile(database, file, isDeleted),
  }
}
