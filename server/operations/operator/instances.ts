/** The instances of the service and how each is doing, and the receivers that all of them spare. */
import * as z from 'zod'
import { INSTANCE_SILENT_MS } from '../../choices.ts'
import { Instance, SparedReceiver } from './messages/instances.ts'
import { OPERATOR_ALONE, operatorRow, STAFF, within } from './operator-context.ts'

const group = 'Instances'

export const listInstances = operatorRow({
  method: 'get',
  path: '/admin/v1/instances',
  group,
  summary: 'List the instances on this store, and how the workers of each are',
  who: OPERATOR_ALONE,
  passive: true,
  responses: { 200: z.array(Instance) },
  run: async ({ store, at }) =>
    (await store.instances.list()).map(({ since, seenAt, workers, ...instance }) => {
      const sinceSeenMs = Math.max(0, at.getTime() - seenAt.getTime())
      return {
        ...instance,
        startedAt: since.toISOString(),
        sinceSeenMs,
        isSilent: sinceSeenMs > INSTANCE_SILENT_MS,
        workers: [...workers],
      }
    }),
})

export const listSparedReceivers = operatorRow({
  method: 'get',
  path: '/admin/v1/receivers/spared',
  group,
  summary: 'List the receivers that get no callbacks for a while, because they are down or overloaded',
  who: STAFF,
  responses: { 200: z.array(SparedReceiver) },
  run: async (context) =>
    (await context.store.receivers.spared(context.at, within(context))).map(({ since, until, ...receiver }) => ({
      ...receiver,
      since: since.toISOString(),
      until: until.toISOString(),
    })),
})
