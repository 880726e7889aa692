/**
 * Keeps the data folder and what lies in it to the user of the service: 0700 and 0600. What other users may read is closed to
 * them where that is ours to do; else the start is refused, with the command that helps. Looks at nothing inside the files.
 */
import { chmodSync, existsSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { isServer } from '../../domain/store-place.ts'
import { DATABASE_FILE, KEY_FILE } from './data-files.ts'

const FILES = [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, `${DATABASE_FILE}-journal`, KEY_FILE]

/**
 * The paths that others could read until now. Makes nothing: a folder that is not there yet will be made private.
 * @param data a folder; of `:memory:` and a database server there is nothing to keep.
 */
export function keepPrivate(data: string): string[] {
  // Windows has no such modes; there the folder's own list decides, which a new folder takes from the user's.
  if (process.platform === 'win32' || data === ':memory:' || isServer(data) || !isFolder(data)) return []
  const open = [data, ...FILES.map((name) => join(data, name))].filter((path) => existsSync(path) && isOpen(path))
  for (const path of open) {
    const problem = path === data ? folderProblem(statSync(data), process.geteuid!(), readdirSync(data)) : null
    if (problem) throw new Error(`Other users of this machine may read ${data}, ${problem}`)
    if (path !== data && statSync(path).uid !== process.geteuid!())
      throw new Error(
        `Other users of this machine may read ${path}, and it belongs to another user. Let the owner run: chmod 600 ${path}`,
      )
  }
  for (const path of open) chmodSync(path, path === data ? 0o700 : 0o600)
  return open
}

const isFolder = (data: string) => existsSync(data) && statSync(data).isDirectory()
const isOpen = (path: string) => (statSync(path).mode & 0o077) !== 0

/** Why a folder that others may read cannot be closed to them, with what to do; null when it can. */
export function folderProblem(
  folder: Pick<Stats, 'mode' | 'uid'>,
  user: number,
  names: readonly string[],
): string | null {
  if (folder.uid !== user)
    return 'which belongs to another user. Give --data a folder below it, which is then made for this user alone.'
  const isOurs = names.includes(DATABASE_FILE) || names.every((name) => name === 'lost+found')
  return (folder.mode & STICKY) === 0 && isOurs
    ? null
    : 'which holds other things too. Give --data a folder below it, or close this one to others with chmod 700.'
}

/** A folder that all users write into, such as /tmp. */
const STICKY = 0o1000
