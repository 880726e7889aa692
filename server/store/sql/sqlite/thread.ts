/**
 * The thread in which SQLite works. A statement that takes its time, such as the commit of a large document, holds up this
 * thread and not the one that serves everybody. Statements come as messages, several in one where the first of them may wait for the
 * last, and are done in the order in which they come.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { giveBack, isLarge } from '../../../../lib/memory.ts'
import { type Prepared, preparing } from './prepared.ts'

/** The first message: what to open. */
export interface Opening {
  file: string
}

export interface Statement {
  sql: string
  parameters: readonly SQLInputValue[]
}

/** Statements to do, one after the other until one fails; or to close the file. */
export type Asked = readonly Statement[] | 'close'

export interface Done {
  rows: Record<string, unknown>[]
  /** Undefined where the statement gave rows. */
  changes?: number | bigint
  lastInsertRowid?: number | bigint
}

/** An error of SQLite, as far as it travels between threads. */
export interface Failed {
  message: string
  code?: string | undefined
  errcode?: number | undefined
  /** Which of the statements it was, from 0. */
  failedAt: number
}

/** The first answer says that the file is open, or why it cannot be. */
export type Answered = { done: Done } | { failed: Failed }

/** Smaller values are copied: that takes less than giving them away. */
const GIVEN_AWAY_FROM = 64 * 1024

const PRAGMAS = [
  'busy_timeout = 5000',
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  // Deleted data is overwritten.
  'secure_delete = ON',
  // Statements that fire triggers note what they change, to take it back; in files that costs as much as writing a task.
  'temp_store = MEMORY',
  'busy_timeout = 0',
]

const NOTHING: Done = { rows: [] }

/** Messages after which V8 gets to finish what it has collected. */
const LOOP_EVERY = 1_000

/** @param bell changes with each message */
async function serve(port: MessagePort, bell: Int32Array<SharedArrayBuffer>): Promise<void> {
  const { file } = next(port, bell) as Opening
  let database: DatabaseSync | undefined
  const answer = (answered: Answered) => port.postMessage(answered, 'done' in answered ? blobsOf(answered.done) : [])
  const open = () => {
    database = new DatabaseSync(file)
    for (const pragma of PRAGMAS) database.exec(`PRAGMA ${pragma}`)
    return NOTHING
  }
  answer(attempt([open]))
  if (!database) return
  const prepared = preparing(database)
  for (let count = 1; ; count++) {
    const asked = next(port, bell) as Asked
    if (asked === 'close') return database.close()
    answer(attempt(asked.map((statement) => () => run(prepared, statement))))
    if (count % LOOP_EVERY === 0) await turnOfTheLoop()
  }
}

/** Waits for a message without the event loop, which takes longer to wake than most statements take. */
function next(port: MessagePort, bell: Int32Array<SharedArrayBuffer>): unknown {
  for (;;) {
    const rung = Atomics.load(bell, 0)
    const received = receiveMessageOnPort(port)
    if (received) return received.message
    Atomics.wait(bell, 0, rung)
  }
}

function run(prepared: (sql: string) => Prepared, { sql, parameters }: Statement): Done {
  try {
    return result(prepared, sql, parameters)
  } finally {
    if (parameters.some(isLarge)) forget(prepared(sql).statement, parameters)
  }
}

function result(prepared: (sql: string) => Prepared, sql: string, parameters: readonly SQLInputValue[]): Done {
  const { statement, givesRows } = prepared(sql)
  const rows = givesRows === false ? [] : rowsOf(statement, sql, parameters)
  if (givesRows || rows.length > 0) return { rows }
  return { rows, ...(givesRows === null ? (prepared(COUNTS).statement.get() as Counts) : statement.run(...parameters)) }
}

/**
 * Returns the rows. A number that JavaScript cannot hold comes as text: only another program writes one, and it must not keep the rows
 * around it from being read.
 */
function rowsOf(statement: StatementSync, sql: string, parameters: readonly SQLInputValue[]): Done['rows'] {
  try {
    return statement.all(...parameters) as Done['rows']
  } catch (failure) {
    // What writes and returns rows has written, and is not done twice.
    if ((failure as NodeJS.ErrnoException).code !== 'ERR_OUT_OF_RANGE' || !READS.test(sql)) throw failure
    statement.setReadBigInts(true)
    try {
      return statement.all(...parameters).map(inNumbers)
    } finally {
      statement.setReadBigInts(false)
    }
  }
}

const READS = /^\s*select\b/i

const inNumbers = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value !== 'bigint') return [name, value]
      const number = Number(value)
      return [name, Number.isSafeInteger(number) ? number : String(value)]
    }),
  )

/** Returns the effect of the statement before it. */
const COUNTS = 'SELECT changes() AS changes, last_insert_rowid() AS lastInsertRowid'
type Counts = Required<Pick<Done, 'changes' | 'lastInsertRowid'>>

/** A statement keeps a copy of its last values until it is given others: these are bound, and nothing is done with them. */
function forget(statement: StatementSync, parameters: readonly SQLInputValue[]): void {
  statement.iterate(...parameters.map(() => null)).return?.()
  parameters.forEach(giveBack)
}

/** Does one after the other until one fails, and answers what the last one gave. */
function attempt(works: readonly (() => Done)[]): Answered {
  let done = NOTHING
  for (const [failedAt, work] of works.entries())
    try {
      done = work()
    } catch (failure) {
      const { message, code, errcode } = failure as Omit<Failed, 'failedAt'>
      return { failed: { message, code, errcode, failedAt } }
    }
  return { done }
}

const blobsOf = ({ rows }: Done): ArrayBuffer[] =>
  rows.flatMap((row) =>
    Object.values(row).flatMap((value) =>
      value instanceof Uint8Array && value.byteLength >= GIVEN_AWAY_FROM ? [value.buffer as ArrayBuffer] : [],
    ),
  )

await serve(parentPort!, workerData as Int32Array<SharedArrayBuffer>)
