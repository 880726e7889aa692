/** Lists what no node works on, and does what a person decides about it: nothing is sent, adopted or dropped without that. */
import { createKey } from '../../../lib/client/once/create-once-entry.ts'
import { type Adopter, type AdopterKind, adopters } from '../runtime/adopters.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Runtime } from '../runtime/node-red.ts'
import { placeOf } from '../service/connect.ts'
import type { ServiceNode } from '../service/connection.ts'
import { eachJournalOrphan, type Kept } from './journal-orphans.ts'
import type { Orphan, OrphanAction, OrphanKind } from './orphan.ts'
import { emptyQueue, queueOrphans } from './queue-orphans.ts'

export interface OrphanRow extends Orphan {
  /** The nodes that can send or adopt it. */
  adopters: { nodeId: string; name: string }[]
}

export interface OrphanList {
  rows: OrphanRow[]
  isComplete: boolean
}

/** How many rows a person reads; the others follow once these are dealt with. */
const MOST_ROWS = 200

export async function listOrphans(runtime: Runtime, service: ServiceNode): Promise<OrphanList> {
  const orphans: Orphan[] = []
  await eachJournalOrphan(runtime, service, ({ orphan }) => orphans.push(orphan))
  orphans.push(...(await queueOrphans(runtime)))
  const rows = orphans.slice(0, MOST_ROWS).map((orphan) => ({
    ...orphan,
    adopters: adoptersOf(service, orphan.kind).map(({ nodeId, name }) => ({ nodeId, name })),
  }))
  return { rows, isComplete: orphans.length <= MOST_ROWS }
}

export interface Decision {
  action: OrphanAction
  /** The node that is to send or adopt it; the first that can when omitted. */
  nodeId: string | undefined
  /** Whether a person has seen that the task cannot be proved to be the one that was waited for. */
  isSure: boolean
}

/**
 * Does what a person has decided. Returns the name of the node that took it over, if one did.
 * @throws NodeError NOT_KEPT, NO_ADOPTER, UNPROVED, OTHER_DOCUMENT, NO_ROOM or ALREADY_AWAITED; else the client's errors
 */
export async function decide(
  runtime: Runtime,
  service: ServiceNode,
  { id, ...decision }: Decision & { id: string },
  signal: AbortSignal,
): Promise<{ name: string | null }> {
  const done =
    (await decideInJournal(runtime, service, { id, ...decision }, signal)) ??
    (await decideQueue(runtime, service, { id, ...decision }))
  if (!done)
    throw new NodeError(
      'NOT_KEPT',
      'It is no longer there: it was sent, adopted or discarded, or a node is working on it again.',
    )
  service.orphansChanged()
  return done
}

async function decideInJournal(
  runtime: Runtime,
  service: ServiceNode,
  { id, ...decision }: Decision & { id: string },
  signal: AbortSignal,
): Promise<{ name: string | null } | undefined> {
  let done: { name: string | null } | undefined
  await eachJournalOrphan(runtime, service, async (kept) => {
    if (done || kept.orphan.id !== id) return
    allow(kept.orphan, decision.action)
    const adopter = decision.action === 'discard' ? null : adopterFor(service, kept.orphan.kind, decision.nodeId)
    if (adopter) await handOver(service, kept, adopter, decision.isSure, signal)
    await remove(kept)
    done = { name: adopter?.name ?? null }
  })
  return done
}

async function decideQueue(
  runtime: Runtime,
  service: ServiceNode,
  { id, action, nodeId }: Decision & { id: string },
): Promise<{ name: string | null } | undefined> {
  const orphan = (await queueOrphans(runtime)).find((one) => one.id === id)
  if (!orphan) return undefined
  allow(orphan, action)
  const adopter = action === 'discard' ? null : adopterFor(service, orphan.kind, nodeId)
  await emptyQueue(runtime, orphan, adopter)
  return { name: adopter?.name ?? null }
}

function allow({ actions }: Orphan, action: OrphanAction): void {
  if (!actions.includes(action)) throw new NodeError('NOT_KEPT', `This cannot be done to it: ${action}.`)
}

/** The new owner has it on the disk before it leaves its old part: a crash in between leaves it twice, and create-once sends it once. */
async function handOver(service: ServiceNode, kept: Kept, adopter: Adopter, isSure: boolean, signal: AbortSignal) {
  const { order, wait, orphan } = kept
  if (order) {
    if (order.taskId !== undefined) await prove(service, kept, isSure, signal)
    await adopter.adopt(order)
  } else if (wait) {
    await prove(service, kept, isSure, signal)
    await adopter.adopt({ taskId: orphan.taskId, ...wait })
  }
}

/**
 * Resolves when the task of this service is the one that was waited for at another address: the same number is another patient's
 * task at another service.
 */
async function prove(
  service: ServiceNode,
  { place, journals, orphan: { taskId, externalDocId } }: Kept,
  isSure: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (place === placeOf(service.settings) || taskId === null) return
  const { client } = await service.connect()
  const task = await client.readTask({ params: { id: taskId } }, { signal })
  const found = task.externalDocId ?? null
  if (externalDocId !== null && found !== null) {
    if (externalDocId === found) return
    throw new NodeError(
      'OTHER_DOCUMENT',
      `Task ${taskId} of this service is about another document (${found}, not ${externalDocId}), so it is not the task that was waited for. Discard the wait, or set the address back.`,
    )
  }
  if (found !== null) {
    const creates = await journals.open('creates')
    const known = await creates.get<{ taskId?: number }>(createKey(place, found))
    if (known?.taskId === taskId) return
  }
  if (isSure) return
  throw new NodeError(
    'UNPROVED',
    `Task ${taskId} of this service is ${task.status}${found === null ? '' : `, with the document id ${found}`}. Nothing shows whether it is the task that was waited for.`,
  )
}

/** Discards the entry, or the part when the row counts all of it. */
async function remove({ journals, namespace, key }: Kept): Promise<void> {
  const journal = await journals.open(namespace)
  if (key !== null) return journal.delete(key)
  const keys: string[] = []
  for await (const [one] of journal.entries()) keys.push(one)
  await journal.delete(keys)
}

const ADOPTED_BY: Partial<Record<OrphanKind, AdopterKind>> = {
  order: 'order',
  message: 'order',
  wait: 'wait',
  held: 'held',
  intake: 'intake',
  outbox: 'outbox',
}

const adoptersOf = (service: ServiceNode, kind: OrphanKind): Adopter[] =>
  adopters
    .all()
    .filter((one) => one.kind === ADOPTED_BY[kind] && (one.serviceId === null || one.serviceId === service.id))

function adopterFor(service: ServiceNode, kind: OrphanKind, nodeId: string | undefined): Adopter {
  const found = adoptersOf(service, kind).find((one) => nodeId === undefined || one.nodeId === nodeId)
  if (found) return found
  throw new NodeError('NO_ADOPTER', 'No node can take it over. Add one of the same type to a flow, and deploy.')
}
