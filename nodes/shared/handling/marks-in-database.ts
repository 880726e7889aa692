/** The marks of a queue that several Node-REDs share: each process marks what it handles, and another one counts its end. */
import { hasEnded, isOurs } from '../../../lib/journal/postgres-store.ts'
import type { Statement } from '../database/calls.ts'
import type { SharedDatabase } from '../database/shared-database.ts'
import { oneMore } from '../database/where.ts'
import { ALONE, CONDEMNED, type Marks, RESTING, type Suspect, UNDER_WAY } from './marks.ts'

/**
 * One more than for a process that has its journal to itself: processes that share one are ended from outside again and again, by updates
 * and orchestrators, and what was handled alone at that moment is often handled first afterwards.
 */
const MOST_SHARED_DEATHS = 3

/** Marks rows as under way in this process, unless another process that lives has them under way. */
export const beginMarks = (
  queue: string,
  ids: readonly (number | string)[],
  run: string,
  stage = UNDER_WAY,
): Statement => ({
  sql: `INSERT INTO countersign_under_way AS mark (queue, id, deaths, stage, owner)
    SELECT $1, id, 0, $3::integer, $4 FROM unnest($2::text[]) AS id
    ON CONFLICT (queue, id) DO UPDATE SET stage = excluded.stage, owner = excluded.owner
    WHERE mark.stage <> ${CONDEMNED} AND (mark.stage = ${RESTING} OR ${isOurs('mark.owner', '$4')})`,
  values: [queue, ids.map(String), stage, run],
})

export const beginAloneMarks = (queue: string, id: number | string, run: string): Statement[] => [
  noLongerAlone(queue, run),
  beginMarks(queue, [id], run, ALONE),
]

/** Removes marks, but for those of other processes that live: what a process has lost to another one is not under way in it any more. */
export const endMarks = (queue: string, ids: readonly (number | string)[], run: string): Statement => ({
  sql: `DELETE FROM countersign_under_way WHERE queue = $1 AND id = ANY($2) AND ${isOurs('owner', '$3')}`,
  values: [queue, ids.map(String), run],
})

const noLongerAlone = (queue: string, run: string): Statement => ({
  sql: `UPDATE countersign_under_way SET stage = ${UNDER_WAY} WHERE queue = $1 AND owner = $2 AND stage = ${ALONE}`,
  values: [queue, run],
})

/**
 * @param parse makes an id of the text that the database keeps; undefined when no message can have it
 * @param takeOver a statement that makes the messages of processes that have ended those of this one. It runs in the transaction that
 * takes over the marks, so that one process gets a message and its mark.
 */
export function createDatabaseMarks<Id extends number | string>(
  database: SharedDatabase,
  queue: string,
  parse: (id: string) => Id | undefined,
  takeOver?: Statement,
): Marks<Id> {
  const { run } = database
  let isStart = true
  return {
    begin: (ids) => void database.call(beginMarks(queue, ids, run)),
    beginAlone: (id) => void database.call(...beginAloneMarks(queue, id, run)),
    endTurn: () => void database.call(noLongerAlone(queue, run)),
    rest: (id) =>
      void database.call({
        sql: `UPDATE countersign_under_way SET stage = ${RESTING} WHERE queue = $1 AND id = $2 AND ${isOurs('owner', '$3')}`,
        values: [queue, String(id), run],
      }),
    end: (ids) => void database.call(endMarks(queue, ids, run)),
    recover() {
      const of = [queue, run]
      const isOfEnded = `queue = $1 AND owner <> $2 AND ${hasEnded('countersign_under_way.owner')}`
      const messages = takeOver ? [takeOver] : []
      const results = database.call(
        ...messages,
        // Of what a process had under way when it ended, the suspects that were alone are counted, or else all.
        {
          sql: `UPDATE countersign_under_way SET deaths = ${oneMore('deaths')} WHERE ${isOfEnded} AND stage = (
            SELECT max(stage) FROM countersign_under_way AS other
            WHERE other.queue = $1 AND other.owner = countersign_under_way.owner AND stage IN (${UNDER_WAY}, ${ALONE}))`,
          values: of,
        },
        {
          sql: `UPDATE countersign_under_way SET owner = $2, stage = CASE
            WHEN stage = ${CONDEMNED} OR (stage = ${ALONE} AND deaths >= ${MOST_SHARED_DEATHS}) THEN ${CONDEMNED} ELSE ${RESTING} END
            WHERE ${isOfEnded} RETURNING id, deaths, stage`,
          values: of,
        },
        // Marks of an earlier deploy of this process count at the start alone.
        { sql: 'SELECT id, deaths, stage FROM countersign_under_way WHERE queue = $1 AND owner = $2', values: of },
      )
      const takenOver = takeOver ? results.shift()!.count : 0
      const found = results[isStart ? 2 : 1]!
      isStart = false
      const rows = (found.rows as { id: string; deaths: number; stage: number }[])
        .map(({ id, deaths, stage }) => ({ id: parse(id), deaths, stage }))
        .filter((row): row is typeof row & { id: Id } => row.id !== undefined && row.deaths > 0)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
      return {
        condemned: rows.filter(({ stage }) => stage === CONDEMNED).map(({ id }) => id),
        suspects: rows
          .filter(({ stage }) => stage !== CONDEMNED)
          .map(({ id, deaths }): Suspect<Id> => ({ id, deaths })),
        takenOver,
      }
    },
    stop: () =>
      void database.call(
        {
          sql: 'DELETE FROM countersign_under_way WHERE queue = $1 AND owner = $2 AND deaths = 0',
          values: [queue, run],
        },
        {
          sql: `UPDATE countersign_under_way SET stage = ${RESTING} WHERE queue = $1 AND owner = $2 AND stage <> ${CONDEMNED}`,
          values: [queue, run],
        },
      ),
  }
}
