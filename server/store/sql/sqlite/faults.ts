/** Which failures of SQLite pass: what its disk does, and other processes. Pure. */
import type { ReadFault } from '../faults.ts'

/** Passing errors by the primary code, the lowest byte. */
const PASSING: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
}
/** Of a disk that fails in the middle of a commit, no one knows what it kept. */
const IOERR = 'SQLITE_IOERR'
const OF_WRITING = [IOERR, 'SQLITE_FULL', 'SQLITE_READONLY']

export const readSqliteFault: ReadFault = (failure) => {
  const { errcode = 0, isUncommitted = false } = failure as { errcode?: number; isUncommitted?: boolean }
  const code = PASSING[errcode & 0xff]
  if (code === undefined) return null
  return { code, isCutOff: code === IOERR && !isUncommitted, isOfWriting: OF_WRITING.includes(code) }
}
