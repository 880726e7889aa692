/** Keys for seals that never leave a device or another service: how they are named, and why they do not sign. Pure. */
import { isLoopbackHost } from './delivery/target.ts'

export type ExternalKeyPlace =
  | {
      kind: 'pkcs11'
      /** Path of the library that speaks to the device. */
      module: string
      token: string
      /** The id of the key, hexadecimal. */
      id: string
    }
  | { kind: 'aws'; arn: string; region: string; endpoint: URL }
  | { kind: 'google'; name: string; endpoint: URL }

/** The forms that are right, for errors. */
export const EXTERNAL_KEY_FORM =
  'pkcs11:token=TOKEN;id=%01?module-path=FILE, awskms:///KEY-ARN, or gcpkms://projects/…/cryptoKeyVersions/NUMBER'

/**
 * Reads the address of a key: a PKCS #11 URI (RFC 7512), or the address of a key in AWS KMS or Google Cloud KMS as other programs write
 * them, with `?endpoint=URL` for another endpoint. Null when it is none of these.
 */
export function externalKeyIn(text: string): ExternalKeyPlace | null {
  try {
    return text.startsWith('pkcs11:') ? pkcs11In(text.slice('pkcs11:'.length)) : kmsIn(text)
  } catch {
    // A part is not percent-encoded as it should be.
    return null
  }
}

function pkcs11In(text: string): ExternalKeyPlace | null {
  const [path = '', query = ''] = text.split('?')
  const parts = attributesIn(path, ';')
  const { 'module-path': module, ...more } = Object.fromEntries(attributesIn(query, '&') ?? [])
  if (!parts || !module || Object.keys(more).length > 0) return null
  // A key is named by its id alone: pkcs11-tool finds none by its label.
  const { token, id, type = 'private', ...others } = Object.fromEntries(parts)
  if (!token || !id || type !== 'private' || Object.keys(others).length > 0) return null
  return { kind: 'pkcs11', module, token, id }
}

/** Null when an attribute comes twice or has no value, which could mean another key. */
function attributesIn(text: string, separator: string): Map<string, string> | null {
  const attributes = new Map<string, string>()
  for (const part of text.split(separator)) {
    const [, name, value] = /^([a-z0-9-]+)=([^=]+)$/.exec(part) ?? []
    if (!name || !value || attributes.has(name)) return null
    if (name === 'id' && !/^(%[0-9a-f]{2})+$/i.test(value)) return null
    attributes.set(name, name === 'id' ? value.replaceAll('%', '').toLowerCase() : decodeURIComponent(value))
  }
  return attributes
}

const ARN = /^awskms:\/\/\/(arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:(?:key|alias)\/[\w/-]+)$/
const GOOGLE =
  /^gcpkms:\/\/(projects\/[\w.:-]+\/locations\/[\w-]+\/keyRings\/[\w-]+\/cryptoKeys\/[\w-]+\/cryptoKeyVersions\/\d+)$/

function kmsIn(text: string): ExternalKeyPlace | null {
  const [address = '', given] = text.split('?endpoint=')
  const endpoint = given === undefined ? undefined : endpointIn(given)
  if (endpoint === null) return null
  const [, arn, region] = ARN.exec(address) ?? []
  if (arn && region) {
    const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
    return { kind: 'aws', arn, region, endpoint: endpoint ?? new URL(`https://kms.${region}.${suffix}`) }
  }
  const name = GOOGLE.exec(address)?.[1]
  return name ? { kind: 'google', name, endpoint: endpoint ?? new URL('https://cloudkms.googleapis.com') } : null
}

/** https, or http on this machine; an origin alone. */
function endpointIn(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
  return isSafe && url.href === `${url.origin}/` ? url : null
}

/** Returns whether a secret has the form that the key needs. */
export function isSecretOf(place: ExternalKeyPlace, secret: string): boolean {
  if (place.kind === 'aws') return /^[A-Z0-9]{16,128}:[A-Za-z0-9/+=]{16,}$/.test(secret)
  return place.kind === 'google' ? serviceAccountIn(secret) !== null : /^[\x20-\x7e]+$/.test(secret)
}

export const SECRET_FORMS: Readonly<Record<ExternalKeyPlace['kind'], string>> = {
  pkcs11: 'the PIN of the token',
  aws: 'KEY-ID:SECRET of an access key',
  google: 'the JSON of a service account',
}

/** As much of the JSON of a service account of Google as signing takes. */
export interface ServiceAccount {
  client_email: string
  private_key: string
  private_key_id: string
}

/** Null when it is none. */
export function serviceAccountIn(json: string): ServiceAccount | null {
  try {
    const { client_email, private_key, private_key_id } = JSON.parse(json) as Partial<ServiceAccount>
    if (typeof client_email !== 'string' || typeof private_key !== 'string') return null
    return typeof private_key_id === 'string' ? { client_email, private_key, private_key_id } : null
  } catch {
    return null
  }
}

/** Why a key did not sign; completes "the key that seals documents …". */
export const keyProblems = {
  away: 'could not be reached',
  untrustedHost: 'is at a host whose TLS certificate this service does not trust',
  blocked: 'is at an address that may not be called',
  tooSlow: 'did not sign in time',
  refused: 'was not used, because the device or service that holds it refused',
  unreadable: 'is held by a device or service that gave an answer without a signature',
  anotherKey: 'is not the one of the seal certificate',
} as const
export type KeyProblem = keyof typeof keyProblems

/** A key that signs elsewhere. */
export interface KeySigner {
  /** The certificate of the key, in PEM. */
  certificatePem: string
  privateKeyPem: null
  /** Returns the signature of the bytes with SHA-256; of an EC key in DER. Never rejects. */
  sign(bytes: Uint8Array): Promise<KeySigned>
}

export type KeySigned = { signature: Uint8Array } | { problem: KeyProblem }
