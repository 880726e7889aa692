/** The names of the types of documents, as far as this Node-RED knows which type it sent a document with. */
import type { Task } from '../../../lib/contract/task/task.ts'
import type { Connection } from '../service/connection.ts'

/**
 * Returns a function that tells the type of a task's document; null when it is not known. The names are looked up once, and only
 * when one is needed; a look-up that fails costs the names and nothing else.
 */
export function documentTypes({ create, lookUps }: Pick<Connection, 'create' | 'lookUps'>) {
  let names: Promise<Map<number, string>> | undefined
  const look = async () => new Map((await lookUps.documentTypes()).map(({ id, name }) => [id, name]))

  return async ({ externalDocId }: Task): Promise<string | null> => {
    const id = externalDocId ? await create.documentTypeOf(externalDocId) : undefined
    if (id === undefined) return null
    names ??= look().catch(() => new Map())
    return (await names).get(id) ?? String(id)
  }
}
