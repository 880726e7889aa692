/** The file of a backup: an SQLite database, and after it one line with the digest of the whole. Knows no table. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Ends a database as a backup: appends the digest, and resolves when all of it is on disk. */
export async function close(file: string): Promise<void> {
  const line = lineOf(await digestOf(file))
  await withFile(file, 'a', async (handle) => {
    await handle.appendFile(line)
    await handle.sync()
  })
}

/** Copies the database of a backup to `target`. Rejects with a sentence when the file is not a backup, or not all of one. */
export async function extract(file: string, target: string): Promise<void> {
  await copyFile(file, target).catch((failure: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read (${failure.code}).`)
  })
  const line = await withFile(target, 'r+', async (handle) => {
    await handle.chmod(0o600)
    const { size } = await handle.stat()
    const end = Math.max(0, size - LINE_BYTES)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LINE_BYTES), 0, LINE_BYTES, end)
    await handle.truncate(end)
    return buffer.subarray(0, bytesRead).toString('latin1')
  })
  if (!line.startsWith(BEGIN))
    throw new Error(`${file} is not a backup of Countersign, or its end is missing. Restore another one.`)
  if (line !== lineOf(await digestOf(target)))
    throw new Error(`${file} is damaged: its content does not have the digest at its end. Restore another one.`)
}

const BEGIN = '\ncountersign backup 1, sha256 '
const lineOf = (digest: string) => `${BEGIN}${digest}\n`
const LINE_BYTES = lineOf('0'.repeat(64)).length

async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(file), digest)
  return digest.digest('hex')
}

async function withFile<T>(file: string, flags: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, flags)
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}
