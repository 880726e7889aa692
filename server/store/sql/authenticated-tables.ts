/**
 * Which rows are authenticated: those that decide who may do what. Each carries a MAC under a key of the store, over the name of its
 * table, what it is known by, and every column listed here; anyone who changes, copies or adds a row without the master key cannot
 * make one. What is authenticated is part of what is stored: another order or another list needs another `VERSION` in `row-macs.ts`.
 */
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Schema } from './schema.ts'

interface AuthenticatedTable<T extends keyof Schema> {
  /** The columns that identify a row, which are authenticated too. */
  key: readonly (keyof Schema[T] & string)[]
  columns: readonly (keyof Schema[T] & string)[]
  /** Columns that grant nothing, with the reason. They may be written without the MAC. */
  free?: Readonly<Record<string, string>>
  /** Whether the database gives the id. */
  isCounted?: boolean
  /**
   * Whether the audit log holds the MAC of each version, so that `countersign audit verify` finds a row that was removed or put
   * back to an earlier version. Not so for rows that end by themselves within hours.
   */
  isLogged: boolean
}

const keyTable = {
  key: ['keyId'],
  columns: ['organizationId', 'mode', 'digest', 'last4', 'description', 'createdAt', 'expiresAt', 'revokedAt'],
  free: { lastUsedAt: 'is shown to people, and decides nothing' },
  isLogged: true,
} as const

export const AUTHENTICATED = {
  organization: {
    key: ['id'],
    columns: [
      'name',
      'npi',
      'addresses',
      'ingestionEnabled',
      'javascript',
      'openAction',
      'embeddedFiles',
      'documents',
      'coversTokens',
      'signatureRule',
      'allowsDelegation',
      'isActive',
      'createdAt',
    ],
    free: { timeZone: 'moves by a day at most which dates are accepted, and lets nobody do anything' },
    isCounted: true,
    isLogged: true,
  },
  apiKey: { ...keyTable, columns: [...keyTable.columns, 'personName'] },
  operatorKey: { ...keyTable, columns: [...keyTable.columns, 'scopes'] },
  provider: {
    key: ['npi'],
    columns: ['firstName', 'lastName', 'signingName', 'isActive', 'script'],
    isLogged: true,
  },
  providerOrganization: { key: ['npi', 'organizationId'], columns: ['position', 'isActive'], isLogged: true },
  person: {
    key: ['id'],
    columns: [
      'email',
      'name',
      'role',
      'npi',
      'organizationId',
      'passwordHash',
      'hasSecondFactor',
      'createdAt',
      'disabledAt',
      'removedAt',
      'removedEmail',
    ],
    free: { lastSignInAt: 'is shown to people, and decides nothing' },
    isCounted: true,
    isLogged: true,
  },
  identity: { key: ['issuer', 'subject'], columns: ['personId', 'linkedAt'], isLogged: true },
  secondFactor: {
    key: ['personId'],
    columns: ['sealedSecret', 'since'],
    free: { lastStep: 'only keeps a code from being used twice within the 90 seconds in which it can be used at all' },
    isLogged: true,
  },
  session: {
    key: ['digest'],
    columns: ['personId', 'expiresAt', 'issuer', 'means'],
    free: { seenAt: 'is written with every minute of use; expiresAt ends the session at the latest' },
    isLogged: false,
  },
  signInStep: { key: ['digest'], columns: ['personId', 'missing', 'expiresAt'], isLogged: false },
  secondFactorOffer: { key: ['personId'], columns: ['holder', 'sealedSecret', 'expiresAt'], isLogged: false },
  signOnAttempt: { key: ['digest'], columns: ['returnTo', 'earlierSession', 'endsAt'], isLogged: false },
  delegation: {
    key: ['id'],
    columns: ['organizationId', 'signerNpi', 'delegateNpi', 'startsAt', 'endsAt', 'createdAt', 'endedAt'],
    isCounted: true,
    isLogged: true,
  },
  subscription: {
    key: ['id'],
    columns: [
      'organizationId',
      'sealedUrl',
      'sealedDescription',
      'sealedSecret',
      'sealedNextSecret',
      'nextSecretAt',
      'isActive',
      'createdAt',
      'updatedAt',
      'deletedAt',
    ],
    free: { finding: 'is what the service observed about the receiver, and only delays deliveries' },
    isCounted: true,
    isLogged: true,
  },
} as const satisfies { [T in keyof Schema]?: AuthenticatedTable<T> }

export type AuthenticatedName = keyof typeof AUTHENTICATED
export const AUTHENTICATED_NAMES = Object.keys(AUTHENTICATED) as AuthenticatedName[]

/** The same with its names as plain texts. */
export const authenticated = (table: AuthenticatedName): AuthenticatedTable<never> & TableNames =>
  AUTHENTICATED[table] as AuthenticatedTable<never> & TableNames

interface TableNames {
  key: readonly string[]
  columns: readonly string[]
}

export const isAuthenticated = (table: string): table is AuthenticatedName => Object.hasOwn(AUTHENTICATED, table)

/** Any row, by column. */
export type AnyRow = Readonly<Record<string, unknown>>
export type StoredRow<T extends AuthenticatedName> = Selectable<Schema[T]>

/** How a row is named in logs. An identity is named by a digest, because its provider may know the person by an address. */
export function rowId(table: AuthenticatedName, row: AnyRow): string {
  const parts = authenticated(table).key.map((name) => String(row[name]))
  return table === 'identity'
    ? createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
    : parts.join('/')
}

/** Tables that are not authenticated, with the reason. Together with those above they are all tables of the store. */
export const NOT_AUTHENTICATED: Readonly<Record<string, string>> = {
  attempt: 'is the delivery log: it grants nothing',
  audit: 'is chained under a key of its own',
  delivery: 'has a MAC over its event, organization, and subscription: see `delivery/genuine.ts`',
  document: 'is encrypted and bound to its task',
  document_type: 'is a catalog that all senders read; it grants nothing',
  event: 'is encrypted and bound to its id and organization',
  inbox_request: 'says that a task waits; what it shows is encrypted',
  instance: 'is shown to people, and decides nothing',
  keepsake: 'is encrypted and bound to its name',
  key_rate: 'only slows a sender down',
  key_use: 'is counted and shown to people, and decides nothing',
  known_device: 'opens nothing: a known device is only not slowed down by strangers',
  notice_setting: 'is where e-mails go that name no patient and open nothing',
  owed_notice: 'only makes an e-mail due',
  patient: 'is encrypted and bound to its sender',
  patient_alias: 'is an index of encrypted rows',
  probe: 'stays empty',
  recovery_code: 'is a digest under a key of the store, bound to its person',
  saved_document: 'is an index of tasks',
  saved_signature: 'is encrypted and bound to its provider',
  sign_in_tries: 'only slows sign-ins down',
  task: 'names whose it is in its encrypted texts, which are compared: see `decisiveColumns`',
  task_term: 'is an index of encrypted rows',
  template: 'has its texts encrypted; it grants nothing',
  template_sample: 'is encrypted and bound to its template',
  unnamed_object: 'only names what is to be removed',
  work_count: 'is counted by triggers and shown to people',
}
