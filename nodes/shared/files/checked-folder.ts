/**
 * Folders that others may write into. Each is opened once and checked, and its entries are reached through what was opened: giving the
 * name of the folder to a link or to another folder afterwards leads nowhere else.
 */
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { NodeError } from '../runtime/failures.ts'

export interface CheckedFolder {
  /** Calls `work` with a path of an entry. Rejects with FOLDER_REFUSED when the folder was replaced, where the system lets it be. */
  at<T>(name: string, work: (path: string) => Promise<T>): Promise<T>
  /** Calls `work` with a path of the folder itself. */
  within<T>(work: (path: string) => Promise<T>): Promise<T>
  readonly stats: BigIntStats
}

/** Windows has neither of the flags; there what was opened is compared with what lies at the path. */
const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants

/** Tells a file or folder apart from all others of this machine. */
export const identityOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`

/** Opens a folder that the operator names; links on the way to it are the operator's. */
export async function withFolder<T>(path: string, work: (folder: CheckedFolder) => Promise<T>): Promise<T> {
  return withHandle(await open(path, O_RDONLY | O_DIRECTORY), path, work)
}

/**
 * Opens a folder within another one, which must be no link and must belong to this user.
 * @param mode that of a new folder; undefined to make none
 * @returns what `work` returns; undefined when the folder is missing and is not made
 * @throws NodeError FOLDER_REFUSED
 */
export async function withFolderIn<T>(
  parent: CheckedFolder,
  { name, mode }: { name: string; mode?: number | undefined },
  work: (folder: CheckedFolder) => Promise<T>,
): Promise<T | undefined> {
  if (mode !== undefined) await parent.at(name, (path) => made(path, mode))
  return parent.at(name, async (path) => {
    const seen = await missingAsUndefined(lstat(path, { bigint: true }))
    if (!seen) return undefined
    mustBeFolder(seen, name)
    const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((failure: NodeJS.ErrnoException) => {
      throw REPLACED.includes(failure.code ?? '') ? refused(name, 'is a link or a file') : failure
    })
    return withHandle(handle, path, async (folder) => {
      mustBeFolder(folder.stats, name)
      if (identityOf(seen) !== identityOf(folder.stats)) throw refused(name, 'was replaced while it was opened')
      if (folder.stats.dev !== parent.stats.dev) throw refused(name, 'is on another disk than the folder')
      if (!(await isOurs(folder.stats, parent))) throw refused(name, 'belongs to another user')
      return work(folder)
    })
  })
}

async function withHandle<T>(
  handle: FileHandle,
  path: string,
  work: (folder: CheckedFolder) => Promise<T>,
): Promise<T> {
  try {
    return await work(await checked(handle, path))
  } finally {
    await handle.close()
  }
}

async function checked(handle: FileHandle, path: string): Promise<CheckedFolder> {
  const stats = await handle.stat({ bigint: true })
  const leadsHere = async (candidate: string) => {
    const found = await stat(candidate, { bigint: true }).catch(() => null)
    return found !== null && identityOf(found) === identityOf(stats)
  }
  const fixed = `/proc/self/fd/${handle.fd}`
  if (process.platform === 'linux' && (await leadsHere(fixed)))
    return { stats, at: (name, work) => work(join(fixed, name)), within: (work) => work(fixed) }
  /** Without such a path, a replaced folder is found out, if not prevented. */
  const compared = async <T>(given: string, work: (path: string) => Promise<T>): Promise<T> => {
    if (!(await leadsHere(path))) throw replaced
    const result = await work(given)
    if (!(await leadsHere(path))) throw replaced
    return result
  }
  return { stats, at: (name, work) => compared(join(path, name), work), within: (work) => compared(path, work) }
}

const replaced = new NodeError(
  'FOLDER_REFUSED',
  'A folder was replaced while files were moved. Find out which program moves folders there; the node retries.',
)

const REPLACED = ['ELOOP', 'ENOTDIR', 'EMLINK']

export const refused = (name: string, why: string): NodeError =>
  new NodeError(
    'FOLDER_REFUSED',
    `The work folder "${name}" ${why}, so no file is moved. Move it away or give it to the user of Node-RED (chown); the node makes a ` +
      'missing one itself, and retries.',
  )

function mustBeFolder(stats: BigIntStats, name: string): void {
  if (stats.isSymbolicLink()) throw refused(name, 'is a link')
  if (!stats.isDirectory()) throw refused(name, 'is not a folder')
}

/** Whether an entry belongs to this user, or to the one whose all files of the file system are, as on many network drives. */
async function isOurs(stats: BigIntStats, parent: CheckedFolder): Promise<boolean> {
  // Windows has no numbers of users.
  if (process.geteuid === undefined || stats.uid === BigInt(process.geteuid())) return true
  return stats.uid === (await ownerOfNewFiles(parent))
}

/** Returns the owner of files that this process makes there. It is asked of the opened folder, which cannot be replaced. */
async function ownerOfNewFiles(folder: CheckedFolder): Promise<bigint> {
  return folder.at(`.countersign-${process.pid}.tmp`, async (path) => {
    await unlink(path).catch(() => {})
    const handle = await open(path, 'wx', 0o600)
    try {
      return (await handle.stat({ bigint: true })).uid
    } finally {
      await handle.close()
      await unlink(path).catch(() => {})
    }
  })
}

/** Makes a folder within one that is there: the place of a network drive that is not connected must stay empty. */
async function made(path: string, mode: number): Promise<void> {
  await mkdir(path, mode).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code !== 'EEXIST') throw failure
  })
}

/** Resolves with undefined for a file that is not there. */
export const missingAsUndefined = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((failure: NodeJS.ErrnoException) => {
    if (failure.code !== 'ENOENT') throw failure
    return undefined
  })
