/** The store in SQLite: a file of its own for each test. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { keepsItsAuditLog } from './contract/audit-contract.ts'
import { keepsTheStoreContract } from './contract/store-contract.ts'
import { staysRightUnderConcurrency } from './contract/store-under-concurrency.ts'
import { knowsWhatItIs } from './keepsakes/what-a-store-is.ts'
import { refusesImpossibleValues } from './rows/impossible-values.ts'
import { refusesChangedRows } from './rows/refused-rows.ts'
import { refusesChangedTasks } from './rows/refused-tasks.ts'
import type { Place } from './stores-in.ts'

describe('The store in SQLite', () => {
  const folders: string[] = []
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  const place = async (): Promise<Place> => {
    const data = mkdtempSync(join(tmpdir(), 'countersign-store-'))
    folders.push(data)
    return {
      data,
      async query(sql) {
        const database = new DatabaseSync(join(data, 'countersign.sqlite'))
        try {
          // A statement without columns answers with no rows, and runs all the same.
          return database.prepare(sql).all()
        } finally {
          database.close()
        }
      },
      // The write-ahead log beside the file belongs to it.
      everything: async () => Buffer.concat(readdirSync(data).map((file) => readFileSync(join(data, file)))),
    }
  }
  keepsTheStoreContract(place)
  staysRightUnderConcurrency(place)
  keepsItsAuditLog(place)
  knowsWhatItIs(place)
  describe('when rows are changed without the master key', () => refusesChangedRows(place))
  describe('values that the service never writes', () => refusesImpossibleValues(place))
  describe('when tasks are changed without the master key', () => refusesChangedTasks(place))
})
