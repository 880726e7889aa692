/** The store as the rest of the service sees it. What serves a sender is reached only through a handle bound to its organization. */
import { randomUUID } from 'node:crypto'
import { systemClock } from '../../lib/clock.ts'
import { STORE_CONNECTIONS } from '../choices.ts'
import { type Actor, type AuditEntry, SERVICE } from '../domain/audit.ts'
import type { TaskChange, TaskState } from '../domain/task/task.ts'
import { auditLog } from './audit/audit-log.ts'
import { type Backup, takeBackup } from './backup/take-backup.ts'
import { inTransaction, type StoreContext } from './context.ts'
import { deliveries } from './delivery/deliveries.ts'
import { outbox } from './delivery/outbox.ts'
import { settlements } from './delivery/settlements.ts'
import { subscriptions } from './delivery/subscriptions.ts'
import { accountEnds } from './directory/account-ends.ts'
import { activeContentOf } from './directory/active-content.ts'
import { documentTypes } from './directory/document-types.ts'
import { keys } from './directory/keys.ts'
import { operatorKeys } from './directory/operator-keys.ts'
import { keepNpisApart } from './directory/organization-npi.ts'
import { organizations } from './directory/organizations.ts'
import { people } from './directory/people.ts'
import { providers } from './directory/providers.ts'
import { sessions } from './directory/sessions.ts'
import { templates } from './directory/templates.ts'
import { keepAnew, keepsake, kept } from './keepsakes/keepsakes.ts'
import { storeKeys } from './keepsakes/store-keys.ts'
import { resetOrganization } from './reset.ts'
import { retention } from './retention.ts'
import { rewrapAll } from './rewrap.ts'
import { createCipher } from './sealing/cipher.ts'
import { devices } from './sign-in/devices.ts'
import { signInTries } from './sign-in/tries.ts'
import { isUpToDate, openDatabase } from './sql/database.ts'
import { realPatience } from './sql/patience.ts'
import { changeTask } from './tasks/changes.ts'
import { ingestion } from './tasks/ingestion.ts'
import { reviews } from './tasks/reviews.ts'
import type { Scope } from './tasks/scope.ts'
import { signerInbox } from './tasks/signer-inbox.ts'
import { signing } from './tasks/signing.ts'
import { taskOverview } from './tasks/task-overview.ts'
import { tasks } from './tasks/tasks.ts'
import { waiting } from './waiting.ts'

export type Store = Awaited<ReturnType<typeof openStore>>
export type OrganizationStore = ReturnType<Store['forOrganization']>

export interface StorePlace {
  /** A folder, `:memory:`, or a postgres:// URL. */
  data: string
  /** To PostgreSQL; ten when left out. */
  connections?: number | undefined
}

/** Fails with a sentence for the operator when the database cannot be opened or was written with another master key. */
export async function openStore(
  place: string | StorePlace,
  masterKey: Uint8Array,
  ...olderKeys: readonly Uint8Array[]
) {
  const cipher = createCipher(masterKey, ...olderKeys)
  const patience = realPatience()
  const { data, connections = STORE_CONNECTIONS } = typeof place === 'string' ? { data: place } : place
  const database = await openDatabase({ data, connections, patience }, cipher)
  const { db, locksRows, countOn } = database
  const wakeUps = database.wakeUps({ clock: systemClock, random: Math.random, instance: randomUUID() })
  let listener: StoreContext['announce'] = () => {}
  const begin = async () => {
    await keepNpisApart(database)
    return storeKeys({ db, locksRows, cipher })
  }
  const { index, chain } = await begin().catch(async (failure: unknown) => {
    await database.close()
    throw failure
  })
  const announce: StoreContext['announce'] = (what) => {
    listener(what)
    wakeUps?.tell(what)
  }
  const context: StoreContext = {
    db,
    locksRows,
    countOn,
    chain,
    cipher: cipher.indexedBy(index),
    patiently: patience.patiently,
    announce,
  }

  return {
    audit: {
      ...auditLog(context),
      /** For what changed nothing, such as a refusal. The entry of a change is appended in the transaction of the change. */
      append: (entry: AuditEntry) => inTransaction(context, async (inside) => inside.audit(entry)),
    },
    deliveries: deliveries(context),
    devices: devices(context),
    documentTypes: documentTypes(context),
    ingestion: ingestion(context),
    keys: keys(context),
    operatorKeys: operatorKeys(context),
    organizations: organizations(context),
    outbox: { ...outbox(context), ...settlements(context) },
    people: { ...people(context), ...accountEnds(context) },
    providers: providers(context),
    retention: { ...retention(context), forget: () => database.forget() },
    sessions: sessions(context),
    signInTries: signInTries(context),
    signing: signing(context),
    kept: <T>(name: string) => kept<T>(context, name),
    keepsake: <T>(name: string, at: Date, make: () => Promise<T>) => keepsake(context, name, at, make),
    keepAnew: (name: string, at: Date, value: unknown) => keepAnew(context, name, at, value),
    /** Takes back what a sender did on a sandbox. */
    reset: (organizationId: number, by: Actor, at: Date) => resetOrganization(context, organizationId, by, at),

    /** Everything that a sender may see or change: its own. `by` is who acts, for the audit log. */
    forOrganization: (organizationId: number, by: Actor = SERVICE) => ({
      organizationId,
      /** What is to be done with active content in its documents. */
      activeContent: () => activeContentOf(context, organizationId),
      tasks: tasks(context, organizationId, by),
      templates: templates(context, organizationId, by),
      subscriptions: subscriptions(context, organizationId, by),
    }),

    /** Everything that a signer may see: their own documents. They sign through `signing`, and reject through `tasks`. */
    forSigner: (npi: string, by: Actor) => signerInbox(context, npi, by),

    /** Tasks as the console shows them: of one organization, or of all when it is null. */
    overview: (organizationId: number | null) => taskOverview(context, organizationId),
    reviews: reviews(context),
    /** Changes of whatever task the scope holds. */
    tasks: (scope: Scope) => ({
      change: (taskId: number, actor: Actor, decide: (task: TaskState) => TaskChange) =>
        changeTask(context, { scope, taskId, actor, decide }),
    }),

    /** Whom to tell of new tasks and new events, also those of other instances on the same PostgreSQL; one listener. */
    onWork(listen: StoreContext['announce']) {
      listener = listen
      wakeUps?.listen(listen)
    },

    /** Brings what older master keys sealed under the current one; says how many values these were. */
    async rewrapAll(by: Actor, at: Date): Promise<number> {
      await inTransaction(context, async (inside) =>
        inside.audit({ action: 'master-key.rotate', by, at, organizationId: null }),
      )
      return rewrapAll(context)
    },

    /** Whom to tell that the store is away, and that it is back; one listener. */
    onOutage: patience.onOutage,

    /** Writes all that is stored at this moment into a new file. */
    async backup(file: string, by: Actor, at: Date): Promise<Backup> {
      await inTransaction(context, async (inside) =>
        inside.audit({ action: 'store.backup', by, at, organizationId: null }),
      )
      return takeBackup(database, cipher, file)
    },

    /** Resolves when the database answers. */
    async ping(): Promise<void> {
      await db.selectFrom('keepsake').select('name').limit(1).execute()
    },

    /** Whether the database has the schema of this version. Rejects when it does not answer. */
    isUpToDate: () => isUpToDate(db),
    waiting: () => waiting(context),

    async close(): Promise<void> {
      await wakeUps?.close()
      await database.close()
    },
  }
}
