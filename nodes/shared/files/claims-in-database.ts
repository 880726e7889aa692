/**
 * The claims of one node on files of its folder, in a database that several Node-REDs share. One of them watches the folder at
 * a time.
 */
import { IS_NUMBERED, oneMore, rowsOf, type SharedQueue } from '../database/where.ts'
import type { ClaimRows } from './claim-store.ts'

export function openSharedClaims({ database, queue }: SharedQueue, folder: string, run: string): ClaimRows {
  const release = database.retain()
  const rows = (sql: string, ...values: unknown[]) => rowsOf(database, sql, [queue, ...values])
  const handledBy = (id: number, by: string | null) =>
    void rows('UPDATE countersign_claim SET handled_by = $3 WHERE queue = $1 AND id = $2', id, by)
  rows(
    `UPDATE countersign_claim SET deaths = ${oneMore('deaths')}, handled_by = NULL
     WHERE queue = $1 AND handled_by IS NOT NULL AND handled_by <> $2`,
    run,
  )
  return {
    add: (id, claim) =>
      void rows('INSERT INTO countersign_claim (queue, id, folder, claim) VALUES ($1, $2, $3, $4)', id, folder, claim),
    end: (id, ending) => void rows('UPDATE countersign_claim SET ending = $3 WHERE queue = $1 AND id = $2', id, ending),
    remove: (id) => void rows('DELETE FROM countersign_claim WHERE queue = $1 AND id = $2', id),
    all: () =>
      rows(
        `SELECT id, claim, ending FROM countersign_claim WHERE queue = $1 AND folder = $2 AND ${IS_NUMBERED} ORDER BY id`,
        folder,
      ).map(({ id, claim, ending }) => ({
        id: Number(id),
        claim: claim as Uint8Array,
        ending: ending as Uint8Array | null,
      })),
    lastId: () =>
      Number(
        rows(`SELECT coalesce(max(id), 0) AS id FROM countersign_claim WHERE queue = $1 AND ${IS_NUMBERED}`)[0]!.id,
      ),
    begin: (id) => handledBy(id, run),
    handled: (id) => handledBy(id, null),
    deaths: (id) =>
      Number(rows('SELECT deaths FROM countersign_claim WHERE queue = $1 AND id = $2', id)[0]?.deaths ?? 0),
    close: () => release(),
  }
}
