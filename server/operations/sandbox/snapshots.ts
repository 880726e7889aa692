/** Snapshots: what an organization did until a moment, kept under a name in memory, and brought back. The clock is not taken back. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { rule } from '../../../lib/contract/primitives.ts'
import { told } from '../../../lib/profile/values.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Snapshot as StoredSnapshot } from '../../store/snapshot.ts'
import { Snapshot } from './messages.ts'
import { sandboxRow } from './sandbox-context.ts'

export interface Kept {
  at: Date
  stored: StoredSnapshot
}
/** By organization and name. */
export type Snapshots = Map<number, Map<string, Kept>>

/** Bounds what one key can keep in memory. */
const MOST = 5
const MOST_BYTES = 128 * 1024 * 1024

const name = z
  .string(rule('letters, digits and hyphens'))
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'up to 40 small letters, digits and hyphens')
const about = { path: '/sandbox/v1/snapshots', group: 'Snapshots', who: ['sender'] } as const
const params = z.object({ name })

export const listSnapshots = sandboxRow({
  ...about,
  method: 'get',
  summary: 'List the snapshots of your organization',
  passive: true,
  responses: { 200: z.array(Snapshot) },
  run: async ({ snapshots, organizationId }) =>
    [...(snapshots.get(organizationId) ?? [])].map(([each, kept]) => shown(each, kept)),
})

export const takeSnapshot = sandboxRow({
  ...about,
  method: 'post',
  summary:
    'Keep the tasks, patients, documents and webhooks of your organization as they are now; a restart forgets them',
  body: z.strictObject(
    { name: told(name, 'Name', 'A snapshot of the same name is replaced.', 'before-the-demo') },
    rule('an object with name'),
  ),
  responses: { 201: Snapshot, 409: ErrorBody },
  async run({ snapshots, store, time, organizationId, at }, { body }) {
    // Work under way would be kept half done.
    await time.settle()
    const kept = { at, stored: await store.takeSnapshot(organizationId) }
    // Looked at last, because others may have been taken in the same time.
    const own = snapshots.get(organizationId) ?? new Map<string, Kept>()
    const others = [...own].filter(([each]) => each !== body.name)
    if (others.length >= MOST) throw new Refusal('conflict', `There are ${MOST} snapshots already. Remove one first.`)
    if (others.reduce((sum, [, { stored }]) => sum + stored.bytes, kept.stored.bytes) > MOST_BYTES)
      throw new Refusal('conflict', 'The snapshots would take too much memory together. Remove one first.')
    snapshots.set(organizationId, own.set(body.name, kept))
    return shown(body.name, kept)
  },
})

export const restoreSnapshot = sandboxRow({
  ...about,
  path: '/sandbox/v1/snapshots/:name/restore',
  method: 'post',
  summary: 'Bring back what a snapshot kept, and remove everything that came after it, webhooks that wait included',
  params,
  responses: { 204: null, 404: ErrorBody },
  async run({ snapshots, store, time, traffic, organizationId, by, at }, { params }) {
    const kept = snapshots.get(organizationId)?.get(params.name)
    if (!kept) throw missing(params.name)
    await time.settle()
    await store.restoreSnapshot(organizationId, kept.stored, by, at)
    traffic.clear(organizationId)
  },
})

export const removeSnapshot = sandboxRow({
  ...about,
  path: '/sandbox/v1/snapshots/:name',
  method: 'delete',
  summary: 'Forget a snapshot',
  params,
  responses: { 204: null, 404: ErrorBody },
  async run({ snapshots, organizationId }, { params }) {
    if (!snapshots.get(organizationId)?.delete(params.name)) throw missing(params.name)
  },
})

const missing = (wanted: string) => new Refusal('notFound', `There is no snapshot ${wanted} for this key.`)
const shown = (name: string, { at, stored }: Kept): Snapshot => ({ name, at: at.toISOString(), tasks: stored.tasks })
