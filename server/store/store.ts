/** The store as the rest of the service sees it. What serves a sender is reached only through a handle bound to its organization. */

import { shareAnswer } from '../../lib/share-answer.ts'
import { HEALTH_LIMIT_MS } from '../choices.ts'
import { type Actor, type AuditEntry, SERVICE } from '../domain/audit.ts'
import type { TaskChange, TaskState } from '../domain/task/task.ts'
import type { Head } from './audit/audit-chain.ts'
import { type AuditCheck, auditLog } from './audit/audit-log.ts'
import { type Backup, takeBackup } from './backup/take-backup.ts'
import { inTransaction, type StoreContext } from './context.ts'
import { deliveries } from './delivery/deliveries.ts'
import { sparedReceivers } from './delivery/findings.ts'
import { changedEvents } from './delivery/genuine.ts'
import { outbox } from './delivery/outbox.ts'
import { listReceivers, reachReceiver, resumeReceiver, switchReceiver } from './delivery/receivers.ts'
import { settlements } from './delivery/settlements.ts'
import { addSecret, type Replacing, useNewSecret } from './delivery/subscription-secrets.ts'
import { subscriptions } from './delivery/subscriptions.ts'
import { accountChanges } from './directory/account-changes.ts'
import { accountEnds } from './directory/account-ends.ts'
import { documentSettingsOf } from './directory/active-content.ts'
import { documentTypes } from './directory/document-types.ts'
import { keyUse } from './directory/key-use.ts'
import { keys } from './directory/keys.ts'
import { operatorKeys } from './directory/operator-keys.ts'
import { organizations } from './directory/organizations.ts'
import { passwords } from './directory/passwords.ts'
import { people } from './directory/people.ts'
import { providers } from './directory/providers.ts'
import { sessions } from './directory/sessions.ts'
import { signInSteps } from './directory/sign-in-steps.ts'
import { templates } from './directory/templates.ts'
import { delegations } from './inbox/delegations.ts'
import { outcomeFor } from './inbox/outcome.ts'
import { signerInbox } from './inbox/signer-inbox.ts'
import { instances } from './instances.ts'
import { draftSecret } from './keepsakes/draft-secret.ts'
import { keepAnew, keepsake, kept } from './keepsakes/keepsakes.ts'
import { keyRates } from './key-rates.ts'
import { noticeSettings } from './notices/notice-settings.ts'
import { owedNotices } from './notices/owed-notices.ts'
import { waitingMarks } from './notices/waiting-marks.ts'
import { areNamed, objects } from './objects/objects.ts'
import { type OpenContext, openContext, type StorePlace } from './open-context.ts'
import { ping } from './ping.ts'
import { resetOrganization } from './reset.ts'
import { retention } from './retention.ts'
import { rewrapAll } from './rewrap.ts'
import { changedRows } from './rows/check-rows.ts'
import { devices } from './sign-in/devices.ts'
import { identities } from './sign-in/identities.ts'
import { secondFactors } from './sign-in/second-factors.ts'
import { signOnAttempts } from './sign-in/sign-on-attempts.ts'
import { signInTries } from './sign-in/tries.ts'
import { restoreSnapshot, type Snapshot, takeSnapshot } from './snapshot.ts'
import { isUpToDate } from './sql/database.ts'
import { type Kept, startOver } from './start-over.ts'
import { type AuditFilter, listAudit } from './tasks/audit-list.ts'
import { changedTasks } from './tasks/changed-tasks.ts'
import { changeTask } from './tasks/changes.ts'
import { ingestion } from './tasks/ingestion.ts'
import { reviews } from './tasks/reviews.ts'
import type { Scope } from './tasks/scope.ts'
import { signing } from './tasks/signing.ts'
import { receiverNames } from './tasks/story-facts.ts'
import { taskOverview } from './tasks/task-overview.ts'
import { tasks } from './tasks/tasks.ts'
import { waiting } from './waiting.ts'

export type Store = Awaited<ReturnType<typeof openStore>>
export type OrganizationStore = ReturnType<Store['forOrganization']>
/**
 * The parts that one transaction may change together. Tasks are excluded: their own transaction announces them, and must have
 * been committed then.
 */
export type Directory = Pick<
  ReturnType<typeof partsOf>,
  'documentTypes' | 'keys' | 'keyUse' | 'notices' | 'operatorKeys' | 'organizations' | 'people' | 'providers'
> &
  Pick<ReturnType<typeof sandboxOf>, 'keepSeed' | 'startOver'> & {
    audit: Pick<ReturnType<typeof auditLog>, 'rows'>
    forOrganization(
      organizationId: number,
      by?: Actor,
    ): { templates: ReturnType<typeof templates>; subscriptions: ReturnType<typeof subscriptions> }
  }

/** Fails with a sentence for the operator when the database cannot be opened, was written with another master key or is of another kind. */
export async function openStore(
  place: string | StorePlace,
  masterKey: Uint8Array,
  ...olderKeys: readonly Uint8Array[]
) {
  const opened = await openContext(typeof place === 'string' ? { data: place } : place, masterKey, olderKeys)
  return {
    kind: opened.kind,
    ...partsOf(opened.context),
    ...handlesOf(opened.context),
    ...upkeepOf(opened),
    ...sandboxOf(opened.context),
    /** Makes all changes of `work`, or none. It may be run again, as in `inTransaction`. */
    atOnce: <T>(work: (inside: Directory) => Promise<T>) =>
      inTransaction(opened.context, (inside) =>
        work({ ...partsOf(inside), ...handlesOf(inside), ...sandboxOf(inside) }),
      ),
    onWork: opened.onWork,
    onOutage: opened.onOutage,
    close: opened.close,
  }
}

/** The parts without an owner, one for each subject. */
function partsOf(context: StoreContext) {
  return {
    audit: {
      ...auditLog(context),
      /** Returns entries for people, newest first. */
      list: (filter: AuditFilter) => listAudit(context, filter),
      /** The same as of the log, with the tasks, events, and deliveries that were changed. */
      async verify(kept?: Head): Promise<AuditCheck> {
        const check = await auditLog(context).verify(kept)
        if (check.fault !== null) return check
        return {
          ...check,
          rowFaults: [...check.rowFaults, ...(await changedTasks(context)), ...(await changedEvents(context))],
        }
      },
      /**
       * Appends an entry about something that changed nothing, such as a refusal. The entry of a change is appended in the
       * transaction of the change.
       */
      append: (entry: AuditEntry) => inTransaction(context, async (inside) => inside.audit(entry)),
    },
    delegations: delegations(context),
    deliveries: deliveries(context),
    devices: devices(context),
    documentTypes: documentTypes(context),
    identities: identities(context),
    ingestion: ingestion(context),
    instances: instances(context),
    /** Null in SQLite: the one instance that it serves counts in memory. */
    keyRates: context.locksRows ? keyRates(context) : null,
    keys: keys(context),
    keyUse: keyUse(context),
    notices: { ...noticeSettings(context), ...owedNotices(context) },
    operatorKeys: operatorKeys(context),
    organizations: organizations(context),
    outbox: { ...outbox(context), ...settlements(context) },
    people: { ...people(context), ...passwords(context), ...accountEnds(context), ...accountChanges(context) },
    providers: providers(context),
    receivers: {
      /** Returns the names of receivers for an operator. */
      names: (subscriptionIds: readonly number[]) => receiverNames(context, subscriptionIds),
      list: (at: Date, which: Parameters<typeof listReceivers>[2]) => listReceivers(context, at, which),
      reach: (subscriptionId: number, at: Date) => reachReceiver(context, subscriptionId, at),
      turn: (receiver: Parameters<typeof switchReceiver>[1], isActive: boolean, by: Actor, at: Date) =>
        switchReceiver(context, receiver, isActive, by, at),
      addSecret: (which: Replacing, secret: Uint8Array, until: Date) => addSecret(context, which, secret, until),
      useNewSecret: (which: Replacing) => useNewSecret(context, which),
      /** Ends the pause of a receiver; false where it is not paused. */
      resume: (receiver: Parameters<typeof resumeReceiver>[1], by: Actor, at: Date) =>
        resumeReceiver(context, receiver, by, at),
      /** Returns the receivers that are paused, of an organization or of all. */
      spared: (at: Date, organizationId?: number) => sparedReceivers(context, at, organizationId),
    },
    reviews: reviews(context),
    secondFactors: secondFactors(context),
    sessions: sessions(context),
    signInSteps: signInSteps(context),
    signInTries: signInTries(context),
    signOnAttempts: signOnAttempts(context),
    signing: signing(context),
    /** Returns the marks of what waits for these signers; each change makes another mark. */
    waitingMarks: (npis: readonly string[], at: Date) => waitingMarks(context, npis, at),
  }
}

/** The parts that reach the tasks, documents and settings of one owner only. */
function handlesOf(context: StoreContext) {
  return {
    /** Everything that a sender may see or change: its own. `by` is who acts, for the audit log. */
    forOrganization: (organizationId: number, by: Actor = SERVICE) => ({
      organizationId,
      /** Where its dates are judged; null for the time zone of the service. */
      timeZone: async () => (await organizations(context).find(organizationId))?.timeZone ?? null,
      /** How its documents are treated. */
      documentSettings: () => documentSettingsOf(context, organizationId),
      tasks: tasks(context, organizationId, by),
      templates: templates(context, organizationId, by),
      subscriptions: subscriptions(context, organizationId, by),
    }),

    /**
     * Everything that a signer may see: their own documents, and those of whom the signer signs for at a time. They sign
     * through `signing`, and reject through `tasks`, within the same scope.
     */
    forSigner(signerNpi: string, by: Actor, standingInAt?: Date) {
      const scope = { signerNpi, standingInAt }
      return {
        ...signerInbox(context, scope, by),
        /** Returns the outcome of a document; null when it never was in this inbox. */
        outcome: (taskId: number) => outcomeFor(context, scope, taskId),
      }
    },

    /** Returns the secret with which the page of a person encrypts drafts. */
    draftSecret: (personId: number, at: Date) => draftSecret(context, personId, at),

    /** Tasks as the console shows them: of one organization, or of all when it is null. */
    overview: (organizationId: number | null) => taskOverview(context, organizationId),
    /** Changes of any task in the scope. */
    tasks: (scope: Scope) => ({
      change: (taskId: number, actor: Actor, decide: (task: TaskState) => TaskChange) =>
        changeTask(context, { scope, taskId, actor, decide }),
    }),
  }
}

/** Name under which the store keeps the seed that it was filled with. */
const SEED = 'sandbox seed'

/** The parts that only a sandbox uses. */
function sandboxOf(context: StoreContext) {
  return {
    /** Keeps the rows that an organization has made until now, to bring them back later. */
    takeSnapshot: (organizationId: number) => takeSnapshot(context, organizationId),
    restoreSnapshot: (organizationId: number, snapshot: Snapshot, by: Actor, at: Date) =>
      restoreSnapshot(context, organizationId, snapshot, by, at),
    /** Removes what a sender did. */
    reset: (organizationId: number, by: Actor, at: Date) => resetOrganization(context, organizationId, by, at),
    /** Removes what everyone did, and all of the directory that is not in `kept`. */
    startOver: (inDirectory: Kept | null, by: Actor, at: Date) =>
      inTransaction(context, (inside) => startOver(inside, inDirectory, by, at)),
    /** Keeps what the store was filled with, for the next reset. */
    keepSeed: (seed: object, at: Date) => keepAnew(context, SEED, at, seed),
    keptSeed: <T>() => kept<T>(context, SEED),
    /** Whether an organization other than this one has tasks. */
    hasTasksOfOthers: async (organizationId: number): Promise<boolean> =>
      (await context.db
        .selectFrom('task')
        .select('id')
        .where('organizationId', '<>', organizationId)
        .limit(1)
        .executeTakeFirst()) !== undefined,
  }
}

/** The parts that concern the store as a whole. */
function upkeepOf({ context, database, cipher, patience, opened }: OpenContext) {
  return {
    /** Null where all documents are in the database. */
    objects: opened && {
      ...objects(context, opened),
      ping: shareAnswer(opened.ping, HEALTH_LIMIT_MS),
    },
    hasObjects: () => areNamed(context),
    retention: { ...retention(context), forget: () => database.forget() },
    kept: <T>(name: string) => kept<T>(context, name),
    keepsake: <T>(name: string, at: Date, make: () => Promise<T>) => keepsake(context, name, at, make),
    keepAnew: (name: string, at: Date, value: unknown) => keepAnew(context, name, at, value),
    /** Brings what older master keys sealed under the current one; says how many values these were. */
    async rewrapAll(by: Actor, at: Date): Promise<number> {
      await inTransaction(context, async (inside) =>
        inside.audit({ action: 'master-key.rotate', by, at, organizationId: null }),
      )
      return rewrapAll(context)
    },

    /** Writes all that is stored at this moment into a new file. */
    async backup(file: string, by: Actor, at: Date): Promise<Backup> {
      await inTransaction(context, async (inside) =>
        inside.audit({ action: 'store.backup', by, at, organizationId: null }),
      )
      return takeBackup({ database, cipher, patiently: context.patiently }, file)
    },

    /**
     * Resolves when the database answers and, where it could not write the last time, can write again. Rejects when that takes too
     * long. Callers at the same time share one answer.
     */
    ping: shareAnswer(() => ping(context, patience, database.queue.state()), HEALTH_LIMIT_MS),

    /** How long requests wait for the database now. */
    queue: () => database.queue.state(),

    /** Whether the database has the schema of this version. Rejects when it does not answer, or cannot write. */
    async isUpToDate(): Promise<boolean> {
      await ping(context, patience, database.queue.state())
      return isUpToDate(context.db)
    },
    waiting: () => waiting(context),
    /** The rows that decide who may do what, and were changed or added without the master key. They are refused. */
    changedRows: () => changedRows(context.db, context),
    /** Called with each such row that is used, once. */
    onChangedRow: context.rows.onChanged,
  }
}
