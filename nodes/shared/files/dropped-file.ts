/**
 * Files as a stranger may leave them: looked at without following links, opened only when they are plain files, and read as far as a
 * limit allows. The name of a file is in no error, because it may be that of a patient.
 */
import { type BigIntStats, constants } from 'node:fs'
import { access, type FileHandle, lstat, open } from 'node:fs/promises'
import { type CheckedFolder, identityOf, missingAsUndefined } from './checked-folder.ts'
import type { SeenFile } from './pairs.ts'

/**
 * Why an entry is not taken up. `hardLink`: the file has a second name, by which it may be a file of Node-RED itself. `many`: there are
 * more than are looked at.
 */
export type Refusal = 'link' | 'hardLink' | 'special' | 'name' | 'unreadable' | 'many'

// Without O_NONBLOCK, opening a named pipe waits for its writer.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, R_OK } = constants

/** Returns how the entry looks, or why it is refused; undefined when it is gone. */
export async function lookAt(folder: CheckedFolder, name: string): Promise<SeenFile | Refusal | undefined> {
  if (!isPlainName(name)) return 'name'
  return folder.at(name, async (path) => {
    const stats = await missingAsUndefined(lstat(path, { bigint: true }))
    if (!stats) return undefined
    const refusal = refusalOf(stats)
    if (refusal) return refusal
    const isReadable = await access(path, R_OK).then(
      () => true,
      ({ code }: NodeJS.ErrnoException) => code !== 'EACCES' && code !== 'EPERM',
    )
    return isReadable ? seen(name, stats) : 'unreadable'
  })
}

/**
 * Returns what a file holds; a refusal when it is not the file that was seen, or changes while it is read; 'large' when it has more
 * than `maxBytes`. Rejects with what Node.js says of one that is missing.
 */
export async function readSeen(
  folder: CheckedFolder,
  file: SeenFile,
  maxBytes: number,
): Promise<Buffer | 'replaced' | 'large'> {
  return folder.at(file.name, async (path) => {
    const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((failure: NodeJS.ErrnoException) => {
      if (failure.code === 'ELOOP' || failure.code === 'EMLINK' || failure.code === 'ENXIO') return null
      throw failure
    })
    if (handle === null) return 'replaced'
    try {
      const before = await handle.stat({ bigint: true })
      if (refusalOf(before) !== null || !isSame(file, seen(file.name, before))) return 'replaced'
      const bytes = await bytesOf(handle, file.size, maxBytes)
      if (bytes === null) return 'large'
      const after = seen(file.name, await handle.stat({ bigint: true }))
      return isSame(file, after) && bytes.length === file.size ? bytes : 'replaced'
    } finally {
      await handle.close()
    }
  })
}

/** Reads one byte more than there should be, so that a file that grows is found out. */
async function bytesOf(handle: FileHandle, size: number, maxBytes: number): Promise<Buffer | null> {
  if (size > maxBytes) return null
  const bytes = Buffer.alloc(size + 1)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

/** Whether a file is the one that was seen. Numbers of files are compared only within one run: some network drives give new ones. */
export const isSame = (a: SeenFile, b: SeenFile): boolean =>
  a.size === b.size &&
  a.writtenAt === b.writtenAt &&
  (a.identity === undefined || b.identity === undefined || a.identity === b.identity)

function refusalOf(stats: BigIntStats): Refusal | null {
  if (stats.isSymbolicLink()) return 'link'
  if (!stats.isFile()) return 'special'
  return stats.nlink > 1n ? 'hardLink' : null
}

const seen = (name: string, stats: BigIntStats): SeenFile => ({
  name,
  size: Number(stats.size),
  writtenAt: Number(stats.mtimeNs / 1000n) / 1000,
  identity: identityOf(stats),
})

/** Names that lead out of their folder, break a line of a log, or are not text cannot be used. */
const isPlainName = (name: string): boolean =>
  !/[/\\\p{Cc}\u2028\u2029\uFFFD]/u.test(name) && name !== '.' && name !== '..'
