/** The files in a data folder. */
import { statSync } from 'node:fs'
import { join } from 'node:path'

/** SQLite puts a log and an index alongside it, whose names begin with this. */
export const DATABASE_FILE = 'countersign.sqlite'

/** The key of a sandbox. */
export const KEY_FILE = 'master.key'

/** Whether anything is stored in the folder. A start whose disk was full can leave an empty file. */
export const holdsStore = (folder: string): boolean =>
  [DATABASE_FILE, `${DATABASE_FILE}-wal`].some(
    (name) => (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0,
  )
