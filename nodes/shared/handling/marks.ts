/**
 * Counts how often the process ended while a message was being handled. A mark is on the disk before the message goes into the flow,
 * and is removed when the message is done, when the process has survived it, and when the node closes. So each mark that a start finds
 * is of a message that may have ended the process.
 */
import type { DatabaseSync } from 'node:sqlite'
import { transaction } from '../../../lib/journal/transaction.ts'

export interface Suspect<Id> {
  id: Id
  /** How often the process has ended while the message was under way. */
  deaths: number
}

export interface Recovered<Id> {
  /** Messages that are not to be handled again: the process ended twice, the last time with no other suspect under way. */
  condemned: Id[]
  /** Messages to handle one at a time, so that the next death of the process shows which of them it was. In order. */
  suspects: Suspect<Id>[]
  /** How many messages of a shared queue are those of this process now. */
  takenOver: number
}

export interface Marks<Id extends number | string> {
  /** Marks messages as under way. The marks are on the disk when it returns, unless the caller has begun a transaction. */
  begin(ids: readonly Id[]): void
  /** Marks a suspect as the one that is handled now. The suspects before it stay under way. */
  beginAlone(id: Id): void
  /** The suspect that is handled alone is under way like others from now on: what another queue handles alone may end the process. */
  endTurn(): void
  /** Keeps the count of a message that is not under way for a while. */
  rest(id: Id): void
  /** Removes marks and counts: the messages are done, or the process has survived them. */
  end(ids: readonly Id[]): void
  /**
   * Counts the death of the process for those that were under way. Called at each start, and for a shared queue from time to time,
   * which returns what processes that have ended since have left; counts nothing after `stop`.
   */
  recover(): Recovered<Id>
  /** The node closes: what is under way ends no process. Those that may have ended an earlier one stay suspects. */
  stop(): void
}

/** Marks in a SQLite file. */
export interface FileMarks<Id extends number | string> extends Marks<Id> {
  /** Does what `beginAlone` does within a transaction of the caller. */
  beginAloneWithin(id: Id): void
  /** Does what `end` does within a transaction of the caller. */
  endWithin(ids: readonly Id[]): void
}

const MOST_DEATHS = 2

export const RESTING = 0
export const UNDER_WAY = 1
export const ALONE = 2
export const CONDEMNED = 3

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS under_way (
    id ANY NOT NULL PRIMARY KEY, deaths INTEGER NOT NULL, stage INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`

/** SQL for whether the message of a row is marked as under way. @param id the column with the id of the message */
export const isMarked = (id: string): string =>
  `EXISTS (SELECT 1 FROM under_way WHERE under_way.id = ${id} AND stage = ${UNDER_WAY})`

/** Keeps the marks in a table of the database, which writes to the disk before each call returns. */
export function createMarks<Id extends number | string>(database: DatabaseSync): FileMarks<Id> {
  database.exec(SCHEMA)
  const begin = database.prepare(
    `INSERT INTO under_way SELECT value, 0, ? FROM json_each(?) WHERE true
      ON CONFLICT (id) DO UPDATE SET stage = excluded.stage WHERE stage <> ${CONDEMNED}`,
  )
  const noLongerAlone = database.prepare(`UPDATE under_way SET stage = ${UNDER_WAY} WHERE stage = ${ALONE}`)
  const rest = database.prepare(`UPDATE under_way SET stage = ${RESTING} WHERE id = ?`)
  const end = database.prepare('DELETE FROM under_way WHERE id IN (SELECT value FROM json_each(?))')
  const count = database.prepare(
    `UPDATE under_way SET deaths = deaths + 1 WHERE stage = (SELECT max(stage) FROM under_way WHERE stage IN (${UNDER_WAY}, ${ALONE}))`,
  )
  const condemn = database.prepare(
    `UPDATE under_way SET stage = iif(stage = ${CONDEMNED} OR (stage = ${ALONE} AND deaths >= ${MOST_DEATHS}), ${CONDEMNED}, ${RESTING})`,
  )
  const all = database.prepare('SELECT id, deaths, stage FROM under_way WHERE deaths > 0 ORDER BY id')
  const forget = database.prepare('DELETE FROM under_way WHERE deaths = 0')
  const restAll = database.prepare(`UPDATE under_way SET stage = ${RESTING} WHERE stage <> ${CONDEMNED}`)

  function beginAloneWithin(id: Id): void {
    noLongerAlone.run()
    begin.run(ALONE, JSON.stringify([id]))
  }

  return {
    begin: (ids) => void begin.run(UNDER_WAY, JSON.stringify(ids)),
    beginAlone: (id) => transaction(database, () => beginAloneWithin(id)),
    beginAloneWithin,
    endTurn: () => withoutSync(database, () => void noLongerAlone.run()),
    rest: (id) => withoutSync(database, () => void rest.run(id)),
    end: (ids) => withoutSync(database, () => void end.run(JSON.stringify(ids))),
    endWithin: (ids) => void end.run(JSON.stringify(ids)),
    recover() {
      transaction(database, () => {
        count.run()
        condemn.run()
      })
      const rows = all.all() as unknown as (Suspect<Id> & { stage: number })[]
      return {
        condemned: rows.filter(({ stage }) => stage === CONDEMNED).map(({ id }) => id),
        suspects: rows.filter(({ stage }) => stage !== CONDEMNED).map(({ id, deaths }) => ({ id, deaths })),
        takenOver: 0,
      }
    },
    stop: () =>
      transaction(database, () => {
        forget.run()
        restAll.run()
      }),
  }
}

/** A power failure may undo the work; the death of the process does not. */
export function withoutSync<T>(database: DatabaseSync, work: () => T): T {
  database.exec('PRAGMA synchronous = NORMAL')
  try {
    return work()
  } finally {
    database.exec('PRAGMA synchronous = FULL')
  }
}
