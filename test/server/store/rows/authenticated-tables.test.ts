/** That every table says whether its rows are authenticated, every column of those that are, and that no statement forgets a MAC. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { tablesIn } from '../../../../server/store/backup/plain-tables.ts'
import { createCipher } from '../../../../server/store/sealing/cipher.ts'
import {
  AUTHENTICATED,
  AUTHENTICATED_NAMES,
  authenticated,
  NOT_AUTHENTICATED,
} from '../../../../server/store/sql/authenticated-tables.ts'
import { rowsInCamelCase } from '../../../../server/store/sql/camel-case.ts'
import { openDatabase } from '../../../../server/store/sql/database.ts'
import { realPatience } from '../../../../server/store/sql/patience.ts'
import { aFolder } from '../../../support/a-folder.ts'

describe('Authenticated rows', () => {
  const inSql = (name: string) => rowsInCamelCase.inSql(name)
  const open = (data: string) =>
    openDatabase({ data, connections: 1, patience: realPatience() }, createCipher(Buffer.alloc(32, 7)))

  it('are of every table, and cover every column, that is not listed with the reason why not', async () => {
    const data = aFolder()
    await (await open(data)).close()
    const database = new DatabaseSync(join(data, 'countersign.sqlite'), { readOnly: true })
    const tables = [...tablesIn(database), 'work_count'].sort()
    const listed = [...Object.keys(NOT_AUTHENTICATED), ...AUTHENTICATED_NAMES.map(inSql)].sort()
    expect(tables).to.deep.equal(listed)
    for (const name of AUTHENTICATED_NAMES) {
      const { key, columns, free = {} } = authenticated(name)
      const known = [...key, ...columns, ...Object.keys(free), 'mac'].map(inSql).sort()
      const { all } = { all: database.prepare(`SELECT name FROM pragma_table_info('${inSql(name)}')`).all() }
      expect(all.map((column) => column.name as string).sort(), name).to.deep.equal(known)
    }
    database.close()
    const reasons = AUTHENTICATED_NAMES.flatMap((name) => Object.values(authenticated(name).free ?? {}))
    for (const reason of [...reasons, ...Object.values(NOT_AUTHENTICATED)]) expect(reason).to.match(/^\w+ .*\w/)
  })

  it('are written by no statement that leaves out the MAC', async () => {
    const { db, close } = await open(':memory:')
    const refusal = (statement: { execute(): Promise<unknown> }) =>
      statement.execute().then(
        () => null,
        (failure: Error) => failure.message,
      )
    for (const name of AUTHENTICATED_NAMES) {
      const forgotten = `A statement writes ${name} without its MAC; use what store/rows offers.`
      const { columns, free = {}, isLogged } = AUTHENTICATED[name] as ReturnType<typeof authenticated>
      const table = name as 'person'
      const set = (column: string) => db.updateTable(table).set({ [column]: null })
      for (const column of columns) {
        expect(await refusal(set(column)), `${name}.${column}`).to.equal(forgotten)
        expect(await refusal(db.insertInto(table).values({ [column]: '' } as never))).to.equal(forgotten)
      }
      expect(await refusal(db.updateTable(`${table} as t`).set({ [columns[0]!]: null } as never))).to.equal(forgotten)
      for (const column of Object.keys(free))
        expect(await refusal(set(column).where('mac', '=', 'none')), column).to.equal(null)
      expect(await refusal(db.deleteFrom(table))).to.equal(isLogged ? forgotten : null)
    }
    await close()
  })
})
