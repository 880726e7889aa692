/** Reads who signed a PDF, and when, from its seal. Answers from what the seal covers alone, and never from the clock. */
import type { Outcome } from './seal/verify.ts'

/** A person as a seal names them. */
export interface SealedPerson {
  /** The name as the seal writes it. */
  name: string
  /** The National Provider Identifier. */
  npi: string
}

/** The facts in the seal of a PDF. Everything but the verdict is null, or false, unless the verdict is `valid`. */
export interface Signature {
  /**
   * `valid`: sealed with one of the certificates, and unchanged since. `changed`: the file is not as it was signed. `unknown`: signed
   * with another certificate, or in a way that cannot be checked. `none`: not signed.
   */
  verdict: 'valid' | 'changed' | 'unknown' | 'none'
  /** Who signed; null in seals that do not name the signer. */
  signer: SealedPerson | null
  /** The signer whose document it was, where a delegate signed. */
  onBehalfOf: SealedPerson | null
  /** When it was signed, by the clock of the service; ISO 8601, in UTC. */
  signedAt: string | null
  /** The time stamp of an authority (RFC 3161): when the seal existed already. */
  timestamp: {
    /** ISO 8601, in UTC. */
    at: string
    /** The subject of the certificate of the authority; it may name anyone unless `isTrusted`. */
    authority: string
    /** Whether an authority that Node.js trusts, or one that was given, vouches for it. */
    isTrusted: boolean
  } | null
  /** Whether a sandbox sealed it: not a legal signature. */
  isTest: boolean
}

/** The certificates and settings that a signature is checked against. */
export interface ReadSignatureOptions {
  /** The certificates one of which should have sealed the document, as PEM. Without them, no signature is valid. */
  certificates?: string
  /** The certificates that vouch for time stamps, as PEM; optional, those of Node.js by default. */
  authorities?: string
}

/** Returns what the last seal of a PDF says. Rejects with a TypeError when the certificates are not PEM. */
export async function readSignature(
  pdf: Uint8Array,
  { certificates = '', authorities = '' }: ReadSignatureOptions = {},
): Promise<Signature> {
  // Reads ASN.1, which few users of the library need.
  const [{ verifySealed }, { checkCertificates }] = await Promise.all([
    import('./seal/verify.ts'),
    import('./seal/pem.ts'),
  ])
  checkCertificates(certificates)
  const { outcome, signatures } = verifySealed(pdf, certificates, { authorities })
  const verdict = VERDICTS[outcome]
  const last = verdict === 'valid' ? signatures.at(-1) : undefined
  if (!last) return { verdict, ...NOTHING }
  const { signer, onBehalfOf = null, signedAt, timestamp, isTest } = last
  return { verdict, signer, onBehalfOf, signedAt, timestamp, isTest }
}

const VERDICTS: Readonly<Record<Outcome, Signature['verdict']>> = {
  valid: 'valid',
  changed: 'changed',
  damaged: 'changed',
  signedByUnknown: 'unknown',
  uncheckable: 'unknown',
  notSigned: 'none',
  notPdf: 'none',
}

const NOTHING = { signer: null, onBehalfOf: null, signedAt: null, timestamp: null, isTest: false }
