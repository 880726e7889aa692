/** How every read of the interface, the pages and the workers would be run in a large store: by the plans that the databases make. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import pg from 'pg'
import { DATABASE_FILE } from '../../../../server/store/folder/data-files.ts'
import { openStore } from '../../../../server/store/store.ts'
import { aFolder } from '../../../support/a-folder.ts'
import { MASTER_KEY, manyTasks } from '../../../support/store/many-tasks.ts'
import { type Explain, explainPostgres, explainSqlite, type Plan, planFaults } from '../../../support/store/plans.ts'
import { aPostgres, type TestPostgres } from '../../../support/store/postgres/a-postgres.ts'
import { readsOf, stepsOf } from '../../../support/store/reads.ts'
import { type Statement, statementsOf } from '../../../support/store/statements.ts'

const TASKS = 20_000

interface ReadStatement extends Statement {
  /** The read that led to it. */
  of: string
}

/** A filter of the console's list. Together with others, PostgreSQL may take an index of what was recorded. */
const OF_CONSOLE = new Set(['recorded'])
const isOfOne = ({ of }: ReadStatement) =>
  // A file of thousands of rows may well be sorted.
  !/exportTasks|exportAudit/.test(of) &&
  !Object.keys(JSON.parse(/\{.*\}$/.exec(of)?.[0] ?? '{}') as object).some((name) => OF_CONSOLE.has(name))

interface Place {
  data: string
  explain: Explain
  query(sql: string): Promise<Record<string, unknown>[]>
}

/** Every different statement of all reads, with the first read that leads to it. */
async function statementsOfReads(data: string): Promise<ReadStatement[]> {
  const store = await openStore(data, MASTER_KEY)
  const found = new Map<string, ReadStatement>()
  for (const { of, filters, run } of [...readsOf(store), ...stepsOf(store)])
    for (const statement of await statementsOf(run))
      if (statement.sql.startsWith('select'))
        found.set(JSON.stringify(statement), { of: `${of} ${JSON.stringify(filters)}`, ...statement })
  await store.close()
  return [...found.values()]
}

/** What is wrong with the plans, a line for each. */
async function faultsOf(statements: readonly ReadStatement[], explain: Explain): Promise<string[]> {
  const faults: string[] = []
  for (const statement of statements)
    for (const fault of planFaults(statement, await explain(statement))) faults.push(`${statement.of} ${fault}`)
  return [...new Set(faults)]
}

/** Those of the indexes whose loss goes unnoticed: each is taken away, and those who used it are asked again. */
async function unnoticed(
  indexes: readonly Record<string, unknown>[],
  statements: readonly ReadStatement[],
  { explain, query }: Place,
): Promise<unknown[]> {
  const found: unknown[] = []
  const plans: { statement: ReadStatement; plan: Plan }[] = []
  for (const statement of statements) plans.push({ statement, plan: await explain(statement) })
  for (const { name, sql } of indexes) {
    const users = plans.filter(({ plan }) => plan.indexes.includes(String(name))).map(({ statement }) => statement)
    await query(`DROP INDEX ${name}`)
    if ((await faultsOf(users, explain)).length === 0) found.push(name)
    await query(String(sql))
  }
  return found
}

describe('Reads of a large store', function () {
  this.timeout(120_000)

  describe('in SQLite', () => {
    let place: Place
    let database: DatabaseSync
    let statements: ReadStatement[]
    before(async () => {
      const data = join(aFolder(), 'data')
      mkdirSync(data, { mode: 0o700 })
      await manyTasks(data, MASTER_KEY, TASKS)
      database = new DatabaseSync(join(data, DATABASE_FILE))
      place = {
        data,
        explain: explainSqlite(database),
        query: async (sql) => database.prepare(sql).all(),
      }
      statements = await statementsOfReads(data)
    })
    after(() => database.close())

    it('look through no table that grows with the tasks, and sort none', async () => {
      expect(statements.length).to.be.above(500)
      expect(await faultsOf(statements, place.explain)).to.deep.equal([])
    })

    it('do so before it is known how the values are spread', async () => {
      database.exec('DELETE FROM sqlite_stat1')
      const fresh = new DatabaseSync(join(place.data, DATABASE_FILE))
      expect(await faultsOf(statements, explainSqlite(fresh))).to.deep.equal([])
      fresh.close()
      database.exec('ANALYZE')
    })

    it('do so in a store with a million tasks, as far as the planner knows', async () => {
      database.exec(`UPDATE sqlite_stat1 SET stat = CAST(stat AS integer) * ${1_000_000 / TASKS} || substr(stat, instr(stat, ' '))
        WHERE CAST(stat AS integer) > ${TASKS / 4}`)
      const fresh = new DatabaseSync(join(place.data, DATABASE_FILE))
      expect(await faultsOf(statements, explainSqlite(fresh))).to.deep.equal([])
      fresh.close()
      database.exec('ANALYZE')
    })

    it('are found out when any index of theirs is missing', async () => {
      const indexes = await place.query(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%(id + 0)%'",
      )
      expect(indexes.length).to.be.above(15)
      expect(await unnoticed(indexes, statements, place)).to.deep.equal([])
    })
  })

  describe('in PostgreSQL', () => {
    let place: Place
    let postgres: TestPostgres
    let client: pg.Client
    let statements: ReadStatement[]
    before(async () => {
      postgres = await aPostgres()
      const data = await postgres.database()
      await manyTasks(data, MASTER_KEY, TASKS)
      client = new pg.Client({ connectionString: data })
      await client.connect()
      const query = async (sql: string, parameters: readonly unknown[] = []) =>
        (await client.query(sql, [...parameters])).rows as Record<string, unknown>[]
      place = { data, explain: await explainPostgres(query), query }
      statements = (await statementsOfReads(data)).filter(isOfOne)
    })
    after(async () => {
      await client?.end()
      await postgres?.stop()
    })

    it('look through no table that grows with the tasks, and sort none', async () => {
      expect(await faultsOf(statements, place.explain)).to.deep.equal([])
    })

    it('are found out when an index is missing that no other can stand in for', async () => {
      const wanted = ['task_status_of_all', 'task_of_organization', 'task_external_doc', 'delivery_of_subscription']
      const indexes = await place.query(
        `SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE indexname IN ('${wanted.join("', '")}')`,
      )
      expect(indexes).to.have.length(wanted.length)
      expect(await unnoticed(indexes, statements, place)).to.deep.equal([])
    })
  })
})
