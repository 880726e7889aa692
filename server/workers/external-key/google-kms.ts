/**
 * Signs by a key in Google Cloud Key Management Service: `asymmetricSign`, as a service account that may do
 * `cloudkms.cryptoKeyVersions.useToSign`. The account signs its own token, as Google's interfaces take it (AIP-4111), so that one request
 * is enough.
 */
import { importPKCS8, SignJWT } from 'jose'
import { type ExternalKeyPlace, type KeySigned, serviceAccountIn } from '../../domain/external-key.ts'
import { postOnce, type Way } from '../post-once.ts'
import type { ToBeSigned } from './key-signer.ts'
import { signatureIn } from './signature-in.ts'

const MAX_ANSWER_BYTES = 16 * 1024
const TOKEN_LIFE_MS = 5 * 60 * 1000
const AUDIENCE = 'https://cloudkms.googleapis.com/'

export async function signByGoogle(
  { name, endpoint }: Extract<ExternalKeyPlace, { kind: 'google' }>,
  secret: string,
  { digest, at }: ToBeSigned,
  way: Way,
): Promise<KeySigned> {
  const post = {
    url: new URL(`/v1/${name}:asymmetricSign`, endpoint),
    headers: { Authorization: `Bearer ${await tokenOf(secret, at)}`, 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify({ digest: { sha256: digest.toString('base64') } })),
    maxAnswerBytes: MAX_ANSWER_BYTES,
  }
  return signatureIn(await postOnce(post, way), 'signature')
}

async function tokenOf(secret: string, at: Date): Promise<string> {
  const account = serviceAccountIn(secret)
  if (!account) throw new Error('This is not the JSON of a service account')
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256', kid: account.private_key_id })
    .setIssuer(account.client_email)
    .setSubject(account.client_email)
    .setAudience(AUDIENCE)
    .setIssuedAt(at)
    .setExpirationTime(new Date(at.getTime() + TOKEN_LIFE_MS))
    .sign(await importPKCS8(account.private_key, 'RS256'))
}
