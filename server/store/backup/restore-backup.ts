/**
 * Makes a store of a backup: in an empty folder, or in an empty database of a PostgreSQL server. The target stays empty until
 * the backup has proven to be whole, of a schema that this version knows, and to open under the master key.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Actor } from '../../domain/audit.ts'
import type { BucketPlace } from '../../domain/bucket-place.ts'
import { isServer } from '../../domain/store-place.ts'
import { append, auditLog } from '../audit/audit-log.ts'
import { DATABASE_FILE } from '../folder/data-files.ts'
import { writableFolder } from '../folder/writable-folder.ts'
import { storeKeys } from '../keepsakes/store-keys.ts'
import { type Cipher, createCipher } from '../sealing/cipher.ts'
import { openDatabase } from '../sql/database.ts'
import { realPatience } from '../sql/patience.ts'
import { extract } from './backup-file.ts'
import { copyIntoPostgres } from './copy-into-postgres.ts'
import { missingObjects } from './missing-objects.ts'
import { type Backup, countsIn, sync } from './take-backup.ts'

export interface Restoring {
  /** The backup. */
  file: string
  /** A folder that does not exist or is empty, or the URL of an empty database. */
  target: string
  /** The current master key, then older ones. */
  masterKeys: readonly [Uint8Array, ...Uint8Array[]]
  /** Where documents of the backup may be, to count those that are not. Optional; nothing is looked at by default. */
  bucket?: BucketPlace | undefined
  by: Actor
  at: Date
}

export interface Restored extends Omit<Backup, 'bytes'> {
  /** The number of documents missing from object storage; omitted when nothing was looked at. */
  missing?: number
}

/**
 * How many ids of tasks and documents are omitted. Ids that were given away after the backup are in the hands of senders; the
 * next patient's document must not have one of them.
 */
export const ID_GAP = 100_000

export async function restoreBackup(restoring: Restoring): Promise<Restored> {
  const { file, target, masterKeys, bucket } = restoring
  const cipher = createCipher(...masterKeys)
  const onServer = isServer(target)
  if (!onServer) await mustBeEmpty(target)
  const folder = await mkdtemp(join(onServer ? tmpdir() : writableFolder(target), 'restoring-'))
  try {
    const copy = join(folder, DATABASE_FILE)
    await extract(file, copy, cipher)
    mustBeWhole(copy)
    await bringUpToDate(folder, cipher, restoring)
    const counts = { ...countsIn(copy), ...(bucket && { missing: await missingObjects(copy, bucket) }) }
    if (onServer) await copyIntoPostgres(copy, target)
    else await moveInto(target, copy)
    return counts
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function mustBeEmpty(target: string): Promise<void> {
  if (existsSync(target) && (await readdir(target)).some((name) => name !== 'lost+found'))
    throw new Error(`${target} holds something already. Give --data a folder that is empty or does not exist yet.`)
}

/** Whether SQLite finds it whole. */
function mustBeWhole(copy: string): void {
  const database = new DatabaseSync(copy, { readOnly: true })
  try {
    if (database.prepare('PRAGMA integrity_check').get()!.integrity_check !== 'ok') throw new Error(NOT_WHOLE)
  } catch (failure) {
    throw (failure as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR' ? new Error(NOT_WHOLE) : failure
  } finally {
    database.close()
  }
}

const NOT_WHOLE = 'The database in the backup is damaged. Restore another one.'

/** Proves the master key and the audit log, records the restoring, ends the sessions and omits ids. */
async function bringUpToDate(folder: string, cipher: Cipher, { by, at }: Restoring): Promise<void> {
  const patience = realPatience()
  const { patiently } = patience
  const { db, locksRows, close } = await openDatabase({ data: folder, connections: 1, patience }, cipher)
  try {
    const { chain, rows } = await storeKeys({ db, cipher, locksRows, patiently })
    const { fault } = await auditLog({ db, chain, rows }).verify()
    if (fault) throw new Error(`The audit log in the backup is not whole: ${fault}.`)
    await patiently(() =>
      db.transaction().execute(async (inside) => {
        // Objects due for removal from a bucket may be in use again, by the service that runs on the store of the backup.
        for (const table of ['session', 'instance', 'unnamedObject'] as const) await inside.deleteFrom(table).execute()
        await append({ db: inside, locksRows, chain }, [{ action: 'store.restore', by, at, organizationId: null }])
      }),
    )
  } finally {
    await close()
  }
  const database = new DatabaseSync(join(folder, DATABASE_FILE))
  database.prepare("UPDATE sqlite_sequence SET seq = seq + ? WHERE name IN ('task', 'inbox_request')").run(ID_GAP)
  database.close()
}

async function moveInto(target: string, copy: string): Promise<void> {
  const handle = await open(copy, 'r+')
  await handle.sync().finally(() => handle.close())
  await rename(copy, join(target, DATABASE_FILE))
  await sync(target)
}
