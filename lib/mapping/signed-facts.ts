/** Who signed a document and when, as far as it is known: from its verified seal, or from the event that reported it. Pure. */
import * as z from 'zod'
import type { SealedPerson, Signature } from '../pdf/read-signature.ts'

/** Facts about a signature that a result may use. */
export interface SignatureGiven {
  /** The answer of `readSignature`; optional, for services whose seals cannot be verified. */
  signature?: Signature | null | undefined
  /** The time of the event that reported the signature, ISO 8601; optional. It counts where no seal is verified. */
  occurredAtUtc?: string | null | undefined
}

/** An unknown fact is null, and its field in the result remains empty. */
export interface SignedFacts {
  signer: SealedPerson | null
  onBehalfOf: SealedPerson | null
  at: Date | null
}

/** Returns the facts. The person is known by a verified seal alone: an order names who was asked, and a delegate may have signed. */
export function signedFacts({ signature, occurredAtUtc }: SignatureGiven): SignedFacts {
  if (signature?.verdict !== 'valid') return { signer: null, onBehalfOf: null, at: timeOf(occurredAtUtc) }
  const { signer, onBehalfOf, signedAt } = signature
  return { signer, onBehalfOf, at: timeOf(signedAt) }
}

/** Returns why no result is made of a document; empty when there is no reason. */
export const signatureProblems = ({ signature }: SignatureGiven): string[] =>
  signature?.verdict === 'changed'
    ? ['signature.verdict: changed; the PDF is not as it was signed. Fetch it again, or find out who changed it']
    : []

const timeOf = (text: string | null | undefined): Date | null => {
  const time = new Date(text ?? Number.NaN)
  return Number.isNaN(time.getTime()) ? null : time
}

const Person = z.object({ name: z.string(), npi: z.string() })

/** A `Signature` as a message carries it. */
export const CarriedSignature: z.ZodType<Signature> = z.object({
  verdict: z.enum(['valid', 'changed', 'unknown', 'none']),
  signer: Person.nullable(),
  onBehalfOf: Person.nullable(),
  signedAt: z.string().nullable(),
  timestamp: z.object({ at: z.string(), authority: z.string(), isTrusted: z.boolean() }).nullable(),
  isTest: z.boolean(),
})
