/** Files that hold ids of patients' documents, or encrypted messages: only the owner may read them. */
import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Makes a SQLite file and its folder where they are missing, and closes to others what is open to them. */
export function createPrivateFile(location: string): void {
  mkdirSync(dirname(resolve(location)), { recursive: true, mode: 0o700 })
  // One that is there is not opened: closing it would end the locks that SQLite holds on it elsewhere in this process.
  if (!existsSync(location)) closeSync(openSync(location, 'a', 0o600))
  if (process.platform === 'win32') return
  closeToOthers(location, statSync(location))
  // The operator may have put the file itself behind a link. A link in place of these is not SQLite's.
  for (const file of [`${location}-wal`, `${location}-shm`])
    closeToOthers(file, lstatSync(file, { throwIfNoEntry: false }))
}

/** A file of another user's is shared on purpose, and is not ours to close. */
function closeToOthers(file: string, found: ReturnType<typeof lstatSync>): void {
  if (found?.isFile() && found.uid === process.geteuid!() && (Number(found.mode) & 0o077) !== 0) chmodSync(file, 0o600)
}
