/** Reads files that may be something else: a pipe would be waited for, and a device would never end. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** Reported in place of a code by a system that has no code for it. */
export const NOT_PLAIN = 'EFTYPE'

/**
 * Returns what a file holds. Rejects with what Node.js says, or with the code EFTYPE when it is not a plain file.
 * @param isFollowed whether the file may be a link; true for one that the operator names
 */
export async function readPlainFile(file: string, { isFollowed = false } = {}): Promise<Buffer> {
  const handle = await open(file, O_RDONLY | O_NONBLOCK | (isFollowed ? 0 : O_NOFOLLOW)).catch(
    (failure: NodeJS.ErrnoException) => {
      throw LINK_OR_SOCKET.includes(failure.code ?? '') ? notPlain() : failure
    },
  )
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw notPlain()
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

const LINK_OR_SOCKET = ['ELOOP', 'EMLINK', 'ENXIO']

const notPlain = () => Object.assign(new Error('This is not a plain file.'), { code: NOT_PLAIN })
