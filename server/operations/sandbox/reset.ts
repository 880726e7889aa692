/** Returns to the start: what one organization did, or everything. Keys are kept. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { optional, rule } from '../../../lib/contract/primitives.ts'
import { told } from '../../../lib/profile/values.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type SandboxContext, sandboxRow } from './sandbox-context.ts'
import { rewind } from './scenarios/progress.ts'
import { applySeed, checkTemplates, keptBy, type SeededKey } from './seed/apply-seed.ts'
import type { Seed } from './seed/seed.ts'
import { sendSeedOrders } from './seed/send-seed-orders.ts'

const ResetBody = optional(
  z.strictObject(
    {
      everything: told(
        optional(z.boolean(rule('true or false'))),
        'Everything',
        'Whether all organizations, the people, and the clock return to the start, too. Optional; false by default.',
        true,
      ),
    },
    rule('an object'),
  ),
)

export const resetOrganization = sandboxRow({
  method: 'post',
  path: '/sandbox/v1/reset',
  group: 'Reset',
  summary: 'Remove what your organization did, or return everything to the start; keys stay',
  who: ['sender'],
  body: ResetBody,
  responses: { 204: null, 409: ErrorBody },
  async run(context, { body }) {
    if (body?.everything) await everythingAgain(context, null)
    else await organizationAgain(context)
  },
})

/** The clock goes back where no other organization has tasks: theirs would lie in the future. */
async function organizationAgain(context: SandboxContext): Promise<void> {
  const { time, store, organizationId, by } = context
  await forgetChoices(context, organizationId)
  if (time.aheadMs > 0 && !(await store.hasTasksOfOthers(organizationId))) await time.goBack()
  // Work under way would not find its task any more.
  else await time.settle()
  await store.reset(organizationId, by, new Date(time.now()))
  context.traffic.clear(organizationId)
}

/**
 * Returns everything to the seed of the sandbox, or to another one; where there is none, the directory stays as it is. Returns the
 * keys that were made. Refuses while other organizations have tasks, unless an operator wants it.
 */
export async function everythingAgain(context: SandboxContext, other: Seed | null): Promise<SeededKey[]> {
  const { time, store, by, hosted } = context
  await mayReset(context)
  if (other) checkTemplates(other)
  for (const { id } of await store.organizations.list()) await forgetChoices(context, id)
  context.snapshots.clear()
  context.scenarios.added.clear()
  // First, so that nothing is left to be done while the clock goes back.
  await store.startOver(null, by, new Date(time.now()))
  await time.goBack()
  const seed = other ?? (await store.keptSeed<Seed>())
  const at = new Date(time.now())
  const made = await store.atOnce(async (inside) => {
    const kept = seed && keptBy(seed)
    await inside.startOver(kept && { ...kept, organizations: [...kept.organizations, ...hosted] }, by, at)
    return seed ? applySeed(inside, context.keyringIn(inside), seed, at, by) : []
  })
  for (const { id } of await store.organizations.list()) context.traffic.clear(id)
  context.countOrdersAgain()
  if (seed) await sendSeedOrders(seed, { store, ordersOf: context.ordersOf, at })
  return made
}

/** Refuses a caller who would remove what other organizations did. */
export async function mayReset({ isOperator, store, organizationId }: SandboxContext): Promise<void> {
  if (!isOperator && (await store.hasTasksOfOthers(organizationId))) throw new Refusal('conflict', OTHERS)
}

const OTHERS =
  'Other organizations have tasks in this sandbox. Reset your own, or let an operator reset everything on the page /sandbox.'

/** Forgets what an organization has chosen: faults, scripts, lessons, the progress of scenarios, and catchers with their subscriptions. */
async function forgetChoices(context: SandboxContext, organizationId: number): Promise<void> {
  const { faults, scripts, reviewing, catchers, lessonsBegun, scenarios, store, by, catchUrl } = context
  faults.clear(organizationId)
  scripts.clear(organizationId)
  reviewing.set(organizationId, 'doubtful')
  rewind(scenarios, organizationId)
  for (const key of lessonsBegun.keys()) if (key.startsWith(`${organizationId} `)) lessonsBegun.delete(key)
  const { subscriptions } = store.forOrganization(organizationId, by)
  for (const { id, url } of await subscriptions.list())
    if (url.startsWith(`${catchUrl}/`)) await subscriptions.remove(id, context.at)
  for (const { name } of catchers.of(organizationId)) catchers.remove(name)
}
