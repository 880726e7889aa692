/** Gives every row of a store a MAC as it is: for tests that write rows past the service, and then want them taken as genuine. */
import { sql } from 'kysely'
import { storeKeys } from '../../../server/store/keepsakes/store-keys.ts'
import { allOf } from '../../../server/store/rows/check-rows.ts'
import { createCipher } from '../../../server/store/sealing/cipher.ts'
import { AUTHENTICATED_NAMES, authenticated } from '../../../server/store/sql/authenticated-tables.ts'
import { openDatabase } from '../../../server/store/sql/database.ts'
import { realPatience } from '../../../server/store/sql/patience.ts'

export async function authenticatedAnew(data: string, masterKey: Uint8Array): Promise<void> {
  const cipher = createCipher(masterKey)
  const patience = realPatience()
  const database = await openDatabase({ data, connections: 1, patience }, cipher)
  const { rows } = await storeKeys({ ...database, cipher, patiently: patience.patiently })
  await database.db.transaction().execute(async (inside) => {
    for (const table of AUTHENTICATED_NAMES)
      for await (const row of allOf(inside, table)) {
        let update = inside.updateTable(table as 'person').set({ mac: rows.of(table, row) })
        for (const name of authenticated(table).key) update = update.where(sql.ref(name), '=', row[name])
        await update.execute()
      }
  })
  await database.close()
}
