/** Reads files that may be something else: a pipe would be waited for, and a device would never end. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { open } from 'node:fs/promises'

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** Reported in place of a code by a system that has no code for it. */
export const NOT_PLAIN = 'EFTYPE'

/**
 * Returns what a file holds. Rejects with what Node.js says, or with the code EFTYPE when it is not a plain file.
 * @param isFollowed whether the file may be a link; true for one that the operator names
 * @param mostBytes optional; a larger file is refused with the code EFBIG
 */
export async function readPlainFile(
  file: string,
  { isFollowed = false, mostBytes = Number.POSITIVE_INFINITY } = {},
): Promise<Buffer> {
  const handle = await open(file, O_RDONLY | O_NONBLOCK | (isFollowed ? 0 : O_NOFOLLOW)).catch(
    (failure: NodeJS.ErrnoException) => {
      throw LINK_OR_SOCKET.includes(failure.code ?? '') ? notPlain() : failure
    },
  )
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw notPlain()
    if (stats.size > mostBytes) throw tooLarge()
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** The most bytes of a file that the operator names, such as a map, a profile or a secret. */
export const MOST_BYTES = 64 * 1024 * 1024
const STEP_BYTES = 1024 * 1024

/**
 * Returns what a file that the operator names holds: a plain file, also behind links, or a pipe of the shell. Throws what Node.js
 * says, or an error with the code EFTYPE for a device or another pipe, and EFBIG above `MOST_BYTES`.
 */
export function readNamedFile(file: string): Buffer {
  const isOfShell = SHELL_PIPE.test(file)
  checkKind(statSync(file), isOfShell)
  const descriptor = openSync(file, O_RDONLY | (isOfShell ? 0 : O_NONBLOCK))
  try {
    checkKind(fstatSync(descriptor), isOfShell)
    const parts: Buffer[] = []
    for (let size = 0; size <= MOST_BYTES; ) {
      const part = Buffer.allocUnsafe(STEP_BYTES)
      const count = readSync(descriptor, part)
      if (count === 0) return Buffer.concat(parts)
      parts.push(part.subarray(0, count))
      size += count
    }
    throw tooLarge()
  } finally {
    closeSync(descriptor)
  }
}

/** Such a pipe has a program that writes to it; one with a name of its own may have none, and would be waited for. */
const SHELL_PIPE = /^(\/dev\/stdin|\/(dev|proc\/self)\/fd\/\d+)$/

function checkKind(stats: Stats, isOfShell: boolean): void {
  if (stats.isDirectory()) throw Object.assign(new Error('This is a folder.'), { code: 'EISDIR' })
  if (!stats.isFile() && !(isOfShell && stats.isFIFO())) throw notPlain()
  if (stats.size > MOST_BYTES) throw tooLarge()
}

/** Returns why a file cannot be read, as what follows "the file". */
export function whyUnread({ code }: NodeJS.ErrnoException): string {
  if (code === NOT_PLAIN) return 'is a device, a socket or a pipe; name a plain file'
  if (code === 'EFBIG') return `has more than ${MOST_BYTES / 1024 / 1024} MB; name a smaller one`
  return `cannot be read (${code})`
}

const LINK_OR_SOCKET = ['ELOOP', 'EMLINK', 'ENXIO']

const tooLarge = () => Object.assign(new Error('This file is too large.'), { code: 'EFBIG' })
const notPlain = () => Object.assign(new Error('This is not a plain file.'), { code: NOT_PLAIN })
