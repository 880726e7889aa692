/**
 * The file of a backup: an SQLite database, followed by one line that authenticates it. Only a holder of the master key can make
 * that line, so nothing of a file that another person made or changed is opened as a database. Knows no table.
 */
import { timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, type FileHandle, open } from 'node:fs/promises'
import type { BackupKey, Cipher } from '../sealing/cipher.ts'

/** Ends a database as a backup: appends the line, and resolves when all of it is on disk. */
export async function close(file: string, { backupKeys: [key] }: Pick<Cipher, 'backupKeys'>): Promise<void> {
  await withFile(file, 'a', async (handle) => {
    const { size } = await handle.stat()
    const claim = claimOf(key.id, size)
    await handle.appendFile(`${claim}${await macOf(key, file, claim)}\n`)
    await handle.sync()
  })
}

/**
 * Copies the database of a backup to `target`, in a folder that only this user can write to. Rejects with a sentence when the
 * file is not a backup, not all of one, or not as a holder of the master key made it. What is checked is the copy.
 */
export async function extract(file: string, target: string, { backupKeys }: Pick<Cipher, 'backupKeys'>): Promise<void> {
  await copyFile(file, target).catch((failure: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read (${failure.code}).`)
  })
  const { line, bytes } = await withFile(target, 'r+', async (handle) => {
    await handle.chmod(0o600)
    const { size } = await handle.stat()
    const end = Math.max(0, size - LINE_BYTES)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LINE_BYTES), 0, LINE_BYTES, end)
    await handle.truncate(end)
    return { line: buffer.subarray(0, bytesRead).toString('latin1'), bytes: end }
  })
  const [, keyId, length, mac] = LINE.exec(line) ?? []
  if (!keyId || !mac)
    throw new Error(`${file} is not a backup of Countersign, or its end is missing. Restore another one.`)
  const key = backupKeys.find(({ id }) => id === keyId)
  if (!key)
    throw new Error(
      `${file} was made under another master key. Give the key that the service had at the time of the backup.`,
    )
  const isGenuine = timingSafeEqual(Buffer.from(mac), Buffer.from(await macOf(key, target, claimOf(keyId, bytes))))
  if (Number(length) !== bytes || !isGenuine)
    throw new Error(
      `${file} was changed or damaged since it was made: its content does not match the line at its end. Restore another one.`,
    )
}

/** The beginning of the line: the format, the key, and how long the database is. It is authenticated as well. */
const claimOf = (keyId: string, bytes: number) =>
  `\ncountersign backup 2, key ${keyId}, ${String(bytes).padStart(LENGTH_DIGITS, '0')} bytes, hmac-sha256 `
const LENGTH_DIGITS = 16
const LINE = /^\ncountersign backup 2, key ([0-9a-f]{16}), (\d{16}) bytes, hmac-sha256 ([0-9a-f]{64})\n$/
const LINE_BYTES = claimOf('0'.repeat(16), 0).length + 64 + 1

const CHUNK_BYTES = 1024 * 1024

async function macOf(key: BackupKey, file: string, claim: string): Promise<string> {
  const mac = key.hmac()
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) mac.update(chunk as Buffer)
  return mac.update(claim).digest('hex')
}

async function withFile<T>(file: string, flags: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, flags)
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}
