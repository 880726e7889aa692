/**
 * The subscription a webhook node keeps at the service: made once, found again after restarts, moved when the URL changes, ended
 * when the node is removed. Its secret is shown only once by the service, so it is kept in the node's own store and never in the flow.
 */
import type Keyv from 'keyv'
import type { Client } from '../../lib/client/client.ts'

interface Kept {
  id: number
  url: string
  /** The newest first; older ones still verify deliveries that were signed before a change. */
  secrets: string[]
}

export interface Wanted {
  client: Client
  store: Keyv
  /** Distinguishes this node's subscriptions from all others, here and at the service. */
  owner: string
  url: string
  /** Aborted when the node has to go. */
  signal: AbortSignal
}

/** How many older secrets are still accepted. */
const OLD_SECRETS = 2

/** Makes or finds the subscription and gives the secrets that verify its deliveries. */
export async function keepSubscription({ client, store, owner, url, signal }: Wanted): Promise<string[]> {
  const description = describe(owner)
  const listed = await client.listSubscriptions({}, { signal })
  const kept: Kept | undefined = await store.get(owner)
  const found = kept && listed.find(({ id }) => id === kept.id)
  if (kept && found) {
    if (found.url !== url || !found.isActive)
      await client.updateSubscription({ params: { id: kept.id }, body: { url, active: true } }, { signal })
    if (kept.url !== url) await store.set(owner, { ...kept, url })
    return kept.secrets
  }

  const made = await client.createSubscription({ body: { url, description } }, { signal })
  const secrets = [made.secret, ...(kept?.secrets ?? [])].slice(0, 1 + OLD_SECRETS)
  await store.set(owner, { id: made.id, url, secrets } satisfies Kept)
  // Made by this node in a call whose answer was lost, so nobody knows their secrets. Another Node-RED with a copy of this flow
  // uses the same description for another address: that one is its own.
  const orphans = listed.filter((other) => other.description === description && other.url === url)
  for (const { id } of orphans) await client.deleteSubscription({ params: { id } }, { signal })
  return secrets
}

/** Ends the subscription. Rejects when the service cannot be reached; the operator then ends it at the service. */
export async function endSubscription({ client, store, owner }: Omit<Wanted, 'url' | 'signal'>): Promise<void> {
  const kept: Kept | undefined = await store.get(owner)
  if (!kept) return
  await client.deleteSubscription({ params: { id: kept.id } })
  await store.delete(owner)
}

/** The service shows it to operators; it names the node and no patient. */
const describe = (owner: string) => `Node-RED webhook in ${owner}`
