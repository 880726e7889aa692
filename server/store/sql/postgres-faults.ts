/** Which failures of PostgreSQL, of its driver `pg` and of the network pass. Pure. */
import type { ReadFault } from './faults.ts'

/**
 * Classes and codes of SQLSTATE. 40: a deadlock, or two transactions that do not go together. 53: no disk, memory or connection
 * left. 55P03 and 57014: the time limits of locks and statements. 25006: the server became a standby. 58: its files failed.
 */
const PASSING = /^(40|53|58|55P03|57014|25006)/
/** Those of these codes that let it read and not write. */
const OF_WRITING = ['53100', '25006']
/** 08: the connection failed. 57P: the server or an administrator ended the session, or lets no one in. 25P03: idle for too long. */
const ENDS_SESSION = /^(08|57P|25P03)/
const NETWORK = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOST\w+|ENET\w+|ENOTFOUND|EAI_AGAIN|ENOENT|EMFILE)$/
/**
 * Messages of the driver itself, without a code: of a connection that broke, and of one that it no longer uses, so that nothing
 * is sent.
 */
const BROKE = /^(Connection terminated|timeout exceeded when trying to connect)/
const UNUSED = /^(Client has encountered a connection error|Client was closed|Postgres connection has been discarded)/

export const readPostgresFault: ReadFault = (failure) => {
  const { code = '', message = '' } = failure as { code?: string; message?: string }
  if (PASSING.test(code)) return { code, isCutOff: false, isOfWriting: OF_WRITING.includes(code) }
  if (ENDS_SESSION.test(code) || NETWORK.test(code)) return { code, isCutOff: true }
  if (UNUSED.test(message)) return { code: LOST, isCutOff: false }
  return BROKE.test(message) ? { code: LOST, isCutOff: true } : null
}

const LOST = 'connection lost'
