/** The input for completing a document, as the service passes it to the PDF workers. Plain values only. */
import type { Field } from '../../lib/pdf/placement/placement.ts'
import type { Preparation } from '../../lib/pdf/prepare/preparation.ts'
import type { ExternalKey, SealKey } from '../../lib/pdf/seal/seal-key.ts'

/** Why an accepted document was not sealed, where the cause must be a fault of ours and not of its sender. */
export type NotSealed = 'unlikeShown' | 'sealInvalid'

/** The stamps on the pages: drawn as a preview while the signer fills them in, and into the sealed document at the end. */
export interface Ink {
  fields: readonly Field[]
  /** The signer's entries, by index into fields: the text of a field, or whether its box is checked. */
  values: Readonly<Record<number, string | boolean>>
  signer: {
    name: string
    /** The signer whose document it is, where another person signs. */
    onBehalfOf?: { name: string } | null
  }
  /** Whether the signer has given a signature; without one its fields stay empty. */
  isSigned: boolean
  /** A drawn signature as PNG, or null: the name is typed. */
  signatureImage: Uint8Array | null
  /** ISO 8601, UTC. The ink shows the day alone, so that it stays as it was previewed. choice: Preview of the ink */
  signedAt: string
  /** Time zone of the signer, an IANA name: the signature shows the date in it. */
  timeZone: string
}

export interface Completion extends Ink {
  /** Where the signature goes: into its fields, or onto the certificate page where the pages have none. */
  signature: 'inFields' | 'onCertificate' | 'notGiven'
  signer: { name: string; npi: string; organization: string | null; onBehalfOf?: { name: string; npi: string } | null }
  /** The digest of the stamped document that the signer saw last, hexadecimal; omitted for signers who look at no preview. */
  previewedSha256?: string | undefined
  certificate: {
    taskId: number
    documentId: number
    /** SHA-256 of the document as received, hexadecimal. */
    receivedSha256: string
    documentType: string
    sender: {
      name: string
      npi: string | null
      /** The id by which the sender knows the document. */
      documentId: string
    }
    /** Null where the page is not to name the patient. */
    patient: { name: string; birthDate: string; mrn: string | null } | null
    /** ISO 8601, UTC, like all times here. */
    receivedAt: string
    /** When the signer first opened it; null where no one did. */
    shownAt: string | null
    circumstances: {
      /** In words: by what it is known who signed. Null where it is not known. */
      authentication: string | null
      /** Network address. */
      address: string | null
      /** The device as the browser names itself. */
      device: string | null
      /** The text that the signer agreed to. */
      consent: { version: string; text: string } | null
    }
    /** The changes made to the document before it was shown. */
    preparations: readonly Preparation[]
    events: readonly { eventId: string; status: string; at: string }[]
    /** A sandbox document says on its certificate page that it is no legal signature. */
    isTest: boolean
  }
  seal: SealKey | ExternalKey
  /** The timestamp to request; null where the service requests none. */
  timestamp: {
    /** The authority as the certificate page names it. */
    authority: string
    /** The nonce of the query; null where the page is to say that there is no timestamp. */
    nonce: Uint8Array | null
  } | null
}

/** The bytes that the key signs, and what `addSignature` needs to add the signature to the document. */
export interface ToSign {
  /** Signed with SHA-256. */
  bytes: Uint8Array
  /** Object number of the signature dictionary. */
  placeholder: number
}

/** The signature that a key elsewhere has made, with what was to be signed. */
export interface Signature {
  placeholder: number
  /** Of the bytes that were to be signed: of an EC key in DER, as it is of an RSA key. */
  signature: Uint8Array
  certificatePem: string
  timestamp: Completion['timestamp']
}
