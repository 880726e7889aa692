/** Refuses statements that write authenticated rows and forget their MACs. */
import type { KyselyPlugin, OperationNode, RootOperationNode } from 'kysely'
import { authenticated, isAuthenticated } from './authenticated-tables.ts'

export const guard: KyselyPlugin = {
  transformQuery({ node }) {
    const table = tableOf(node)
    if (table !== null && isAuthenticated(table) && !isRight(node, table))
      throw new Error(`A statement writes ${table} without its MAC; use what store/rows offers.`)
    return node
  },
  transformResult: async ({ result }) => result,
}

function isRight(node: RootOperationNode, table: Parameters<typeof authenticated>[0]): boolean {
  const { free = {}, isLogged } = authenticated(table)
  if (node.kind === 'InsertQueryNode') return !!node.columns?.some(({ column }) => column.name === 'mac')
  if (node.kind === 'UpdateQueryNode') {
    const names = (node.updates ?? []).map(({ column }) => nameOf(column))
    return names.includes('mac') || names.every((name) => name !== null && Object.hasOwn(free, name))
  }
  // All of a deleted row comes back where the audit log follows the table.
  return !isLogged || node.kind !== 'DeleteQueryNode' || node.returning !== undefined
}

/** The table that a statement writes; null when it writes none. */
function tableOf(node: RootOperationNode): string | null {
  if (node.kind === 'InsertQueryNode') return node.into ? nameOf(node.into) : null
  if (node.kind === 'UpdateQueryNode') return node.table ? nameOf(node.table) : null
  if (node.kind === 'DeleteQueryNode') return node.from.froms[0] ? nameOf(node.from.froms[0]) : null
  return null
}

/** Returns the name of a table or a column, however it is wrapped. */
function nameOf(node: OperationNode): string | null {
  const {
    name,
    column,
    identifier,
    table,
    node: wrapped,
  } = node as unknown as Partial<Record<string, OperationNode | string>>
  if (typeof name === 'string') return name
  const inner = wrapped ?? identifier ?? column ?? table
  return typeof inner === 'object' ? nameOf(inner) : null
}
