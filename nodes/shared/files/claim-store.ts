/**
 * The claims of one node on files of its folder, in a SQLite file of Node-RED's user directory, so that write access to the
 * folder gives no influence on them. File names are encrypted, because they may contain patients' names.
 */

import type { Seal } from '../carry/seal.ts'
import type { Where } from '../database/where.ts'
import { withoutSync } from '../handling/marks.ts'
import { keeping, keepingAll, opening } from '../intake/keeping.ts'
import { closeQueueFile, openQueueFile } from '../intake/queue-file.ts'
import { openSharedClaims } from './claims-in-database.ts'
import type { SeenFile } from './pairs.ts'

/** A document that was taken up. */
export interface Claim {
  /** Names its folder in `processing`; grows with each claim. */
  id: number
  pdf: SeenFile | null
  index: SeenFile | null
  /** Further files of the same name, by which it cannot be determined what is meant. */
  others: SeenFile[]
}

export type Outcome = 'done' | 'error'

/** How the files of a claim end. */
export interface Ending {
  outcome: Outcome
  /** Added to the names, so that no file is replaced. */
  suffix: string
  reasons: readonly string[]
}

export interface Kept {
  claim: Claim
  ending: Ending | null
}

/** Each change is on the disk when the call returns. Throws the NodeError CANNOT_KEEP, or CANNOT_OPEN. */
export interface ClaimStore {
  add(claim: Claim): void
  end(id: number, ending: Ending): void
  remove(id: number): void
  /** Returns the entries of the folder, oldest first. */
  all(): Kept[]
  /** The numbers of those of the folder. */
  ids(): number[]
  /** The greatest number that is in use, whatever the folder; 0 when there is none. */
  lastId(): number
  /** Notes that a document is handled now, which may end the process. Need not outlast a power failure. */
  begin(id: number): void
  handled(id: number): void
  /** How many processes ended while they handled a document. */
  deaths(id: number): number
  close(isDeleted: boolean): void
}

export interface ClaimStoreOptions {
  where: Where
  nodeId: string
  /** The watched folder. */
  folder: string
  seal: Seal
  /** Names this process. */
  run: string
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS claim (
    id INTEGER PRIMARY KEY, folder TEXT NOT NULL, claim BLOB NOT NULL, ending BLOB, handled_by TEXT, deaths INTEGER NOT NULL DEFAULT 0
  ) STRICT;`

/** The rows of one node. Throws what SQLite, Node.js or the database say. */
export interface ClaimRows {
  add(id: number, claim: Uint8Array): void
  end(id: number, ending: Uint8Array): void
  remove(id: number): void
  all(): { id: number; claim: Uint8Array; ending: Uint8Array | null }[]
  lastId(): number
  begin(id: number): void
  handled(id: number): void
  deaths(id: number): number
  close(isDeleted: boolean): void
}

/** Throws the NodeError CANNOT_KEEP when the file cannot be used. */
export function openClaimStore({ where, nodeId, folder, seal, run }: ClaimStoreOptions): ClaimStore {
  const rows = keepingAll(
    keeping(() =>
      typeof where === 'string' ? openClaimFile(where, folder, run) : openSharedClaims(where, folder, run),
    ),
  )
  const sealed = (id: number, value: object) =>
    seal.sealBytes(Buffer.from(JSON.stringify(value)), `files/${nodeId}/${id}`)
  const opened = (id: number, bytes: Uint8Array) =>
    opening(() => JSON.parse(seal.openBytes(bytes, `files/${nodeId}/${id}`).toString()))

  return {
    ...rows,
    add: (claim) => rows.add(claim.id, sealed(claim.id, forgetful(claim))),
    end: (id, ending) => rows.end(id, sealed(id, ending)),
    all: () =>
      rows.all().map(({ id, claim, ending }) => ({
        claim: opened(id, claim) as Claim,
        ending: ending === null ? null : (opened(id, ending) as Ending),
      })),
    ids: () => rows.all().map(({ id }) => id),
  }
}

function openClaimFile(file: string, folder: string, run: string): ClaimRows {
  const database = openQueueFile(file, SCHEMA)
  const add = database.prepare('INSERT INTO claim (id, folder, claim) VALUES (?, ?, ?)')
  const end = database.prepare('UPDATE claim SET ending = ? WHERE id = ?')
  const remove = database.prepare('DELETE FROM claim WHERE id = ?')
  const all = database.prepare('SELECT id, claim, ending FROM claim WHERE folder = ? ORDER BY id')
  const lastId = database.prepare('SELECT ifnull(max(id), 0) AS id FROM claim')
  const handledBy = database.prepare('UPDATE claim SET handled_by = ? WHERE id = ?')
  const deaths = database.prepare('SELECT deaths FROM claim WHERE id = ?')
  database
    .prepare('UPDATE claim SET deaths = deaths + 1, handled_by = NULL WHERE handled_by IS NOT NULL AND handled_by <> ?')
    .run(run)
  const note = (by: string | null, id: number) => withoutSync(database, () => void handledBy.run(by, id))

  return {
    add: (id, claim) => void add.run(id, folder, claim),
    end: (id, ending) => void end.run(ending, id),
    remove: (id) => void remove.run(id),
    all: () =>
      all.all(folder).map(({ id, claim, ending }) => ({
        id: Number(id),
        claim: claim as Uint8Array,
        ending: ending as Uint8Array | null,
      })),
    lastId: () => Number(lastId.get()!.id),
    begin: (id) => note(run, id),
    handled: (id) => note(null, id),
    deaths: (id) => Number(deaths.get(id)?.deaths ?? 0),
    close: (isDeleted) => closeQueueFile(database, file, isDeleted && Number(lastId.get()!.id) === 0),
  }
}

/** The numbers of files are not kept: some network drives give new ones when they are connected again. */
const forgetful = ({ id, pdf, index, others }: Claim): Claim => ({
  id,
  pdf: pdf && withoutIdentity(pdf),
  index: index && withoutIdentity(index),
  others: others.map(withoutIdentity),
})
const withoutIdentity = ({ name, size, writtenAt }: SeenFile): SeenFile => ({ name, size, writtenAt })
