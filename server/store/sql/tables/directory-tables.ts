/** Organizations, and who and what belongs to them: keys, providers, document types, templates, people. */
import type { ColumnType, Generated } from 'kysely'
import type { DocumentRule } from '../../../../lib/pdf/plain/document-rules.ts'
import type { Treatment } from '../../../../lib/pdf/prepare/active-content.ts'
import type { SignInMeans } from '../../../domain/sign-in-means.ts'
import type { SignatureRule } from '../../../domain/task/signature-place.ts'
import type { Sealed } from '../../sealing/cipher.ts'
import type { Flag } from '../flag.ts'

export interface DirectoryTables {
  organization: {
    id: Generated<number>
    name: string
    npi: string | null
    /** JSON: Address[] */
    addresses: string
    /** Whether the organization may send documents. spec: What the service does › Prerequisites */
    ingestionEnabled: Flag
    /** The treatment of active content in the documents that the organization sends. */
    javascript: Generated<Treatment>
    openAction: Generated<Treatment>
    embeddedFiles: Generated<Treatment>
    /** Whether the text of tokens in its documents is covered when they are signed. */
    coversTokens: Generated<Flag>
    /** The treatment of documents that it sends without a signature field. */
    signatureRule: Generated<SignatureRule>
    /** Whether its signers may let a colleague sign for them. */
    allowsDelegation: Generated<Flag>
    /** The IANA name of the time zone by which its dates are judged; null for that of the service. */
    timeZone: Generated<string | null>
    /** How documents that it sends are treated, depending on whether they are plain. */
    documents: Generated<DocumentRule>
    /** While it is not, its keys are refused, and no task is routed to it. */
    isActive: Generated<Flag>
    createdAt: string
    /** See `store/rows`. */
    mac: string
  }
  apiKey: KeyTable<number> & {
    /** The person whose key it is; null where no one said. */
    personName: string | null
  }
  /** Keys of the operator's interface; without an organization it is an operator's, else an administrator's. */
  operatorKey: KeyTable<number | null> & {
    /** Scopes as in `OperatorScope`, separated by blanks. */
    scopes: Generated<string>
  }
  provider: {
    npi: string
    firstName: string
    lastName: string
    signingName: string
    isActive: Flag
    /** JSON: what a demo signer does by itself; null for a person. */
    script: string | null
    mac: string
  }
  /** Position 0 is the primary organization. */
  providerOrganization: { npi: string; organizationId: number; position: number; isActive: Flag; mac: string }
  documentType: { id: Generated<number>; name: string; category: string }
  template: {
    id: Generated<number>
    organizationId: number
    /** JSON: TemplateTexts, all that people wrote. */
    sealed: Sealed
    diagnosisCodeAllowed: Flag
    diagnosisCodeRequired: Flag
    pdfRequired: Flag
    isCustom: Flag
    daysBefore: number | null
    daysAfter: number | null
    /** The rule as of an organization; null: as its organization has it. */
    signatureRule: SignatureRule | null
    coversTokens: Flag | null
    /** Since when no new task may use it; null while it is offered. */
    retiredAt: string | null
  }
  /** Apart from the template, so that no list ever loads a PDF. */
  templateSample: { templateId: number; sealed: Sealed }
  /** Who may sign in to the pages. */
  person: {
    id: Generated<number>
    /** In lower case. Of a removed account a text that is no address, so that the address is free for another account. */
    email: string
    name: string
    role: PersonRole
    /** Set for signers: the provider who signs. */
    npi: string | null
    /** Set for administrators: the organization that is administered. */
    organizationId: number | null
    /** The hash made by scrypt; null when no one can sign in with a password, as with the people of the demo. */
    passwordHash: string | null
    /** Whether a second factor is asked for, also where its row is missing. */
    hasSecondFactor: Generated<Flag>
    createdAt: string
    /** Since when the person may not sign in; null while they may. */
    disabledAt: string | null
    /** When the account ended permanently. */
    removedAt: string | null
    /** The address that a removed account had. */
    removedEmail: string | null
    /** Null until they sign in. */
    lastSignInAt: ColumnType<string | null, string | undefined, string | null>
    mac: string
  }
  session: {
    /** SHA-256 of the session id, hexadecimal. */
    digest: string
    personId: number
    seenAt: string
    expiresAt: string
    /** URL of the provider through which the person came; null with a password. */
    issuer: string | null
    means: SignInMeans
    mac: string
  }
}

/** A key is kept as its digest. */
export interface KeyTable<OrganizationId> {
  keyId: string
  organizationId: OrganizationId
  mode: 'test' | 'live'
  /** SHA-256 of the whole key, hexadecimal. */
  digest: string
  last4: string
  description: string
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  mac: string
}

export type PersonRole = 'signer' | 'administrator' | 'operator'
