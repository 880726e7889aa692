/** SQLite in a thread of its own, as the others see it. */
import { once } from 'node:events'
import type { SQLInputValue } from 'node:sqlite'
import { copyLarge, isLarge } from '../../../../lib/memory.ts'
import { startThread } from './start-thread.ts'
import type { Answered, Asked, Done, Opening, Statement } from './thread.ts'

export interface RemoteSqlite {
  /**
   * Does some statements in order, in one message, and resolves with what the last one gave. Rejects with what SQLite said of the
   * first that failed, its `errcode` and its number among the statements (`failedAt`) included; those after it are not done.
   */
  run(statements: readonly Statement[]): Promise<Done>
  /** Closes the file and ends the thread. */
  close(): Promise<void>
}

/** Rejects with the error of SQLite when the file cannot be opened. */
export async function openRemoteSqlite(file: string): Promise<RemoteSqlite> {
  const { worker, post } = startThread()
  const gone = once(worker, 'exit')
  const waiting: { resolve: (done: Done) => void; reject: (failure: unknown) => void }[] = []
  const next = () => new Promise<Done>((resolve, reject) => waiting.push({ resolve, reject }))
  worker.on('message', (answered: Answered) => {
    const { resolve, reject } = waiting.shift()!
    // A store that no one asks keeps no process from ending.
    if (waiting.length === 0) worker.unref()
    if ('done' in answered) resolve(answered.done)
    else reject(Object.assign(new Error(answered.failed.message), answered.failed))
  })
  const ask = (asked: Asked, transferList: readonly ArrayBuffer[] = []) => {
    if (waiting.length === 0) worker.ref()
    post(asked, transferList)
  }
  post({ file } satisfies Opening)
  await next()
  return {
    async run(statements) {
      const asked: Statement[] = []
      const handedOn: ArrayBuffer[] = []
      for (const { sql, parameters } of statements) {
        const values = parameters.map(alone)
        // A statement may be asked again, so it keeps its values.
        const { copies, transferList } = values.some(isLarge)
          ? await copyLarge(values)
          : { copies: values, transferList: [] }
        asked.push({ sql, parameters: copies })
        handedOn.push(...transferList)
      }
      ask(asked, handedOn)
      return next()
    },
    async close() {
      ask('close')
      await gone
    },
  }
}

/** On Node.js 22.13, SQLite takes an empty value without any memory for NULL. */
const EMPTY = new Uint8Array(1).subarray(0, 0)

/** The value alone: a view would be copied together with everything else in its buffer. */
function alone(value: SQLInputValue): SQLInputValue {
  if (!(value instanceof Uint8Array) || isLarge(value)) return value
  if (value.byteLength === 0) return EMPTY
  return value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value)
}
