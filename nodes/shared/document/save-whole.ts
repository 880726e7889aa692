/** Saves signed PDFs: no program ever sees half a file, and no document replaces another. */
import { createHash } from 'node:crypto'
import { access, chmod, link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { NOT_PLAIN, readPlainFile } from '../../../lib/plain-file.ts'
import { NodeError } from '../runtime/failures.ts'
import { markedName } from './file-name.ts'

export interface Saving {
  /** Keeps the temporary names of two writers apart. */
  unique: string
  /** Permissions of the file, whatever the umask of the process is; folders that are made are open to the same users. */
  mode: number
}

/**
 * Writes under a temporary name in the same folder, and takes the real name when everything is on disk. If a file of that name
 * holds another document, the file stays and the new name gets a mark. Returns the absolute path. Throws a NodeError: NO_FOLDER or
 * CANNOT_SAVE.
 */
export async function saveWhole(
  folder: string,
  name: string,
  bytes: Buffer,
  { unique, mode }: Saving,
): Promise<string> {
  if (!folder)
    throw new NodeError('NO_FOLDER', 'Folder (folder): empty. Open the node and enter the folder for signed PDFs.')
  const temporary = join(resolve(folder), `.${unique}.tmp`)
  try {
    await makeFolder(resolve(folder), mode)
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.chmod(mode)
      await file.sync()
    } finally {
      await file.close()
    }
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    for (const path of [name, markedName(name, sha256)].map((candidate) => resolve(folder, candidate)))
      if ((await takeName(temporary, path)) || (await holds(path, bytes))) return path
    throw Object.assign(new Error(), { code: 'EEXIST' })
  } catch (failure) {
    const { code = 'UNKNOWN' } = failure as NodeJS.ErrnoException
    throw new NodeError(
      'CANNOT_SAVE',
      `Folder (folder): the signed PDF cannot be written there (${code}). Let Node-RED write to it, or enter another one.`,
    )
  } finally {
    await rm(temporary, { force: true }).catch(() => {})
  }
}

/** Whoever may read a file in it may enter a folder that is made, and the folders that are made above it. */
async function makeFolder(folder: string, mode: number): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  const readers = (mode & 0o444) >> 2
  for (let made = folder; made.length >= first.length; made = dirname(made)) await chmod(made, mode | 0o300 | readers)
}

/** Whether a plain file holds the document. What a link leads to may be replaced later. */
const holds = (path: string, bytes: Buffer): Promise<boolean> =>
  readPlainFile(path).then(
    (found) => bytes.equals(found),
    (failure: NodeJS.ErrnoException) => {
      if (failure.code !== NOT_PLAIN) throw failure
      return false
    },
  )

/** Renames the file. Returns false when the name is taken. */
async function takeName(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path)
    return true
  } catch (failure) {
    const { code = '' } = failure as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!WITHOUT_LINKS.includes(code)) throw failure
  }
  const isFree = await access(path).then(
    () => false,
    () => true,
  )
  if (isFree) await rename(temporary, path)
  return isFree
}

/** Codes from file systems without hard links. */
const WITHOUT_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']
