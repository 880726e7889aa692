/** Whether a fault is the database's: it did not answer, or it failed at what it was asked. */

export function isStoreFault(fault: unknown): boolean {
  const { code = '', message = '' } = (fault ?? {}) as { code?: unknown; message?: string }
  return typeof code === 'string' && (CODES.test(code) || SQLSTATE.test(code) || SAID_BY_PG.test(message))
}

const CODES = /^(ERR_SQLITE_ERROR|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/
const SQLSTATE = /^[0-9][0-9A-Z]{4}$|^(HV|P0|XX)[0-9A-Z]{3}$/
/** The driver gives some of its faults no code. */
const SAID_BY_PG =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection)/
