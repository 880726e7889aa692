/** Failures of a database that pass, as the drivers report them. What else fails is a fault of ours. */

/** It certainly changed nothing, so it may be tried again. */
export class Passing extends Error {
  override readonly name: string = 'Passing'
  /** The code of the database or the network, such as `57P01`, `ECONNREFUSED` or `SQLITE_FULL`. */
  readonly code: string
  /** The data read may still be returned: only a write shows that this is over. */
  readonly isOfWriting: boolean
  constructor(code: string, cause: unknown, isOfWriting = false) {
    super(`The store failed for now (${code}).`, { cause })
    this.code = code
    this.isOfWriting = isOfWriting
  }
}

/** The commit was asked for, and the answer never came. */
export class CommitUnanswered extends Passing {
  override readonly name = 'CommitUnanswered'
}

export interface PassingFault {
  code: string
  /** The connection ended before the answer came: a commit that had been sent may have happened all the same. */
  isCutOff: boolean
  /** Nothing can be written, as on a disk that is full. */
  isOfWriting?: boolean
}

/** Reads a failure of one database; null where it is none that passes. */
export type ReadFault = (failure: unknown) => PassingFault | null
