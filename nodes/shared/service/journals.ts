/** Opens the journal file of one configuration node, part by part. It holds ids, states, webhook secrets, and sealed properties of messages. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Journal } from '../../../lib/journal/journal.ts'
import { type NamespaceCount, namespacesIn } from '../../../lib/journal/namespaces-in.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { NodeError } from '../runtime/failures.ts'

export interface Journals {
  open(namespace: string): Promise<Journal>
  /** Lists the parts that have entries, those of earlier addresses and deleted nodes included. */
  parts(): Promise<NamespaceCount[]>
  close(): Promise<void>
}

/** No one else may read secrets and ids. */
const OWNER_ONLY = 0o700

export function createJournals(folder: string, id: string): Journals {
  const opened = new Map<string, Promise<Journal>>()

  const file = join(folder, `journal-${id}.sqlite`)

  const openPart = async (namespace: string) => {
    try {
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY })
      return await openJournal(file, namespace)
    } catch (failure) {
      opened.delete(namespace)
      const { code = 'UNKNOWN' } = failure as NodeJS.ErrnoException
      throw new NodeError('NO_JOURNAL', `The journal in ${folder} cannot be opened (${code}). Is the folder writable?`)
    }
  }

  return {
    open(namespace) {
      const known = opened.get(namespace) ?? openPart(namespace)
      opened.set(namespace, known)
      return known
    },
    parts: async () => (existsSync(file) ? namespacesIn(file) : []),
    async close() {
      const journals = await Promise.allSettled(opened.values())
      opened.clear()
      await Promise.allSettled(journals.map((journal) => journal.status === 'fulfilled' && journal.value.close()))
    },
  }
}
