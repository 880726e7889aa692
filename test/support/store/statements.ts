/** The statements that the store runs, as the database is given them. */
import { type CompiledQuery, DefaultQueryExecutor } from 'kysely'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

const executor = Object.getPrototypeOf(DefaultQueryExecutor.prototype) as {
  executeQuery(query: CompiledQuery, ...rest: unknown[]): Promise<unknown>
}

/** Runs `work` and returns every statement that it led to, in order. One at a time. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const heard: Statement[] = []
  const { executeQuery } = executor
  executor.executeQuery = function (query, ...rest) {
    heard.push({ sql: query.sql, parameters: query.parameters })
    return executeQuery.call(this, query, ...rest)
  }
  try {
    await work()
  } finally {
    executor.executeQuery = executeQuery
  }
  return heard
}
