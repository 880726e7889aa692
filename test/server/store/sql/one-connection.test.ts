/** What goes to SQLite in one message, and what a failure in the middle of one means. */
import { expect } from 'chai'
import { CompiledQuery, type DatabaseConnection } from 'kysely'
import { readSqliteFault } from '../../../../server/store/sql/sqlite/faults.ts'
import { OneConnection } from '../../../../server/store/sql/sqlite/one-connection.ts'
import { openRemoteSqlite } from '../../../../server/store/sql/sqlite/remote.ts'
import type { Failed } from '../../../../server/store/sql/sqlite/thread.ts'

const BUSY = 5
const IOERR = 10

describe('The one connection to SQLite', () => {
  let sent: string[][]
  /** Fails the next message. */
  let failure: Pick<Failed, 'errcode' | 'failedAt'> | null
  let isAway: boolean
  let driver: OneConnection
  let connection: DatabaseConnection
  beforeEach(async () => {
    sent = []
    failure = null
    const remote = {
      async run(statements: readonly { sql: string }[]) {
        sent.push(statements.map(({ sql }) => sql))
        const failed = failure
        failure = null
        if (failed) throw Object.assign(new Error('failed'), failed)
        return { rows: [], changes: 1, lastInsertRowid: 1 }
      },
      close: async () => {},
    }
    isAway = false
    driver = new OneConnection(remote, () => isAway)
    connection = await driver.acquireConnection()
  })

  const ask = (sql: string) => connection.executeQuery(CompiledQuery.raw(sql))
  const askLater = (sql: string) =>
    connection.executeQuery(Object.assign({}, CompiledQuery.raw(sql), { mayWait: true }))
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('did not fail'),
      (reason: unknown) => reason,
    )

  it('sends what begins a transaction, and what may wait, with the next statement, at the latest with the commit', async () => {
    await driver.beginTransaction()
    await askLater('one')
    await ask('two')
    await ask('three')
    await askLater('four')
    await askLater('five')
    await driver.commitTransaction()
    await ask('six')
    expect(sent).to.deep.equal([['BEGIN IMMEDIATE', 'one', 'two'], ['three'], ['four', 'five', 'COMMIT'], ['six']])
  })

  it('sends at once what may wait and is in no transaction', async () => {
    await askLater('one')
    expect(sent).to.deep.equal([['one']])
  })

  it('sends nothing of a transaction in which nothing was asked, nor what waits when it is taken back', async () => {
    await driver.beginTransaction()
    await driver.commitTransaction()
    await driver.beginTransaction()
    await askLater('one')
    await driver.rollbackTransaction()
    expect(sent).to.deep.equal([])
    await driver.beginTransaction()
    await ask('two')
    await askLater('three')
    await driver.rollbackTransaction()
    expect(sent).to.deep.equal([['BEGIN IMMEDIATE', 'two'], ['ROLLBACK']])
  })

  it('goes on where another process held the lock, and repeats nothing that was done', async () => {
    await driver.beginTransaction()
    failure = { errcode: BUSY, failedAt: 0 }
    await ask('one')
    await askLater('two')
    failure = { errcode: BUSY, failedAt: 1 }
    await driver.commitTransaction()
    expect(sent).to.deep.equal([['BEGIN IMMEDIATE', 'one'], ['BEGIN IMMEDIATE', 'one'], ['two', 'COMMIT'], ['COMMIT']])
  })

  it('waits for nobody while the database is known to be away', async () => {
    isAway = true
    failure = { errcode: BUSY, failedAt: 0 }
    expect(await failureOf(ask('one'))).to.include({ errcode: BUSY })
    expect(sent).to.deep.equal([['one']])
  })

  it('takes back what began with the message that failed, though nothing but writes that may wait was asked', async () => {
    const real = new OneConnection(await openRemoteSqlite(':memory:'), () => false)
    const asking = await real.acquireConnection()
    const insertLater = (id: number) =>
      asking.executeQuery(Object.assign({}, CompiledQuery.raw(`INSERT INTO one VALUES (${id})`), { mayWait: true }))
    await asking.executeQuery(CompiledQuery.raw('CREATE TABLE one (id INTEGER PRIMARY KEY)'))
    await real.beginTransaction()
    await insertLater(1)
    await insertLater(1)
    expect(await failureOf(real.commitTransaction())).to.include({ failedAt: 2 })
    await real.rollbackTransaction()
    await real.beginTransaction()
    await insertLater(2)
    await real.commitTransaction()
    expect((await asking.executeQuery(CompiledQuery.raw('SELECT id FROM one'))).rows).to.deep.equal([{ id: 2 }])
    await real.releaseConnection()
    await real.destroy()
  })

  it('tells a write that failed before the commit, which is then none, from a commit that failed', async () => {
    const isUnknownAfter = async (failedAt: number) => {
      await driver.beginTransaction()
      await ask('one')
      await askLater('two')
      failure = { errcode: IOERR, failedAt }
      const isCutOff = readSqliteFault(await failureOf(driver.commitTransaction()))?.isCutOff
      await driver.rollbackTransaction()
      return isCutOff
    }
    expect(await isUnknownAfter(0)).to.equal(false)
    expect(await isUnknownAfter(1)).to.equal(true)
  })
})
