/** Databases that are restored after each test and given to the next: making and removing one takes hundreds of files. */
import type { KeptDatabase } from './kept-database.ts'

/**
 * Registers what restores them after each test, so it is called behind, or in a `describe` around, what closes the stores. Returns
 * what gives a test a database that is as new.
 * @param make `emptyDatabase` or `migratedDatabase`
 */
export function keptDatabases(
  newUrl: () => Promise<string>,
  make: (url: string) => Promise<KeptDatabase>,
): () => Promise<KeptDatabase> {
  const free: KeptDatabase[] = []
  const used: KeptDatabase[] = []
  afterEach(async () => {
    for (const database of used.splice(0)) {
      if (await database.restore()) free.push(database)
      else await database.close()
    }
  })
  after(async () => {
    for (const database of free) await database.close()
  })
  return async () => {
    const database = free.pop() ?? (await make(await newUrl()))
    used.push(database)
    return database
  }
}
