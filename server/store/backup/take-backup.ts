/**
 * Takes a backup of a store while the service runs on it: all that was committed when it began, in one file, whichever database
 * it comes from. What is sealed stays sealed; the master key is not in it.
 */
import { existsSync } from 'node:fs'
import { link, mkdir, mkdtemp, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DATABASE_FILE } from '../folder/data-files.ts'
import type { Cipher } from '../sealing/cipher.ts'
import { migratorOf } from '../sql/database.ts'
import type { Database } from '../sql/flavour.ts'
import { type Patience, realPatience } from '../sql/patience.ts'
import { openSqlite } from '../sql/sqlite/sqlite.ts'
import { close } from './backup-file.ts'
import { copyFromPostgres } from './copy-from-postgres.ts'

export interface Backup {
  tasks: number
  documents: number
  /** The number of documents that are in a bucket, and not in the backup; omitted when there are none. */
  inObjectStorage?: number
  bytes: number
}

export interface BackupParts {
  database: Database
  cipher: Cipher
  patiently: Patience['patiently']
}

/** Writes the whole file alongside its place and then moves it there. Rejects with a sentence when `file` exists. */
export async function takeBackup(parts: BackupParts, file: string): Promise<Backup> {
  if (existsSync(file)) throw new Error(`${file} exists already. Give the backup another name.`)
  const folder = await mkdtemp(join(dirname(file), `.${basename(file)}-`)).catch((failure: NodeJS.ErrnoException) => {
    throw new Error(`Nothing can be written in ${dirname(file)} (${failure.code}).`)
  })
  try {
    const copied = join(folder, 'copy')
    const copy = join(copied, DATABASE_FILE)
    await parts.patiently(async () => {
      await rm(copied, { recursive: true, force: true })
      await mkdir(copied, { mode: 0o700 })
      await copyOf(parts, copied, copy)
    })
    const counts = countsIn(copy)
    await close(copy, parts.cipher)
    const { size } = await stat(copy)
    await placeAt(copy, file)
    await sync(dirname(file))
    return { ...counts, bytes: size }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Gives a file its name, where no other one has got it since: two backups may be written at once. */
async function placeAt(copy: string, file: string): Promise<void> {
  await link(copy, file).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'EEXIST' || existsSync(file))
      throw new Error(`${file} exists already. Give the backup another name.`)
    // The file system has no links.
    return rename(copy, file)
  })
}

async function copyOf({ database }: BackupParts, folder: string, copy: string): Promise<void> {
  if (database.vacuumInto) return database.vacuumInto(await privateFile(copy))
  await makeTables(folder)
  await copyFromPostgres(database.db, copy)
}

/** SQLite writes into an empty file, and leaves its mode as it is. */
async function privateFile(file: string): Promise<string> {
  await (await open(file, 'wx', 0o600)).close()
  return file
}

async function makeTables(folder: string): Promise<void> {
  const made = await openSqlite(folder, realPatience())
  try {
    const { error } = await migratorOf(made).migrateToLatest()
    if (error) throw error
  } finally {
    await made.close()
  }
}

export function countsIn(file: string): Omit<Backup, 'bytes'> {
  const database = new DatabaseSync(file, { readOnly: true })
  const count = (rows: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${rows}`).get()!.n)
  try {
    const inObjectStorage = count('document WHERE object IS NOT NULL')
    return { tasks: count('task'), documents: count('document'), ...(inObjectStorage > 0 && { inObjectStorage }) }
  } finally {
    database.close()
  }
}

/** The name of a file is on disk when its folder is. Windows has no such thing. */
export async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
