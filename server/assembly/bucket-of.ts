/** The bucket for documents, as the settings have it. */
import type { Settings } from '../config.ts'
import { type BucketPlace, bucketIn } from '../domain/bucket-place.ts'
import { proxyOf } from '../domain/proxy-place.ts'

export type BucketSettings = Pick<
  Settings,
  | 'documents'
  | 'documentsEndpoint'
  | 'documentsRegion'
  | 'documentsKeyId'
  | 'documentsSecret'
  | 'documentsCa'
  | 'proxy'
  | 'proxyPassword'
  | 'proxyBypass'
  | 'proxyResolves'
>

/** Undefined where all documents are kept in the database. The settings have been found to be whole. */
export function bucketOf(settings: BucketSettings): BucketPlace | undefined {
  const { documents = '', documentsEndpoint, documentsRegion: region, documentsKeyId, documentsSecret } = settings
  const place = bucketIn(documents)
  if (!place || !documentsEndpoint || !documentsKeyId || !documentsSecret) return undefined
  const { documentsCa: ca } = settings
  const proxy = proxyOf(settings)
  return { ...place, endpoint: documentsEndpoint, region, keyId: documentsKeyId, secret: documentsSecret, ca, proxy }
}
