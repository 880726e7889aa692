/** The statements that the store runs, as the database is given them. */
import { type CompiledQuery, DefaultQueryExecutor } from 'kysely'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
  /** Where in the code it was asked for, with the calls that led there. */
  stack: string
}

const executor = Object.getPrototypeOf(DefaultQueryExecutor.prototype) as {
  executeQuery(query: CompiledQuery, ...rest: unknown[]): Promise<unknown>
}

/** Runs `work` and returns every statement that it led to, in order. One at a time. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const heard: Statement[] = []
  const { executeQuery } = executor
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  executor.executeQuery = function (query, ...rest) {
    heard.push({ sql: query.sql, parameters: query.parameters, stack: new Error().stack! })
    return executeQuery.call(this, query, ...rest)
  }
  try {
    await work()
  } finally {
    executor.executeQuery = executeQuery
    Error.stackTraceLimit = stackTraceLimit
  }
  return heard
}
