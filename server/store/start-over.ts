/**
 * Returns the store of a sandbox to its start: everything that was done is removed, and of the directory everything that the seed
 * does not name. Keys of organizations that stay are kept, and their subscriptions are active again. Ids are counted from their
 * start, so that what is done next looks as it did the first time.
 */
import { FIRST_DOCUMENT_ID, FIRST_TASK_ID } from '../choices.ts'
import type { Actor } from '../domain/audit.ts'
import type { TransactionContext } from './context.ts'
import { removeAll } from './reset.ts'
import { changeRows, deleteRows } from './rows/write-rows.ts'

/** The parts of the directory that stay, by the names that people know them by. */
export interface Kept {
  organizations: readonly string[]
  /** NPIs. */
  signers: readonly string[]
  /** E-mail addresses in lower case. */
  people: readonly string[]
  documentTypes: readonly { name: string; category: string }[]
}

/** @param kept null keeps the whole directory */
export async function startOver(inside: TransactionContext, kept: Kept | null, by: Actor, at: Date): Promise<void> {
  const { db } = inside
  const organizations = await db.selectFrom('organization').select(['id', 'name']).execute()
  for (const { id } of organizations) await removeAll(inside, id, at)
  await deleteRows(inside, 'delegation', (all) => all)
  for (const table of ['owedNotice', 'noticeSetting', 'savedSignature', 'signInTries', 'keyRate'] as const)
    await db.deleteFrom(table).execute()
  // Drafts in browsers are about tasks whose ids are given again.
  await db.deleteFrom('keepsake').where('name', '=', 'drafts').execute()
  await deleteRows(inside, 'subscription', (all) => all.where('deletedAt', 'is not', null))
  await changeRows(inside, 'subscription', (all) => all, { isActive: 1, finding: null })
  if (kept) {
    const gone = organizations.filter(({ name }) => !kept.organizations.includes(name)).map(({ id }) => id)
    await forgetTemplates(inside)
    await forgetPeople(inside, kept.people)
    await forgetSigners(inside, kept.signers)
    await forgetOrganizations(inside, gone)
    for (const { id, name, category } of await db.selectFrom('documentType').selectAll().execute())
      if (!kept.documentTypes.some((type) => type.name === name && type.category === category))
        await db.deleteFrom('documentType').where('id', '=', id).execute()
  }
  await inside.countFrom(db, 'task', FIRST_TASK_ID)
  await inside.countFrom(db, 'inbox_request', FIRST_DOCUMENT_ID)
  for (const table of ['patient', 'delivery', 'delegation'] as const) await inside.countFrom(db, table, 1)
  for (const table of ['organization', 'person', 'document_type', 'template', 'subscription'] as const) {
    const { last } = await db
      .selectFrom(table as 'organization')
      .select(({ fn }) => fn.max('id').as('last'))
      .executeTakeFirstOrThrow()
    await inside.countFrom(db, table, Number(last ?? 0) + 1)
  }
  inside.audit({ action: 'sandbox.reset', by, at, organizationId: null })
}

async function forgetTemplates({ db }: TransactionContext): Promise<void> {
  await db.deleteFrom('templateSample').execute()
  await db.deleteFrom('template').execute()
}

/** Accounts that stay are as they were made: they may sign in, without a password and without a second factor. */
async function forgetPeople(inside: TransactionContext, emails: readonly string[]): Promise<void> {
  const { db } = inside
  const people = await db.selectFrom('person').select(['id', 'email', 'removedEmail']).execute()
  const stay = people.filter(({ email, removedEmail }) => emails.includes(removedEmail ?? email))
  const gone = people.filter((person) => !stay.includes(person)).map(({ id }) => id)
  await deleteRows(inside, 'secondFactor', (all) => all)
  await deleteRows(inside, 'secondFactorOffer', (all) => all)
  await deleteRows(inside, 'signInStep', (all) => all)
  await db.deleteFrom('recoveryCode').execute()
  if (gone.length > 0) {
    await deleteRows(inside, 'session', (all) => all.where('personId', 'in', gone))
    await deleteRows(inside, 'identity', (all) => all.where('personId', 'in', gone))
    await db.deleteFrom('knownDevice').where('personId', 'in', gone).execute()
    await deleteRows(inside, 'person', (all) => all.where('id', 'in', gone))
  }
  await changeRows(
    inside,
    'person',
    (all) => all,
    ({ email, removedEmail }) => ({ ...AS_MADE, email: removedEmail ?? email }),
  )
}

const AS_MADE = {
  passwordHash: null,
  hasSecondFactor: 0,
  disabledAt: null,
  removedAt: null,
  removedEmail: null,
} as const

async function forgetSigners(inside: TransactionContext, npis: readonly string[]): Promise<void> {
  await deleteRows(inside, 'providerOrganization', (all) => all)
  const found = await inside.db.selectFrom('provider').select('npi').execute()
  const gone = found.map(({ npi }) => npi).filter((npi) => !npis.includes(npi))
  if (gone.length > 0) await deleteRows(inside, 'provider', (all) => all.where('npi', 'in', gone))
}

async function forgetOrganizations(inside: TransactionContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  for (const table of ['apiKey', 'operatorKey', 'subscription'] as const)
    await deleteRows(inside, table as 'apiKey', (all) => all.where('organizationId', 'in', ids))
  await inside.db.deleteFrom('workCount').where('organizationId', 'in', ids).execute()
  await deleteRows(inside, 'organization', (all) => all.where('id', 'in', ids))
}
