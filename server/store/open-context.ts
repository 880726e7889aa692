/** Opens the database and what every part of the store is given. */
import { randomUUID } from 'node:crypto'
import { systemClock } from '../../lib/clock.ts'
import { giveBack } from '../../lib/memory.ts'
import { STORE_CONNECTIONS } from '../choices.ts'
import type { BucketPlace, DocumentsPlace } from '../domain/bucket-place.ts'
import type { Bucket } from './bucket/bucket.ts'
import type { OpenBucket } from './bucket/open-bucket.ts'
import type { Announced, StoreContext } from './context.ts'
import { storeKeys } from './keepsakes/store-keys.ts'
import { type StoreKind, storeKind } from './keepsakes/store-kind.ts'
import { type Cipher, createCipher } from './sealing/cipher.ts'
import { openDatabase } from './sql/database.ts'
import type { Database } from './sql/flavour.ts'
import { type Patience, realPatience } from './sql/patience.ts'

export interface StorePlace {
  /** A folder, `:memory:`, or a postgres:// URL. */
  data: string
  /** To PostgreSQL. Optional; ten by default. */
  connections?: number | undefined
  /** The required kind of store. Optional; by default either will do, and a new one is for production. */
  kind?: StoreKind | undefined
  /** A bucket for documents, alongside the database. Optional; none by default. */
  bucket?: BucketPlace | undefined
  /** Where new documents are put. Optional; into the bucket, where there is one, by default. */
  newDocumentsIn?: DocumentsPlace | undefined
}

export interface OpenContext {
  context: StoreContext
  kind: StoreKind
  database: Database
  cipher: Cipher
  patience: Patience
  /** Null without a bucket. */
  opened: OpenBucket | null
  /** Whom to tell that the store is away, and that it is back. */
  onOutage: Patience['onOutage']
  /** Whom to tell of new tasks and new events, also those of other instances on the same PostgreSQL; one listener. */
  onWork(listen: StoreContext['announce']): void
  close(): Promise<void>
}

/** Rejects with a sentence for the operator when the database cannot be opened, was written with another master key or is of another kind. */
export async function openContext(
  { data, connections = STORE_CONNECTIONS, kind: wanted, bucket: place, newDocumentsIn = 'bucket' }: StorePlace,
  masterKey: Uint8Array,
  olderKeys: readonly Uint8Array[],
): Promise<OpenContext> {
  const cipher = createCipher(masterKey, ...olderKeys)
  const patience = realPatience()
  const database = await openDatabase({ data, connections, patience }, cipher)
  const { db, locksRows, countOn, countFrom } = database
  const { index, chain, rows, kind } = await ownOf(database, cipher, patience, wanted).catch(
    async (failure: unknown) => {
      await database.close()
      throw failure
    },
  )
  const work = workOver(database)
  // Loaded only where there is one.
  const opened = place ? await (await import('./bucket/open-bucket.ts')).openBucket(place) : null
  const bucket = opened?.bucket ?? null
  return {
    context: {
      db,
      locksRows,
      countOn,
      countFrom,
      chain,
      rows,
      cipher: cipher.indexedBy(index),
      patiently: patience.patiently,
      bucket,
      newDocumentsIn,
      fetch: fetchFrom(bucket),
      announce: work.announce,
    },
    kind,
    database,
    cipher,
    patience,
    opened,
    onOutage: patience.onOutage,
    onWork: work.onWork,
    async close() {
      await work.close()
      await database.close()
      bucket?.close()
    },
  }
}

const fetchFrom =
  (bucket: Bucket | null): StoreContext['fetch'] =>
  async (name, bytes, use) => {
    if (!bucket) throw new Error('This document is in a bucket, which was not given.')
    const object = await bucket.get(name, bytes)
    try {
      return await use(object)
    } finally {
      giveBack(object)
    }
  }

/** Returns the store's own record. The keys prove the master key, so that nothing is written under another one. */
async function ownOf(
  { db, locksRows }: Database,
  cipher: Cipher,
  { patiently }: Patience,
  wanted: StoreKind | undefined,
) {
  const keys = await storeKeys({ db, locksRows, cipher, patiently })
  return { ...keys, kind: await storeKind({ db, cipher }, wanted) }
}

/** Announces work to the listener of this process and to other instances. */
function workOver(database: Database) {
  const wakeUps = database.wakeUps({ clock: systemClock, random: Math.random, instance: randomUUID() })
  let listener: StoreContext['announce'] = () => {}
  return {
    announce(what: Announced): void {
      listener(what)
      wakeUps?.tell(what)
    },
    onWork(listen: StoreContext['announce']): void {
      listener = listen
      wakeUps?.listen(listen)
    },
    close: async () => wakeUps?.close(),
  }
}
