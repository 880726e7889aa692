/** Files that hold ids of patients' documents, or sealed messages: nobody but the owner may read them. */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Makes a SQLite file and its folder where they are missing, and closes to others what is open to them. */
export function createPrivateFile(location: string): void {
  mkdirSync(dirname(resolve(location)), { recursive: true, mode: 0o700 })
  closeSync(openSync(location, 'a', 0o600))
  if (process.platform === 'win32') return
  for (const file of [location, `${location}-wal`, `${location}-shm`]) {
    // A file of another user's is shared on purpose, and is not ours to close.
    const found = statSync(file, { throwIfNoEntry: false })
    if (found && found.uid === process.geteuid!() && (found.mode & 0o077) !== 0) chmodSync(file, 0o600)
  }
}
