/** Describes a bucket's error in a sentence for the operator that names the setting to look at, and no secret. */
import { isCertificate } from '../../../lib/client/answers/no-answer.ts'
import type { BucketPlace } from '../../domain/bucket-place.ts'
import { Passing } from '../sql/faults.ts'

export function startProblem(failure: unknown, { endpoint, bucket, keyId }: BucketPlace): unknown {
  if (!(failure instanceof Passing)) return failure
  const { host } = new URL(endpoint)
  return new Error(`${sentence(failure.code, host, bucket, keyId)} (${failure.code})`)
}

function sentence(code: string, host: string, bucket: string, keyId: string): string {
  if (code === 'NoSuchBucket') return `There is no bucket ${bucket} at ${host}. Make it, or correct --documents.`
  if (code === 'InvalidAccessKeyId')
    return `${host} does not know the key ${keyId}. Correct --documents-key-id, or --documents-endpoint.`
  if (code === 'SignatureDoesNotMatch')
    return `${host} refuses the secret of the key ${keyId}. Give the right one in COUNTERSIGN_DOCUMENTS_SECRET or --documents-secret-file.`
  if (code === 'AccessDenied')
    return `${host} does not let the key ${keyId} put, get and delete objects under --documents. Allow it s3:PutObject, s3:GetObject and s3:DeleteObject there, and s3:ListBucket.`
  if (code === 'RequestTimeTooSkewed')
    return `The clock of this machine differs too much from that of ${host}. Set it right.`
  if (isCertificate(code))
    return `The certificate of ${host} is not trusted. Give the PEM of who vouches for it in --documents-ca.`
  if (/^[A-Z]/.test(code) && /[a-z]/.test(code))
    return `${host} refuses what it is asked. Look at --documents, --documents-endpoint and --documents-region.`
  return `The object storage at ${host} does not answer. Start it, or correct --documents-endpoint.`
}
