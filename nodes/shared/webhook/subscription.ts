/**
 * The subscription that a webhook node keeps at the service: made once, found again after restarts, moved when the URL changes,
 * ended when the node is deleted. The service shows its secret only once, so the journal keeps it; the flow never holds it.
 */
import type { Client } from '../../../lib/client/client.ts'
import { RefusedError } from '../../../lib/client/errors.ts'
import type { Subscription, UpdateSubscription } from '../../../lib/contract/subscription.ts'
import type { Journal } from '../../../lib/journal/journal.ts'
import type { ServiceNode } from '../service/connection.ts'

/** The part of the journal that holds subscriptions, by the id of their node. */
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
  /** The id of the node, which tells its subscription from all others, here and at the service. */
  owner: string
}

export interface Wanted extends SubscriptionPlace {
  /** Where the service calls. */
  url: string
  /** Aborted when the node closes. */
  signal: AbortSignal
}

/** How many older secrets are still accepted. */
const OLD_SECRETS = 2

/** Makes or finds the subscription. Returns the secrets that verify its deliveries, the newest first. */
export async function keepSubscription({ client, journal, owner, url, signal }: Wanted): Promise<string[]> {
  const description = descriptionOf(owner)
  const listed = await client.listSubscriptions({}, { signal })
  const kept = await journal.get<Kept>(owner)
  const found = kept && listed.find(({ id }) => id === kept.id)
  if (kept && found) {
    const body = differing(found, url)
    // Only what differs: to a service, a value that is there already may be more than nothing, and cost what waits.
    if (body) await client.updateSubscription({ params: { id: kept.id }, body }, { signal })
    if (kept.url !== url) await journal.set(owner, { ...kept, url })
    return kept.secrets
  }

  const made = await client.createSubscription({ body: { url, description } }, { signal })
  const secrets = [made.secret, ...(kept?.secrets ?? [])].slice(0, 1 + OLD_SECRETS)
  await journal.set(owner, { id: made.id, url, secrets } satisfies Kept)
  // This node made them in calls whose answers were lost, so no one knows their secrets. A copy of this flow in another Node-RED
  // has the same description but another address, and keeps its subscription.
  const orphans = listed.filter((other) => other.description === description && other.url === url)
  for (const { id } of orphans) await client.deleteSubscription({ params: { id } }, { signal })
  return secrets
}

/** Returns the secrets that verify the deliveries of a subscription now, the newest first. */
export const keptSecrets = async ({ journal, owner }: SubscriptionPlace): Promise<string[]> =>
  (await journal.get<Kept>(owner))?.secrets ?? []

/** Returns the change that a subscription needs; undefined when it needs none. */
function differing(found: Subscription, url: string): UpdateSubscription | undefined {
  const body = { ...(found.url !== url && { url }), ...(!found.isActive && { active: true }) }
  return Object.keys(body).length > 0 ? body : undefined
}

/**
 * Ends the subscription. Rejects when the service cannot be reached; the journal then keeps it, and `endLeftBehind` ends it
 * later.
 */
export async function endSubscription(
  { client, journal, owner }: SubscriptionPlace,
  signal?: AbortSignal,
): Promise<void> {
  const kept = await journal.get<Kept>(owner)
  if (!kept) return
  await client.deleteSubscription({ params: { id: kept.id } }, signal && { signal }).catch((failure) => {
    // It was ended at the service already.
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

/** Operators of the service see it. It names the node, and no patient. */
const descriptionOf = (owner: string) => `Node-RED webhook in ${owner}`
