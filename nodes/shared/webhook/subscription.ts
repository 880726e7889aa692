/**
 * The subscription a webhook node keeps at the service: made once, found again after restarts, moved when the URL changes, ended
 * when the node is removed. Its secret is shown only once by the service, so it is kept in the node's own journal and never in the flow.
 */
import type { Client } from '../../../lib/client/client.ts'
import { RefusedError } from '../../../lib/client/errors.ts'
import type { Journal } from '../../../lib/journal/journal.ts'
import type { ServiceNode } from '../service/connection.ts'

/** The part of the journal where they are, by the ids of their nodes. */
export const SUBSCRIPTIONS = 'subscriptions'

interface Kept {
  id: number
  url: string
  /** The newest first; older ones still verify deliveries that were signed before a change. */
  secrets: string[]
}

/** Where a node's subscription is: at which service, and under which name in which journal. */
export interface SubscriptionPlace {
  client: Client
  journal: Journal
  /** Distinguishes this node's subscriptions from all others, here and at the service. */
  owner: string
}

export interface Wanted extends SubscriptionPlace {
  /** Where the service calls. */
  url: string
  /** Aborted when the node has to go. */
  signal: AbortSignal
}

/** How many older secrets are still accepted. */
const OLD_SECRETS = 2

/** Makes or finds the subscription. Returns the secrets that verify its deliveries, the newest first. */
export async function keepSubscription({ client, journal, owner, url, signal }: Wanted): Promise<string[]> {
  const description = describe(owner)
  const listed = await client.listSubscriptions({}, { signal })
  const kept = await journal.get<Kept>(owner)
  const found = kept && listed.find(({ id }) => id === kept.id)
  if (kept && found) {
    if (found.url !== url || !found.isActive)
      await client.updateSubscription({ params: { id: kept.id }, body: { url, active: true } }, { signal })
    if (kept.url !== url) await journal.set(owner, { ...kept, url })
    return kept.secrets
  }

  const made = await client.createSubscription({ body: { url, description } }, { signal })
  const secrets = [made.secret, ...(kept?.secrets ?? [])].slice(0, 1 + OLD_SECRETS)
  await journal.set(owner, { id: made.id, url, secrets } satisfies Kept)
  // Made by this node in a call whose answer was lost, so nobody knows their secrets. Another Node-RED with a copy of this flow
  // uses the same description for another address: that one is its own.
  const orphans = listed.filter((other) => other.description === description && other.url === url)
  for (const { id } of orphans) await client.deleteSubscription({ params: { id } }, { signal })
  return secrets
}

/**
 * Ends the subscription. Rejects when the service cannot be reached; then it is kept as one to end, and ended with those that
 * were left behind.
 */
export async function endSubscription(
  { client, journal, owner }: SubscriptionPlace,
  signal?: AbortSignal,
): Promise<void> {
  const kept = await journal.get<Kept>(owner)
  if (!kept) return
  await client.deleteSubscription({ params: { id: kept.id } }, signal && { signal }).catch((failure) => {
    // Somebody else ended it at the service.
    if (!(failure instanceof RefusedError) || ![400, 404].includes(failure.status)) throw failure
  })
  await journal.delete(owner)
}

/** Ends the subscriptions whose nodes are gone: deleted while they were disabled, or while the service could not be reached. */
export async function endLeftBehind(service: ServiceNode, isThere: (owner: string) => boolean, signal: AbortSignal) {
  const journal = await service.journal(SUBSCRIPTIONS)
  for await (const [owner] of journal.entries<Kept>()) {
    if (isThere(owner)) continue
    const { client } = await service.connect()
    await endSubscription({ client, journal, owner }, signal)
  }
}

/** The service shows it to operators; it names the node and no patient. */
const describe = (owner: string) => `Node-RED webhook in ${owner}`
