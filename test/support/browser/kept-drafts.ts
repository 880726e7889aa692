/** What the browser holds of drafts, as anybody finds it who sits down at it. */
import type { Page } from 'playwright-core'

export interface KeptDraft {
  taskId: number
  /** All that is readable of it, as text. */
  text: string
}

export const keptDrafts = (page: Page): Promise<KeptDraft[]> =>
  page.evaluate<KeptDraft[]>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('countersign', 1)
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const database = opening.result
      const all = database.transaction('drafts').objectStore('drafts').getAll()
      all.onerror = () => reject(all.error)
      all.onsuccess = () => {
        database.close()
        const asText = (bytes) => new TextDecoder('latin1').decode(bytes)
        resolve(all.result.map(({ nonce, bytes, ...rest }) =>
          ({ taskId: rest.taskId, text: JSON.stringify(rest) + asText(nonce) + asText(bytes) })))
      }
    }
  })`)
