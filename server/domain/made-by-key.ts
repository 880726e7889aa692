/**
 * Lists what an operator key created, from the audit log: everything that gives access or receives data, and would outlive the
 * key. Pure.
 */
import type { AuditAction, AuditRow } from './audit.ts'

export interface MadeByKey {
  kind: 'account' | 'password' | 'key' | 'organization' | 'provider' | 'subscription' | 'notices'
  /** The id of the account, key, organization, provider (NPI), or subscription; of notices by e-mail: the signer's NPI. */
  id: string
  /** The organization; null for none. */
  organizationId: number | null
  /** Who did it: the key, or an account or key that it had made. */
  by: string
  /** ISO 8601, UTC. */
  at: string
}

/**
 * The kind of thing that each action creates. Removing a second factor gives access by the password of the account alone, as a
 * new password does.
 */
const LEAVES: Partial<Record<AuditAction, MadeByKey['kind']>> = {
  'account.create': 'account',
  'account.enable': 'account',
  'account.password': 'password',
  'second-factor.remove': 'password',
  'identity.unlink': 'password',
  'key.issue': 'key',
  'organization.create': 'organization',
  'organization.activate': 'organization',
  'provider.create': 'provider',
  'subscription.create': 'subscription',
  'subscription.update': 'subscription',
  'notices.update': 'notices',
}

/**
 * Returns what the key has made, in the order of the log, and what was made by that: an account that it made signs in and makes keys,
 * a key that it made subscribes. Whether each still exists is for the store to say.
 * @param rows of the audit log, oldest first
 */
export async function madeByKey(rows: AsyncIterable<AuditRow>, keyId: string): Promise<MadeByKey[]> {
  const made = new Map<string, MadeByKey>()
  const makers = new Set([`operator ${keyId}`])
  for await (const { actor, actorId, action, outcome, subject, organizationId, at } of rows) {
    const kind = LEAVES[action]
    if (!kind || outcome !== 'done' || actorId === null) continue
    if (!makers.has(`${actor} ${actorId}`)) {
      // Another person has given the account another password since, so what it does from now on is its owner's.
      const isTakenBack = action === 'account.password' && made.delete(`password ${subject}`)
      if (isTakenBack && !made.has(`account ${subject}`)) makers.delete(`operator ${subject}`)
      continue
    }
    const id = kind === 'organization' ? String(organizationId) : subject
    if (id === null) continue
    made.set(`${kind} ${id}`, { kind, id, organizationId, by: actorId, at })
    // Whose password it knows, it can sign in as.
    if (kind === 'account' || kind === 'password') makers.add(`operator ${id}`)
    if (kind === 'key') makers.add(`key ${id}`)
  }
  return [...made.values()]
}
