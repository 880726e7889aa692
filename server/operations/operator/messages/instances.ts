/** The instances of the service, and the receivers that these spare, as the operator's interface shows them. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'

const Worker = z.object({
  name: z.string(),
  /** Since the last round that ended well; null: none yet. */
  sinceRoundMs: z.int().nullable(),
  /** Since the last fault; null: none yet. */
  sinceFaultMs: z.int().nullable(),
  /** A worker is late when its last round is longer ago. */
  lateAfterMs: z.int(),
  /** An obstacle to its work, as a sentence; omitted when there is none. */
  problem: z.string().optional(),
})

export const Instance = z
  .object({
    id: z.string(),
    /** The name of its machine and its port. */
    name: z.string(),
    version: z.string(),
    startedAt: z.string(),
    /** Since it last said how it is; what follows is as it was then. */
    sinceSeenMs: z.int(),
    /** It should have been seen again: it was killed, hangs, or cannot reach the store. */
    isSilent: z.boolean(),
    workers: z.array(Worker),
  })
  .register(docs, {
    id: 'Instance',
    title: 'Instance',
    description: 'A process of the service on this store. One that ended without a word is listed for ten minutes.',
    examples: [
      {
        id: '6f1c2d1e-3f52-4c2a-9c33-0d6a4c0c7f11',
        name: 'node-1:8091',
        version: '0.2.0',
        startedAt: '2026-03-02T09:00:00.000Z',
        sinceSeenMs: 4200,
        isSilent: false,
        workers: [{ name: 'ingestion', sinceRoundMs: 850, sinceFaultMs: null, lateAfterMs: 12000 }],
      },
    ],
  })
export type Instance = z.infer<typeof Instance>

export const SparedReceiver = z
  .object({
    subscriptionId: z.int(),
    organizationId: z.int(),
    since: z.string(),
    /** A single call finds out then whether it is back. */
    until: z.string(),
    /** Most calls failed; otherwise it is overloaded, or asked for a pause. */
    isDown: z.boolean(),
  })
  .register(docs, {
    id: 'SparedReceiver',
    title: 'Spared receiver',
    description:
      'A receiver that gets no callbacks for a while, from any instance. Its events wait, and use up no attempts.',
    examples: [
      {
        subscriptionId: 12,
        organizationId: 4,
        since: '2026-03-02T09:00:00.000Z',
        until: '2026-03-02T09:00:30.000Z',
        isDown: true,
      },
    ],
  })
export type SparedReceiver = z.infer<typeof SparedReceiver>
