/** A bucket as the store uses it: what fails is tried again for a bounded time, and then refused, as for the database. */
import { randomBytes } from 'node:crypto'
import { systemClock } from '../../../lib/clock.ts'
import type { BucketPlace } from '../../domain/bucket-place.ts'
import { createPatience, type Patience } from '../sql/patience.ts'
import type { Bucket } from './bucket.ts'
import { s3Bucket } from './s3.ts'
import { startProblem } from './start-problem.ts'

export interface OpenBucket {
  /** Its failures are refusals to come again later. */
  bucket: Bucket
  /** Resolves unless it is known to be away, or does not answer now. */
  ping(): Promise<void>
  /** Whether it takes, gives and removes objects. Rejects with a sentence for the operator. */
  check(): Promise<void>
  onOutage: Patience['onOutage']
}

export function openBucket(place: BucketPlace): OpenBucket {
  const plain = s3Bucket(place)
  const { patiently, onOutage, isAway } = createPatience(systemClock, Math.random, 'The object storage')
  return {
    bucket: {
      put: (name, bytes) => patiently(() => plain.put(name, bytes)),
      get: (name, bytes) => patiently(() => plain.get(name, bytes)),
      has: (name) => patiently(() => plain.has(name)),
      remove: (name) => patiently(() => plain.remove(name)),
      close: plain.close,
    },
    ping: async () => (isAway() ? patiently(() => probe(plain)) : undefined),
    check: () =>
      probe(plain).catch((failure: unknown) => {
        throw startProblem(failure, place)
      }),
    onOutage,
  }
}

/** Only what was written, read and removed shows that all of it can be done. */
async function probe(bucket: Bucket): Promise<void> {
  const name = `probe-${randomBytes(8).toString('hex')}`
  const bytes = randomBytes(16)
  await bucket.put(name, bytes)
  const found = await bucket.get(name, bytes.length)
  await bucket.remove(name)
  // Without the right to list, a missing object is answered with 403, which would look like an outage.
  const left = await bucket.get(name, bytes.length)
  if (left || !found?.equals(bytes))
    throw new Error('An object that was just put into the bucket is not what it was, or was not removed.')
}
