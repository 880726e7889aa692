/** Names of the files in a data folder. */

/** SQLite puts a log and an index beside it, whose names begin with this. */
export const DATABASE_FILE = 'countersign.sqlite'

/** Of a sandbox only. */
export const KEY_FILE = 'master.key'
