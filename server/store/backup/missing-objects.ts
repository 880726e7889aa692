/** Counts the documents of a backup that are not in the bucket where it says they are. */
import { DatabaseSync } from 'node:sqlite'
import type { BucketPlace } from '../../domain/bucket-place.ts'

const AT_ONCE = 16

/** @param file an SQLite store. Rejects with a sentence when the bucket does not do its part. */
export async function missingObjects(file: string, place: BucketPlace): Promise<number> {
  // Loaded only where there is one.
  const { openBucket } = await import('../bucket/open-bucket.ts')
  const { bucket, check } = openBucket(place)
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    await check()
    const names = source.prepare('SELECT object AS name FROM document WHERE object IS NOT NULL').iterate()
    let missing = 0
    const look = async () => {
      for (const { name } of names) if (!(await bucket.has(name as string))) missing++
    }
    await Promise.all(Array.from({ length: AT_ONCE }, look))
    return missing
  } finally {
    source.close()
    bucket.close()
  }
}
