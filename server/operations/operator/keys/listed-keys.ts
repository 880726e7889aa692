/** Keys of senders as they are listed, with the requests of the last days. */
import { KEY_USE_DAYS } from '../../../choices.ts'
import { dayOf } from '../../../store/directory/key-use.ts'
import type { ListedKey } from '../messages/keys.ts'
import { type OperatorContext, reaches } from '../operator-context.ts'

/** Returns the keys within the reach of the caller, without their digests. */
export async function listedKeys(context: OperatorContext): Promise<ListedKey[]> {
  const { store, keyring, at } = context
  await keyring.writeUse()
  const used = new Map((await store.keyUse.since(at)).map(({ keyId, day, requests }) => [`${keyId} ${day}`, requests]))
  const days = Array.from({ length: KEY_USE_DAYS }, (_, n) =>
    dayOf(new Date(at.getTime() - (KEY_USE_DAYS - 1 - n) * DAY_MS)),
  )
  return (await store.keys.list())
    .filter(({ organizationId }) => reaches(context, organizationId))
    .map(({ digest, mac, ...key }) => ({
      ...key,
      requests: days.map((day) => ({ day, count: used.get(`${key.keyId} ${day}`) ?? 0 })),
    }))
}

const DAY_MS = 24 * 60 * 60 * 1000
