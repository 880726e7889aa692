/**
 * A driver of Kysely that knows which failures pass. A statement outside of a transaction is tried again by itself: such a
 * statement reads, or sets what may be set twice. A transaction is tried again as a whole, by `inTransaction`.
 */
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import { CommitUnanswered, Passing, type ReadFault } from './faults.ts'
import { mayWait } from './later.ts'
import type { Patience } from './patience.ts'
import type { StoreQueue } from './store-queue.ts'

export class PatientDriver implements Driver {
  readonly #driver: Driver
  readonly #patience: Pick<Patience, 'patiently' | 'wrote'>
  readonly #readFault: ReadFault
  readonly #queue: StoreQueue

  constructor(
    driver: Driver,
    patience: Pick<Patience, 'patiently' | 'wrote'>,
    readFault: ReadFault,
    queue: StoreQueue,
  ) {
    this.#driver = driver
    this.#patience = patience
    this.#readFault = readFault
    this.#queue = queue
  }

  init() {
    return this.#driver.init()
  }

  async acquireConnection() {
    return new Visit((query) => this.#patience.patiently(() => this.#alone(query)))
  }

  async beginTransaction(visit: Visit, settings: TransactionSettings) {
    const held = await this.#acquire()
    const transaction: Opened = {
      held,
      run: (query) => this.#passing(() => held.executeQuery(query)),
      hasWritten: false,
    }
    visit.transaction = transaction
    await this.#passing(() => this.#driver.beginTransaction(held, settings))
  }

  async commitTransaction(visit: Visit) {
    const { held, hasWritten } = visit.transaction!
    try {
      await this.#driver.commitTransaction(held)
    } catch (failure) {
      const fault = this.#readFault(failure)
      if (fault?.isCutOff) throw new CommitUnanswered(fault.code, failure, fault.isOfWriting)
      throw fault ? new Passing(fault.code, failure, fault.isOfWriting) : failure
    }
    if (hasWritten) this.#patience.wrote()
  }

  /** A transaction whose connection is gone, or that the database has undone by itself, needs no more. */
  async rollbackTransaction(visit: Visit) {
    await this.#driver.rollbackTransaction(visit.transaction!.held).catch(() => {})
  }

  async releaseConnection(visit: Visit) {
    const held = visit.transaction?.held
    visit.transaction = null
    if (held) await this.#driver.releaseConnection(held)
  }

  destroy() {
    return this.#driver.destroy()
  }

  async #alone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const connection = await this.#acquire()
    try {
      const result = await this.#passing(() => connection.executeQuery<R>(query))
      if (hasChanged(query, result)) this.#patience.wrote()
      return result
    } finally {
      await this.#driver.releaseConnection(connection)
    }
  }

  /** No connection could be made; without one, nothing can have changed. */
  async #acquire(): Promise<DatabaseConnection> {
    return this.#queue
      .acquiring(() => this.#driver.acquireConnection())
      .catch((failure: { code?: string }) => {
        throw new Passing(this.#readFault(failure)?.code ?? failure.code ?? 'no connection', failure)
      })
  }

  async #passing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (failure) {
      const fault = this.#readFault(failure)
      throw fault ? new Passing(fault.code, failure, fault.isOfWriting) : failure
    }
  }
}

const WRITING = ['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']

/** A statement that found nothing to change proves nothing; one that changed something may give its rows instead of their number. */
const hasChanged = ({ query }: CompiledQuery, { rows, numAffectedRows = 0n }: QueryResult<unknown>): boolean =>
  numAffectedRows > 0n || (WRITING.includes(query.kind) && rows.length > 0)

type Run = <R>(query: CompiledQuery) => Promise<QueryResult<R>>

interface Opened {
  held: DatabaseConnection
  run: Run
  hasWritten: boolean
}

/** A connection for Kysely: holds one of the driver only while a transaction is open. */
class Visit implements DatabaseConnection {
  transaction: Opened | null = null
  readonly #alone: Run

  constructor(alone: Run) {
    this.#alone = alone
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { transaction } = this
    if (!transaction) return this.#alone<R>(query)
    const result = await transaction.run<R>(query)
    transaction.hasWritten ||= mayWait(query) || hasChanged(query, result)
    return result
  }

  streamQuery(): never {
    throw new Error('Rows are read in pages here, not streamed.')
  }
}
