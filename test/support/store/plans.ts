/** How a database would run a statement: which tables it reads by which columns of an index, and whether it sorts. */
import type { DatabaseSync } from 'node:sqlite'
import type { Statement } from './statements.ts'

export interface Plan {
  reads: readonly TableRead[]
  /** How many rows it sorts. */
  sorted: number
  /** The indexes that it uses. */
  indexes: readonly string[]
}

interface TableRead {
  table: string
  /** From end to end, and not by an index. */
  isWhole: boolean
  /** Columns that are looked up in an index. */
  by: readonly string[]
  /** Rows that are read in vain. SQLite does not tell, so there it may be any number. */
  inVain: number
}

export type Explain = (statement: Statement) => Promise<Plan>

/** Tables that grow with the tasks. All others have some hundred rows. */
const GROWING = [
  'task',
  'task_term',
  'event',
  'delivery',
  'attempt',
  'document',
  'inbox_request',
  'saved_document',
  'patient',
  'audit',
]

/** Rows that may be read in vain or sorted: PostgreSQL knows how few there are, and may prefer that to a further index. */
const FEW = 300

/**
 * What is wrong with the plan of a statement for tables that grow: one that is read from end to end, a condition that no
 * index answers, or rows that are sorted first. A condition that is written for no index (`unindexed`) counts as none.
 */
export function planFaults({ sql }: Statement, plan: Plan): string[] {
  const names = namesOf(sql)
  const growing = plan.reads.filter(({ table }) => GROWING.includes(names.get(table) ?? table))
  const costly = growing.filter(({ inVain }) => inVain > FEW)
  const isPage = sql.includes(' limit ') && !sql.replace(ONLY_COMPARED, ' ').includes(' where ')
  const whole = costly.filter(({ isWhole }) => isWhole && !isPage).map(({ table }) => `reads all of ${table}`)
  const left = comparedIn(sql).filter(({ table, column }) => {
    const isOf = (read: TableRead) => table === null || read.table === table
    return costly.some(isOf) && !growing.some((read) => isOf(read) && answers(read.by, column))
  })
  const sorts = plan.sorted > FEW && growing.length > 0 && !FEW_ROWS.test(sql)
  return [...whole, ...left.map(({ column }) => `has no index for ${column}`), ...(sorts ? ['sorts'] : [])]
}

/** The conditions of a statement that are all written for no index (`compared`): the page is read in the order of the table. */
const ONLY_COMPARED =
  / where \(case when [^()]*(?:\([^()]*\)[^()]*)* end\) <> 0(?: and \(case when [^()]*(?:\([^()]*\)[^()]*)* end\) <> 0)*(?= order by )/

/** Whether the columns of an index that are looked up leave nothing to compare: an id leads to a row, or to a few. */
const answers = (by: readonly string[], column: string) => [column, ...IDS].some((name) => by.includes(name))
const IDS = ['id', 'event_id', 'task_id']
/** What leads to a few rows, which may be sorted. */
const FEW_ROWS = /"(task_id|event_id)" = (\?|\$)|"saved_document_index" in |"term" in |"t"."id" in /

/** What the tables are called in the statement. */
const namesOf = (sql: string): Map<string, string> =>
  new Map(
    [...sql.matchAll(/(?:from|join) "(\w+)"(?: as "(\w+)")?/g)].map(([, table, name]) => [name ?? table!, table!]),
  )

/** The columns that are compared with values, or must have one. */
const comparedIn = (sql: string): { table: string | null; column: string }[] =>
  [...sql.matchAll(/(?:"(\w+)"\.)?"?(\w+)"? (?:(?:=|in) \(?(?:\?|\$\d+)|is not null)/g)].map(([, table, column]) => ({
    table: table ?? null,
    column: column!,
  }))

export function explainSqlite(database: DatabaseSync): Explain {
  const partial = partialOf(database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index'").all())
  return async ({ sql, parameters }) => {
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(parameters as never[])) as { detail: string }[]
    const reads = steps.flatMap(({ detail }): TableRead[] => {
      const [, how, table] = /^(SCAN|SEARCH) (\w+)/.exec(detail) ?? []
      if (!table) return []
      const compared = [...detail.matchAll(/(\w+)=\?/g)].map(([, column]) => (column === 'rowid' ? 'id' : column!))
      const by = [...compared, ...(partial.get(indexIn(detail) ?? '') ?? [])]
      // An index of few rows alone is as good as a search.
      const isWhole = how === 'SCAN' && !partial.has(indexIn(detail) ?? '')
      return [{ table, isWhole, by, inVain: Number.POSITIVE_INFINITY }]
    })
    const sorts = steps.some(({ detail }) => detail.startsWith('USE TEMP B-TREE'))
    const indexes = steps.flatMap(({ detail }) => indexIn(detail) ?? [])
    return { reads, sorted: sorts ? Number.POSITIVE_INFINITY : 0, indexes }
  }
}

/** The columns in the conditions of indexes that hold only some rows. */
const partialOf = (indexes: readonly Record<string, unknown>[]): Map<string, string[]> =>
  new Map(
    indexes.flatMap(({ name, sql }) => {
      const [, condition] = / WHERE (.*)/.exec(String(sql)) ?? []
      return condition ? [[String(name), [...condition.matchAll(/[a-z_]+/g)].map(([word]) => word)] as const] : []
    }),
  )

const indexIn = (detail: string) => / INDEX (\w+)/.exec(detail)?.[1]

interface Node {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Alias?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Node[]
}

type Query = (sql: string, parameters?: readonly unknown[]) => Promise<Record<string, unknown>[]>

/** Runs the statement too: only then does PostgreSQL tell what it read in vain. */
export async function explainPostgres(query: Query): Promise<Explain> {
  const partial = partialOf(await query('SELECT indexname AS name, indexdef AS sql FROM pg_indexes'))
  return async ({ sql, parameters }) => {
    const [row] = await query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`, parameters)
    const nodes = flat((row!['QUERY PLAN'] as { Plan: Node }[])[0]!.Plan)
    const reads = nodes.flatMap((node): TableRead[] => {
      if (!node.Alias) return []
      const isWhole = node['Node Type'] === 'Seq Scan'
      const compared = [...(node['Index Cond'] ?? '').matchAll(/\(+(\w+) = /g)].map(([, column]) => column!)
      const by = [...compared, ...(partial.get(node['Index Name'] ?? '') ?? [])]
      const removed = (node['Rows Removed by Filter'] ?? 0) + (isWhole ? node['Actual Rows'] : 0)
      return [{ table: node.Alias, isWhole, by, inVain: removed * node['Actual Loops'] }]
    })
    const sorts = nodes.filter((node) => node['Node Type'] === 'Sort').flatMap(({ Plans = [] }) => Plans)
    const indexes = nodes.flatMap((node) => node['Index Name'] ?? [])
    return { reads, sorted: Math.max(0, ...sorts.map((below) => below['Actual Rows'])), indexes }
  }
}

const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)]
