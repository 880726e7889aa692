/** The bucket as the rest of the service sees it: whether it does its part, and what is to be removed from it. */
import type { OpenBucket } from '../bucket/open-bucket.ts'
import type { StoreContext } from '../context.ts'
import { unnamedObjects } from './unnamed-objects.ts'

export type Objects = ReturnType<typeof objects>

export const objects = (context: StoreContext, { bucket, ping, check, onOutage }: OpenBucket) => ({
  ...unnamedObjects(context, bucket),
  ping,
  check,
  onOutage,
})

/** Whether documents are kept in a bucket, by what the database names. */
export async function areNamed({ db }: StoreContext): Promise<boolean> {
  const named = db.selectFrom('document').select('object').where('object', 'is not', null).limit(1)
  return (await named.executeTakeFirst()) !== undefined
}
