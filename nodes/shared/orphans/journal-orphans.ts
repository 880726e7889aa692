/**
 * Finds what the journals hold that no node works on: for another address of the service, for a node that is gone, or for a person
 * to decide. Every part of a journal is either worked on, or counted here.
 */
import type { WaitEntry } from '../../../lib/client/watch/waits.ts'
import type { NamespaceCount } from '../../../lib/journal/namespaces-in.ts'
import { type AcceptedEntry, type Contents, unpackContents } from '../accepted/accepted-entry.ts'
import { sealPlaceOf } from '../accepted/accepted-journal.ts'
import { unpack } from '../carry/pack.ts'
import { sealOf } from '../carry/seal-of.ts'
import type { Config, Message, Runtime } from '../runtime/node-red.ts'
import { nodesInFlows } from '../runtime/nodes-in-flows.ts'
import { RUN } from '../runtime/run.ts'
import { placeOf } from '../service/connect.ts'
import type { ServiceNode } from '../service/connection.ts'
import { createJournals, type Journals, journalIds } from '../service/journals.ts'
import { placesIn } from '../service/places.ts'
import type { Orphan, OrphanKind } from './orphan.ts'

/** The entries under one key. */
export interface Kept {
  orphan: Orphan
  /** The place of the service that it belongs to. */
  place: string
  journals: Journals
  namespace: string
  /** Null when the row counts the whole part. */
  key: string | null
  order?: { contents: Contents; taskId: number | undefined; withdrawnAt?: number | undefined }
  wait?: { entry: WaitEntry; carried: Message | undefined }
}

/** A part of a journal that belongs to a node, or to the service as a whole. */
interface Part {
  name: 'accepted' | 'parked' | 'waits' | 'events' | 'subscriptions' | 'outcomes'
  nodeId: string | null
  place: string
}

const OF_NODES = /^(accepted|parked|waits|events)-(.+)-([0-9a-f]{64})$/
const OF_SERVICE = /^(subscriptions|outcomes)-([0-9a-f]{64})$/

/** Returns what a part is for; undefined for one that is read whatever the address and the flows are, or that is not ours. */
export function partOf(namespace: string): Part | undefined {
  const [, name, nodeId, place] = OF_NODES.exec(namespace) ?? []
  if (name !== undefined && nodeId !== undefined && place !== undefined)
    return { name: name as Part['name'], nodeId, place }
  const [, shared, ofPlace] = OF_SERVICE.exec(namespace) ?? []
  if (shared === undefined || ofPlace === undefined) return undefined
  return { name: shared as Part['name'], nodeId: null, place: ofPlace }
}

/** Calls back with each entry that no node works on, those of deleted service nodes included. */
export async function eachJournalOrphan(
  runtime: Runtime,
  service: ServiceNode,
  visit: (kept: Kept) => Promise<unknown> | unknown,
): Promise<void> {
  const choice = service.journalChoice
  const isInFlows = nodesInFlows(runtime)
  const gone = (await journalIds(choice)).filter((id) => !isInFlows(id))
  for (const journalId of [service.id, ...gone]) {
    const isOwn = journalId === service.id
    const journals = isOwn ? service.journals : createJournals(choice, journalId)
    try {
      await eachInJournal({ runtime, service, journals, journalId, isOwn }, visit)
    } finally {
      if (!isOwn) await journals.close()
    }
  }
}

interface Searched {
  runtime: Runtime
  service: ServiceNode
  journals: Journals
  journalId: string
  isOwn: boolean
}

async function eachInJournal(searched: Searched, visit: (kept: Kept) => unknown): Promise<void> {
  const { runtime, service, journals, isOwn } = searched
  const here = placeOf(service.settings)
  const worksOn = workers(runtime, service.id)
  const parts = (await journals.parts()).flatMap((found) => {
    const part = partOf(found.namespace)
    return part ? [{ ...found, part }] : []
  })
  const left = parts.filter(({ part }) => {
    const isHere = isOwn && part.place === here
    if (part.name === 'parked') return true
    return !isHere || (part.nodeId !== null && !worksOn(part.name, part.nodeId))
  })
  if (left.length === 0) return
  const addresses = await placesIn(journals)
  for (const found of left) {
    const { place, name } = found.part
    const reason = isOwn && place === here ? (name === 'parked' ? 'key' : 'node') : place === here ? 'node' : 'address'
    await eachInPart({ ...searched, ...found, reason, address: addresses.get(place) ?? null }, visit)
  }
}

interface SearchedPart extends Searched, NamespaceCount {
  part: Part
  reason: Orphan['reason']
  address: string | null
}

async function eachInPart(searched: SearchedPart, visit: (kept: Kept) => unknown): Promise<void> {
  const { runtime, journals, journalId, namespace, part, reason, address } = searched
  const seal = sealOf(runtime)
  const { name, nodeId, place } = part
  const about = (kind: OrphanKind, key: string | null, more: Partial<Orphan>): Orphan => ({
    id: [journalId, namespace, ...(key === null ? [] : [key])].map(encodeURIComponent).join('/'),
    kind,
    reason,
    address,
    nodeId,
    count: 1,
    externalDocId: null,
    taskId: null,
    canBeOpened: true,
    actions: ['discard'],
    ...more,
  })
  const where = { place, journals, namespace }
  if (name === 'subscriptions' || name === 'outcomes') {
    const kind = name === 'subscriptions' ? 'subscription' : 'outcome'
    await visit({ ...where, key: null, orphan: about(kind, null, { count: searched.count }) })
    return
  }
  const journal = await journals.open(namespace)
  if (name === 'events') {
    let count = 0
    for await (const [, claim] of journal.entries<{ state?: string }>()) if (claim.state === 'claimed') count += 1
    if (count > 0) await visit({ ...where, key: null, orphan: about('event', null, { count }) })
    return
  }
  if (name === 'waits') {
    for await (const [key, entry] of journal.entries<WaitEntry>()) {
      const { carried } = entry.meta
      const packed = opened(() =>
        typeof carried === 'string' ? unpack(seal().open(carried, `wait/${nodeId}/${key}`)) : {},
      )
      const orphan = about('wait', key, {
        taskId: Number(key),
        externalDocId: textOr(packed?.externalDocId),
        canBeOpened: packed !== undefined,
        actions: packed ? ['adopt', 'discard'] : ['discard'],
      })
      const message = typeof carried === 'string' ? packed : undefined
      await visit({ ...where, key, orphan, wait: { entry, carried: message } })
    }
    return
  }
  for await (const [key, { sealed, run, taskId, withdrawnAt }] of journal.entries<AcceptedEntry>()) {
    // In a living process the message has reached the nodes behind its own.
    if (taskId !== undefined && run === RUN) continue
    const contents = opened(() => unpackContents(seal().open(sealed, sealPlaceOf(nodeId ?? '', key))))
    const kind = taskId === undefined ? 'order' : 'message'
    // A person decides about a withdrawal only where the row says so.
    const isWithdrawn = reason === 'key' && withdrawnAt !== undefined
    const orphan = about(kind, key, {
      ...(isWithdrawn && { reason: 'withdrawn' }),
      taskId: taskId ?? null,
      externalDocId: textOr(contents?.order?.body.document.externalDocId ?? contents?.message.externalDocId),
      canBeOpened: contents !== undefined,
      actions: contents ? [kind === 'order' ? 'send' : 'adopt', 'discard'] : ['discard'],
    })
    await visit({
      ...where,
      key,
      orphan,
      ...(contents && { order: { contents, taskId, ...(isWithdrawn && { withdrawnAt }) } }),
    })
  }
}

const TYPES = {
  accepted: 'countersign-create-task',
  waits: 'countersign-wait',
  events: 'countersign-webhook-in',
} as const

/** Returns a test: whether a node of the flows, disabled or not, works on its part of the journal of a service. */
function workers({ nodes }: Pick<Runtime, 'nodes'>, serviceId: string) {
  const configs = new Map<string, Config>()
  nodes.eachNode((config) => void configs.set(config.id, config))
  return (name: Part['name'], nodeId: string): boolean => {
    // The id of a node in a subflow is the ids of the instances around it and its own, joined by hyphens.
    const path = configs.has(nodeId) ? [nodeId] : nodeId.split('-')
    if (!path.every((id) => configs.has(id))) return false
    const config = configs.get(path.at(-1)!)!
    const isOfService = config.service === serviceId || String(config.service).startsWith('${')
    const keeps = name !== 'accepted' || config.keep === true
    return config.type === TYPES[name as keyof typeof TYPES] && isOfService && keeps
  }
}

function opened<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null)
