/** A transaction of SQLite: all of its work or none, also when SQLite has undone it by itself. */
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { transaction } from '../../../lib/journal/transaction.ts'

describe('a transaction of SQLite', () => {
  let database: DatabaseSync

  beforeEach(() => {
    database = new DatabaseSync(':memory:')
    database.exec('CREATE TABLE entry (key INTEGER PRIMARY KEY) STRICT')
  })
  afterEach(() => database.close())

  const insert = (key: number) => database.prepare('INSERT INTO entry (key) VALUES (?)').run(key)
  const keys = () =>
    database
      .prepare('SELECT key FROM entry')
      .all()
      .map(({ key }) => key)

  it('gives what its work returns', () => {
    expect(transaction(database, () => insert(1).changes)).to.equal(1)
    expect(keys()).to.deep.equal([1])
  })

  it('writes nothing of work that fails, and stands in the way of no other', () => {
    const work = () => [1, 2, 1].map(insert)
    expect(() => transaction(database, work)).to.throw('UNIQUE constraint failed')
    expect(keys()).to.deep.equal([])
    transaction(database, () => insert(3))
    expect(keys()).to.deep.equal([3])
  })

  it('throws what failed when SQLite has undone it already', () => {
    const work = () => {
      insert(1)
      database.exec('ROLLBACK')
      throw new Error('database or disk is full')
    }
    expect(() => transaction(database, work)).to.throw('database or disk is full')
    expect(keys()).to.deep.equal([])
  })
})
