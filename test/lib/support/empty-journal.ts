/** Removes every entry of a journal, between two tests that share it. */
import type { Journal } from '../../../lib/journal/journal.ts'

export async function emptyJournal(journal: Journal): Promise<void> {
  const keys: string[] = []
  for await (const [key] of journal.entries()) keys.push(key)
  await journal.delete(keys)
}
