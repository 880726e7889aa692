/** The foundation of the service: the store, the clock, the keys and the seal. */
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { type Clock, timeOf } from '../../lib/clock.ts'
import type { Settings } from '../config.ts'
import { SERVICE } from '../domain/audit.ts'
import { isServer } from '../domain/store-place.ts'
import { tryToListen } from '../http/listen.ts'
import { createKeyring, type Keyring } from '../keys/keyring.ts'
import { applySeed } from '../operations/sandbox/seed/apply-seed.ts'
import type { Seed } from '../operations/sandbox/seed/seed.ts'
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts'
import type { SeededKey } from '../service.ts'
import { rememberCertificate } from '../signing/seal-certificates.ts'
import { externalKey, sealFromFile, sealOfService } from '../signing/seal-of-service.ts'
import { holdsStore } from '../store/folder/data-files.ts'
import { keepPrivate } from '../store/folder/private-folder.ts'
import type { StoreKind } from '../store/keepsakes/store-kind.ts'
import { masterKeys, tellKeysApart } from '../store/sealing/master-key.ts'
import type { Outage } from '../store/sql/patience.ts'
import { type Directory, openStore, type Store } from '../store/store.ts'
import { bucketOf } from './bucket-of.ts'

export interface Foundation {
  store: Store
  keyring: Keyring
  /** Returns what issues keys in a transaction of the store. */
  keyringIn(inside: Directory): Keyring
  /** Null in production. */
  sandbox: Sandbox | null
  /** The sandbox's clock where there is one. */
  clock: Clock
  /** The keys that seeding made just now. */
  apiKeys: readonly SeededKey[]
  /** The seed that was applied just now; null when the store was not empty. */
  seed: Seed | null
  seal: Awaited<ReturnType<typeof sealOfService>>
  certificatePem: string
}

export interface Surroundings {
  log: Logger
  realClock: Clock
}

/** Opens the store and what is on it. Rejects with a sentence that says what to do, and closes the store again. */
export async function openFoundation(settings: Settings, surroundings: Surroundings): Promise<Foundation> {
  const { data, storeConnections: connections, masterKey, oldMasterKeys } = settings
  const wereOpen = keepPrivate(data)
  if (wereOpen.length > 0) surroundings.log.warn({ paths: wereOpen }, 'other users could read these; now they cannot')
  // Invalid settings are reported before a store is created.
  if (settings.sealP12 !== undefined) await sealFromFile(settings.sealP12, settings.sealPassword)
  if (settings.sealCertificate !== undefined) externalKey(settings.sealCertificate)
  if (!isServer(data) && data !== ':memory:' && !holdsStore(data)) await tryPorts(settings)
  const keys = masterKeys(data, masterKey, oldMasterKeys, settings.sandbox)
  const kind: StoreKind = settings.sandbox ? 'sandbox' : 'production'
  const bucket = bucketOf(settings)
  const place = { data, connections, kind, bucket, newDocumentsIn: settings.newDocuments }
  const store = await openStore(place, ...keys).catch(tellKeysApart(data, masterKey))
  store.onOutage(logOutage(surroundings.log, 'the store'))
  store.objects?.onOutage(logOutage(surroundings.log, 'the object storage'))
  try {
    await mustFindDocuments(store)
    await reportChangedRows(store, surroundings)
    return await foundationOn(store, settings, surroundings)
  } catch (failure) {
    await store.close()
    throw failure
  }
}

/**
 * Says which rows were changed or added without the master key: all of them at the start, and each when it is used and refused. The
 * service starts, because the other rows are as they were.
 */
async function reportChangedRows(store: Store, { log, realClock }: Surroundings): Promise<void> {
  const refused = 'this row was changed in the database without the master key, and is refused'
  const found = await store.changedRows()
  for (const { table, id } of found.slice(0, REPORTED_AT_START)) log.error({ table, id }, refused)
  if (found.length > REPORTED_AT_START)
    log.error({ rows: found.length }, 'more rows were changed: countersign audit verify names all of them')
  store.onChangedRow(({ table, id }) => {
    log.error({ table, id }, refused)
    const what = { action: 'row.refuse', outcome: 'refused', subject: `${table} ${id}` } as const
    store.audit
      .append({ ...what, by: SERVICE, at: timeOf(realClock), organizationId: null })
      .catch(() => log.error({ table, id }, 'the refusal of a row could not be audited'))
  })
}

const REPORTED_AT_START = 100

/** Rejects when the service could not listen, with the sentence that its start would fail with. */
async function tryPorts({ port, host, metricsPort, metricsHost }: Settings): Promise<void> {
  await tryToListen(port, host)
  if (metricsPort !== undefined) await tryToListen(metricsPort, metricsHost, '--metrics-')
}

/** One line for each outage, instead of one for each call that it concerns. */
const logOutage =
  (log: Logger, what: string) =>
  (outage: Outage): void => {
    if (outage.is === 'away') log.error({ reason: outage.reason }, `${what} is away`)
    else if (outage.is === 'back') log.info({ seconds: outage.seconds }, `${what} is back`)
    else log.warn({ reason: outage.reason }, 'a commit was not answered')
  }

async function foundationOn(store: Store, settings: Settings, { realClock }: Surroundings): Promise<Foundation> {
  const keyringOf = (parts: Directory) =>
    createKeyring(parts, settings.sandbox ? 'test' : 'live', randomBytes, settings.profile.apiKeyHeader)
  const keyring = keyringOf(store)
  const sandbox = settings.sandbox
    ? await openSandbox({ store, realClock, keyHeader: settings.profile.apiKeyHeader })
    : null
  const clock = sandbox?.clock ?? realClock
  const seed = settings.seed === undefined ? null : await seedFor(store, settings.seed)
  const apiKeys = seed ? await store.atOnce((inside) => applySeed(inside, keyringOf(inside), seed, timeOf(clock))) : []
  const seal = await sealOfService(settings, store, timeOf(clock))
  const certificatePem = await rememberCertificate(seal.certificatePem, store, timeOf(clock))
  return { store, keyring, keyringIn: keyringOf, sandbox, clock, apiKeys, seed, seal, certificatePem }
}

/** Returns the seed that an empty store is filled with; null for any other. */
async function seedFor(store: Store, given: NonNullable<Settings['seed']>): Promise<Seed | null> {
  const [kept, types] = await Promise.all([store.keptSeed(), store.documentTypes.list()])
  if (kept) return null
  if (types.length > 0) return null
  return given === 'demo' ? (await import('../demo/seed.ts')).demoSeed : given
}

/** Refuses a bucket that does not do its part, and to start without the one that documents are in. */
async function mustFindDocuments({ objects, hasObjects }: Store): Promise<void> {
  if (objects) return objects.check()
  if (await hasObjects())
    throw new Error(
      'Documents of this store are in object storage. Give --documents and what belongs to it; --new-documents database keeps new ones in the database.',
    )
}
