/** The names in a sealed document: that of the seal, and that of the signer, which is in the field of the seal and is covered by it. */
import { textBytes } from '../file/text-bytes.ts'
import { type Dictionary, entryOf } from '../file/value.ts'

/** Anyone may sign in a sandbox, so its seal has a name of its own: it must not pass for the seal of a service. */
export const SEAL_SUBJECT = 'Countersign document seal'
export const SANDBOX_SUBJECT = 'Countersign sandbox seal (TEST: not a legal signature)'

export interface NamedPerson {
  /** The name as the service wrote it into the seal. */
  name: string
  /** Ten digits. */
  npi: string
}

export interface NamedSigner extends NamedPerson {
  /** The signer whose document it was, where a delegate signed. */
  onBehalfOf: NamedPerson | null
  /** Signed in a sandbox: no legal signature. */
  isTest: boolean
}

/** The entries of the field that name the signer. */
export const signerEntries = {
  name: 'CountersignSigner',
  npi: 'CountersignNPI',
  ownerName: 'CountersignOnBehalfOf',
  ownerNpi: 'CountersignOnBehalfOfNPI',
  isTest: 'CountersignTest',
} as const

/**
 * Returns null for seals that name no one. To be believed only where the seal is ours and valid.
 * @param bytes what the places of the field refer to
 */
export function namedSigner(field: Dictionary, bytes: Buffer): NamedSigner | null {
  const textOf = (key: string) => {
    const text = entryOf(field, key)
    return text?.kind === 'text' ? textBytes(bytes, text).subarray(2).swap16().toString('utf16le') : null
  }
  const person = (nameKey: string, npiKey: string): NamedPerson | null => {
    const [name, npi] = [textOf(nameKey), textOf(npiKey)]
    return name && npi ? { name, npi } : null
  }
  const signer = person(signerEntries.name, signerEntries.npi)
  const onBehalfOf = person(signerEntries.ownerName, signerEntries.ownerNpi)
  const test = entryOf(field, signerEntries.isTest)
  return signer && { ...signer, onBehalfOf, isTest: test?.kind === 'boolean' && test.value }
}
