/** The store as the rest of the service sees it. What serves a sender is reached only through a handle bound to its organization. */
import { type Actor, SERVICE } from '../domain/audit.ts'
import type { Change, TaskState } from '../domain/task.ts'
import { activeContentOf } from './active-content.ts'
import { audit, type Noted } from './audit.ts'
import { documentTypes, templates } from './catalog.ts'
import { changeTask } from './changes.ts'
import { createCipher } from './cipher.ts'
import { inTransaction, type StoreContext } from './context.ts'
import { openDatabase } from './database.ts'
import { deliveries } from './deliveries.ts'
import { inbox } from './inbox.ts'
import { ingestion } from './ingestion.ts'
import { keepAnew, keepsake, kept } from './keepsakes.ts'
import { keys } from './keys.ts'
import { operatorKeys } from './operator-keys.ts'
import { keepNpisApart } from './organization-npi.ts'
import { organizations } from './organizations.ts'
import { outbox } from './outbox.ts'
import { people } from './people.ts'
import { providers } from './providers.ts'
import { resetOrganization } from './reset.ts'
import { reviews } from './reviews.ts'
import { rewrapAll } from './rewrap.ts'
import type { Scope } from './scope.ts'
import { sessions } from './sessions.ts'
import { settlements } from './settlements.ts'
import { signerInbox } from './signer-inbox.ts'
import { storeKeys } from './store-keys.ts'
import { subscriptions } from './subscriptions.ts'
import { taskOverview } from './task-overview.ts'
import { tasks } from './tasks.ts'

export type Store = Awaited<ReturnType<typeof openStore>>
export type OrganizationStore = ReturnType<Store['forOrganization']>

/** Fails with a sentence for the operator when the database cannot be opened or was written with another master key. */
export async function openStore(data: string, masterKey: Uint8Array, ...olderKeys: readonly Uint8Array[]) {
  const cipher = createCipher(masterKey, ...olderKeys)
  const database = await openDatabase(data, cipher)
  const { db, locksRows, countOn } = database
  let listener: StoreContext['announce'] = () => {}
  const begin = async () => {
    await keepNpisApart(database)
    return storeKeys({ db, locksRows, cipher })
  }
  const { index, chain } = await begin().catch(async (failure: unknown) => {
    await database.close()
    throw failure
  })
  const announce: StoreContext['announce'] = (what) => listener(what)
  const context: StoreContext = { db, locksRows, countOn, chain, cipher: cipher.indexedBy(index), announce }

  return {
    audit: {
      ...audit(context),
      /** Notes what changed nothing, such as a refusal. A change notes itself in its own transaction. */
      note: (entry: Noted) => inTransaction(context, async (inside) => inside.note(entry)),
    },
    deliveries: deliveries(context),
    documentTypes: documentTypes(context),
    inbox: inbox(context),
    ingestion: ingestion(context),
    keys: keys(context),
    operatorKeys: operatorKeys(context),
    organizations: organizations(context),
    outbox: { ...outbox(context), ...settlements(context) },
    people: people(context),
    providers: providers(context),
    sessions: sessions(context),
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

    /** Everything that a signer may see: the own documents. Signing and rejecting go through `inbox` with the same NPI. */
    forSigner: (npi: string, by: Actor) => signerInbox(context, npi, by),

    /** Tasks as the console shows them: of one organization, or of all when it is null. */
    overview: (organizationId: number | null) => taskOverview(context, organizationId),
    reviews: reviews(context),
    /** Changes of whatever task the scope holds. */
    tasks: (scope: Scope) => ({
      change: (taskId: number, actor: Actor, decide: (task: TaskState) => Change) =>
        changeTask(context, { scope, taskId, actor, decide }),
    }),

    /** Whom to tell of new tasks and new events; one listener. */
    onWork(listen: StoreContext['announce']) {
      listener = listen
    },

    /** Brings what older master keys sealed under the current one; says how many values these were. */
    rewrapAll: () => rewrapAll(context),

    /** Resolves when the database answers. */
    async ping(): Promise<void> {
      await db.selectFrom('keepsake').select('name').limit(1).execute()
    },

    close: () => database.close(),
  }
}
