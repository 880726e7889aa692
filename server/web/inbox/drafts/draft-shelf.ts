/** Sealed drafts in the browser: an IndexedDB of this origin. Nothing here can open one. */
import type { Sealed } from './draft-cipher.ts'

export interface ShelvedDraft extends Sealed {
  owner: string
  taskId: number
  /** In ms since 1970, by the browser's clock. */
  savedAt: number
}

/** A draft that no one came back to in a week is given up. */
const DRAFT_LIFE_MS = 7 * 24 * 60 * 60 * 1000
const DATABASE = 'countersign'
const STORE = 'drafts'

export const shelve = (draft: ShelvedDraft): Promise<unknown> => run('readwrite', (store) => store.put(draft))

export const find = (owner: string, taskId: number): Promise<ShelvedDraft | undefined> =>
  run('readonly', (store) => store.get([owner, taskId]))

/** The ids of the tasks that the owner has drafts of. */
export async function tasksOf(owner: string): Promise<number[]> {
  const keys = await run('readonly', (store) => store.getAllKeys(allOf(owner)))
  return (keys as [string, number][]).map(([, taskId]) => taskId)
}

export const remove = (owner: string, taskId: number): Promise<unknown> =>
  run('readwrite', (store) => store.delete([owner, taskId]))

export const removeAll = (owner: string): Promise<unknown> => run('readwrite', (store) => store.delete(allOf(owner)))

/** Removes the drafts of all owners whose time is over. */
export async function sweep(now: number): Promise<void> {
  const all: ShelvedDraft[] = await run('readonly', (store) => store.getAll())
  for (const { owner, taskId, savedAt } of all) if (savedAt + DRAFT_LIFE_MS <= now) await remove(owner, taskId)
}

/** Keys are compared part by part, and a list comes after any number. */
const allOf = (owner: string) => IDBKeyRange.bound([owner], [owner, []])

/** Resolves once what was done is kept. */
async function run<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open()
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode)
      const request = work(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: ['owner', 'taskId'] })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
