/**
 * Opens the journal of one configuration node, part by part: a file, or rows of a database that several Node-REDs share. It holds ids,
 * states, webhook secrets, and sealed properties of messages.
 */
import { existsSync, globSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Processes } from '../../../lib/client/once/claim.ts'
import { createJournal, type Journal } from '../../../lib/journal/journal.ts'
import { type NamespaceCount, namespacesIn } from '../../../lib/journal/namespaces-in.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { DATABASE_TIME, PostgresStore } from '../../../lib/journal/postgres-store.ts'
import type { JournalChoice } from '../database/journal-choice.ts'
import type { SharedDatabase } from '../database/shared-database.ts'
import { NodeError } from '../runtime/failures.ts'

export interface Journals {
  /** Opens a part that all processes read and change. */
  open(namespace: string): Promise<PartJournal>
  /** Opens a part of which each process has its own entries. Those of processes that have ended are not among them before `takeOver`. */
  openOwn(namespace: string): Promise<OwnJournal>
  /** Lists the parts that have entries, those of earlier addresses, deleted nodes and other processes included. */
  parts(): Promise<NamespaceCount[]>
  close(): Promise<void>
}

export interface PartJournal extends Journal {
  /** Writes as `Processes` of create-once says; omitted by a journal that one process has to itself. */
  replaceOfEnded?: Processes['replaceOfEnded']
}

export interface OwnJournal extends Journal {
  /** Makes the entries of processes that have ended those of this one: exactly one process gets each. Returns how many. */
  takeOver(): Promise<number>
}

/** No one else may read secrets and ids. */
const OWNER_ONLY = 0o700

export const createJournals = (place: JournalChoice, id: string): Journals =>
  'folder' in place ? journalsInFolder(place.folder, id) : journalsInDatabase(place.database, id)

function journalsInFolder(folder: string, id: string): Journals {
  const opened = new Map<string, Promise<OwnJournal>>()

  const file = join(folder, `journal-${id}.sqlite`)

  const openPart = async (namespace: string): Promise<OwnJournal> => {
    try {
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY })
      // One process has the file, so everything in it is its own.
      return { ...(await openJournal(file, namespace)), takeOver: async () => 0 }
    } catch (failure) {
      opened.delete(namespace)
      const { code = 'UNKNOWN' } = failure as NodeJS.ErrnoException
      throw new NodeError('NO_JOURNAL', `The journal in ${folder} cannot be opened (${code}). Is the folder writable?`)
    }
  }
  const open = (namespace: string) => {
    const known = opened.get(namespace) ?? openPart(namespace)
    opened.set(namespace, known)
    return known
  }

  return {
    open,
    openOwn: open,
    parts: async () => (existsSync(file) ? namespacesIn(file) : []),
    async close() {
      const journals = await Promise.allSettled(opened.values())
      opened.clear()
      await Promise.allSettled(journals.map((journal) => journal.status === 'fulfilled' && journal.value.close()))
    },
  }
}

function journalsInDatabase(database: SharedDatabase, id: string): Journals {
  const release = database.retain()
  const connected = async () => {
    await database.ready().catch(noDatabase)
    return database.pool
  }
  return {
    async open(namespace) {
      const store = new PostgresStore(await connected(), `${id}/${namespace}`, { isShared: true })
      return {
        ...createJournal(store),
        replaceOfEnded: (key, known, next, run) =>
          store.replaceOfEnded(key, JSON.stringify(known), JSON.stringify(next), run),
      }
    },
    async openOwn(namespace) {
      const options = { isShared: true, owner: database.run }
      const store = new PostgresStore(await connected(), `${id}/${namespace}`, options)
      return { ...createJournal(store), takeOver: () => store.takeOver() }
    },
    async parts() {
      const pool = await connected()
      const { rows } = await pool.query<{ namespace: string; count: string }>(
        `SELECT split_part(key, ':', 1) AS namespace, count(*) AS count FROM countersign_journal
         WHERE key >= $1 AND key < $2 AND (expires IS NULL OR expires > ${DATABASE_TIME}) GROUP BY 1 ORDER BY 1`,
        // The character after a slash.
        [`${id}/`, `${id}0`],
      )
      return rows.map(({ namespace, count }) => ({ namespace: namespace.slice(id.length + 1), count: Number(count) }))
    },
    close: async () => release(),
  }
}

/** Returns the ids of the configuration nodes that have a journal here. */
export async function journalIds(place: JournalChoice): Promise<string[]> {
  if ('folder' in place)
    return globSync('journal-*.sqlite', { cwd: place.folder }).map((file) =>
      file.slice('journal-'.length, -'.sqlite'.length),
    )
  await place.database.ready().catch(noDatabase)
  const { rows } = await place.database.pool.query<{ id: string }>(
    `SELECT DISTINCT split_part(key, '/', 1) AS id FROM countersign_journal WHERE position('/' in split_part(key, ':', 1)) > 0`,
  )
  return rows.map(({ id }) => id)
}

/** The texts of a database may repeat its address and user. */
function noDatabase(failure: unknown): never {
  const { code = 'UNKNOWN', message } = failure as NodeJS.ErrnoException
  const why = code === 'ERR_MODULE_NOT_FOUND' ? 'the package pg is not installed' : code
  throw new NodeError(
    'NO_JOURNAL',
    `The shared journal in PostgreSQL cannot be used (${message.includes('SSL') ? `${why}, TLS` : why}). Check the connection URL of the ` +
      'signature service, and whether the database runs and lets this machine in.',
  )
}
