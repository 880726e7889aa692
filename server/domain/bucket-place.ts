/** Where a bucket for documents is, and with whose key it is used. */
import type { ProxyPlace } from './proxy-place.ts'

export interface BucketPlace {
  /** https, or http on this machine; without a path. */
  endpoint: string
  bucket: string
  /** The prefix of each name; may be empty. */
  prefix: string
  region: string
  keyId: string
  secret: string
  /** PEM of authorities that vouch for the host, besides those of Node.js. */
  ca?: string | undefined
  /** Through which the host is called, unless it is called directly. */
  proxy?: ProxyPlace | undefined
}

/** Where documents are put from now on; others are found where they are. */
export type DocumentsPlace = 'bucket' | 'database'

/** Reads `s3://BUCKET/PREFIX`; null when it is nothing of the kind. */
export function bucketIn(text: string): Pick<BucketPlace, 'bucket' | 'prefix'> | null {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-]+)*)\/?$/.exec(text) ?? []
  return bucket === undefined ? null : { bucket, prefix: path === '' ? '' : `${path.slice(1)}/` }
}
