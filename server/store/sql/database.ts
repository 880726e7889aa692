/** Opens the database that `data` names, SQLite or PostgreSQL, and brings its schema up to date. The rest of the store does not see which. */
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { isServer } from '../../domain/store-place.ts'
import { type Cipher, WrongMasterKey } from '../sealing/cipher.ts'
import { rowsInCamelCase } from './camel-case.ts'
import type { Database, Flavour, Opened } from './flavour.ts'
import { guard } from './guard.ts'
import { initial } from './migrations/0001-initial.ts'
import { deliveryLog } from './migrations/0002-delivery-log.ts'
import { people } from './migrations/0003-people.ts'
import { patientAliases } from './migrations/0004-patient-aliases.ts'
import { retiredTemplates } from './migrations/0005-retired-templates.ts'
import { sealedTexts } from './migrations/0006-sealed-texts.ts'
import { activeContent } from './migrations/0007-active-content.ts'
import { operatorKeys } from './migrations/0008-operator-keys.ts'
import { flatLists } from './migrations/0009-flat-lists.ts'
import { endsOfAccounts } from './migrations/0010-ends-of-accounts.ts'
import { retention } from './migrations/0011-retention.ts'
import { signInTries } from './migrations/0012-sign-in-tries.ts'
import { secondFactor } from './migrations/0013-second-factor.ts'
import { identities } from './migrations/0014-identities.ts'
import { newestFirst } from './migrations/0015-newest-first.ts'
import { instances } from './migrations/0016-instances.ts'
import { senders } from './migrations/0017-senders.ts'
import { oldestWaiting } from './migrations/0018-oldest-waiting.ts'
import { coveredTokens } from './migrations/0022-covered-tokens.ts'
import { certificates } from './migrations/0023-certificates.ts'
import { templateSamples } from './migrations/0024-template-samples.ts'
import { signedContent } from './migrations/0026-signed-content.ts'
import { notices } from './migrations/0027-notices.ts'
import { actsOnTasks } from './migrations/0028-acts-on-tasks.ts'
import { templateExceptions } from './migrations/0030-template-exceptions.ts'
import { delegations } from './migrations/0032-delegations.ts'
import { keptCounts } from './migrations/0033-kept-counts.ts'
import { objects } from './migrations/0035-objects.ts'
import { authenticatedRows } from './migrations/0036-authenticated-rows.ts'
import { operatorKeyScopes } from './migrations/0037-operator-key-scopes.ts'
import { secondFactorOnAccount } from './migrations/0038-second-factor-on-account.ts'
import { timeZones } from './migrations/0039-time-zones.ts'
import { documents } from './migrations/0040-documents.ts'
import { resentByHand } from './migrations/0041-resent-by-hand.ts'
import { search } from './migrations/0048-search.ts'
import { boundDeliveries } from './migrations/0049-bound-deliveries.ts'
import { answers } from './migrations/0052-answers.ts'
import { auditList } from './migrations/0053-audit-list.ts'
import { keyUse } from './migrations/0057-key-use.ts'
import { nextSecrets } from './migrations/0058-next-secrets.ts'
import { auditActor } from './migrations/0061-audit-actor.ts'
import { decidedReviews } from './migrations/0064-decided-reviews.ts'
import { lastSignIn } from './migrations/0067-last-sign-in.ts'
import type { Patience } from './patience.ts'
import type { Schema } from './schema.ts'
import { keepWriter, mustBeKnown, writtenBy } from './written-by.ts'

const migrations: Record<string, (db: Kysely<never>, flavour: Flavour, cipher: Cipher) => Promise<void>> = {
  '0001-initial': initial,
  '0002-delivery-log': deliveryLog,
  '0003-people': people,
  '0004-patient-aliases': patientAliases,
  '0005-retired-templates': retiredTemplates,
  '0006-sealed-texts': sealedTexts,
  '0007-active-content': activeContent,
  '0008-operator-keys': operatorKeys,
  '0009-flat-lists': flatLists,
  '0010-ends-of-accounts': endsOfAccounts,
  '0011-retention': retention,
  '0012-sign-in-tries': signInTries,
  '0013-second-factor': secondFactor,
  '0014-identities': identities,
  '0015-newest-first': newestFirst,
  '0016-instances': instances,
  '0017-senders': senders,
  '0018-oldest-waiting': oldestWaiting,
  '0022-covered-tokens': coveredTokens,
  '0023-certificates': certificates,
  '0024-template-samples': templateSamples,
  '0026-signed-content': signedContent,
  '0027-notices': notices,
  '0028-acts-on-tasks': actsOnTasks,
  '0030-template-exceptions': templateExceptions,
  '0032-delegations': delegations,
  '0033-kept-counts': keptCounts,
  '0035-objects': objects,
  '0036-authenticated-rows': authenticatedRows,
  '0037-operator-key-scopes': operatorKeyScopes,
  '0038-second-factor-on-account': secondFactorOnAccount,
  '0039-time-zones': timeZones,
  '0040-documents': documents,
  '0041-resent-by-hand': resentByHand,
  '0048-search': search,
  '0049-bound-deliveries': boundDeliveries,
  '0052-answers': answers,
  '0053-audit-list': auditList,
  '0057-key-use': keyUse,
  '0058-next-secrets': nextSecrets,
  '0061-audit-actor': auditActor,
  '0064-decided-reviews': decidedReviews,
  '0067-last-sign-in': lastSignIn,
}

/** The names of all that this version knows, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations)

export interface DatabaseOptions {
  /** A folder, `:memory:`, or a `postgres://` URL. */
  data: string
  /** To PostgreSQL; SQLite has one. */
  connections: number
  patience: Patience
}

/** The cipher seals what an older schema held readable. */
export async function openDatabase(
  { data, connections, patience }: DatabaseOptions,
  cipher: Cipher,
): Promise<Database> {
  const opened = isServer(data)
    ? await import('./postgres.ts').then(({ openPostgres }) => openPostgres(data, connections, patience))
    : await import('./sqlite/sqlite.ts').then(({ openSqlite }) => openSqlite(data, patience))
  try {
    await migrate(opened, cipher)
    await scrubOnce(opened)
    return { ...opened, db: inCamelCase(opened.db) }
  } catch (failure) {
    await opened.close()
    throw failure
  }
}

/** The schema has camelCase names where SQL has snake_case. */
const inCamelCase = (db: Kysely<never>): Kysely<Schema> =>
  (db as unknown as Kysely<Schema>).withPlugin(rowsInCamelCase).withPlugin(guard)

/** Returns the migrator that brings the schema up to date. */
export function migratorOf(database: Opened, cipher: Cipher): Migrator {
  const bound = Object.entries(migrations).map(([name, up]): [string, Migration] => [
    name,
    { up: (db) => up(db as Kysely<never>, database, cipher) },
  ])
  return new Migrator({ db: database.db, provider: { getMigrations: async () => Object.fromEntries(bound) } })
}

export async function isUpToDate(db: Kysely<Schema>): Promise<boolean> {
  const done = await migrationsDone(db)
  return migrationNames.every((name) => done.has(name))
}

async function migrationsDone(db: Kysely<Schema>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Whether nothing is to be done, as at most starts, which then need not look at every table. */
async function isDone(db: Kysely<Schema>, cipher: Cipher): Promise<boolean> {
  // A new store has no such table. Whatever else is wrong shows again in what is done then.
  const done = await migrationsDone(db).catch(() => new Set())
  const isSame = done.size === migrationNames.length && migrationNames.every((name) => done.has(name))
  return isSame && (await writtenBy(db, cipher)) !== null
}

async function migrate(database: Opened, cipher: Cipher): Promise<void> {
  if (await isDone(inCamelCase(database.db), cipher)) return
  const { error } = await database.unhurried(async (db) => {
    const named = inCamelCase(db)
    await mustBeKnown(named, cipher, migrationNames)
    const { error, results = [] } = await migratorOf({ ...database, db }, cipher).migrateToLatest()
    if (!error && (results.length > 0 || (await writtenBy(named, cipher)) === null)) await keepWriter(named, cipher)
    return { error }
  })
  if (error instanceof WrongMasterKey) throw error
  if (error) throw new Error('The schema of the store could not be brought up to date.', { cause: error })
}

/** Marked as done only afterwards, so that a process that is killed in the meantime leaves it to the next. */
async function scrubOnce({ db: opened, scrub, unhurried }: Opened): Promise<void> {
  const db = inCamelCase(opened)
  const chore = await db.selectFrom('chore').selectAll().where('name', '=', 'scrub').executeTakeFirst()
  if (!chore) return
  await unhurried(scrub)
  await db.deleteFrom('chore').where('name', '=', 'scrub').execute()
}
