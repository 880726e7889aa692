/** The data folder: made when it is missing, for this user alone. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs'

/** Returns `folder`. Throws with a sentence that says what to do when nothing can be written there. */
export function writableFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
    if (statSync(folder).isDirectory()) return folder
  } catch {
    // Reported below: the reason of the file system names the folder a second time and says no more.
  }
  throw new Error(`The data folder ${folder} cannot be written. Give --data a folder that this user may write to.`)
}
