/** Gives every row of a store a MAC as it is: for tests that write rows past the service, and then want them taken as genuine. */
import { storeKeys } from '../../../server/store/keepsakes/store-keys.ts'
import { authenticateAll } from '../../../server/store/rows/write-rows.ts'
import { createCipher } from '../../../server/store/sealing/cipher.ts'
import { openDatabase } from '../../../server/store/sql/database.ts'
import { realPatience } from '../../../server/store/sql/patience.ts'

export async function authenticatedAnew(data: string, masterKey: Uint8Array): Promise<void> {
  const cipher = createCipher(masterKey)
  const patience = realPatience()
  const database = await openDatabase({ data, connections: 1, patience }, cipher)
  const { rows } = await storeKeys({ ...database, cipher, patiently: patience.patiently })
  await database.db.transaction().execute((inside) => authenticateAll(inside, rows))
  await database.close()
}
