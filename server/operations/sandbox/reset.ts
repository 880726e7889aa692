/** Back to the beginning: what the caller's organization did is gone; keys, templates and subscriptions stay. */
import { sandboxRow } from './sandbox-context.ts'
import { rewind } from './scenarios/progress.ts'

export const resetOrganization = sandboxRow({
  method: 'post',
  path: '/sandbox/v1/reset',
  group: 'Reset',
  summary: 'Remove everything that the organization did',
  who: ['sender'],
  responses: { 204: null },
  async run({ faults, reviewing, scripts, scenarios, traffic, time, store, organizationId, by, at }) {
    faults.clear(organizationId)
    scripts.clear(organizationId)
    rewind(scenarios, organizationId)
    reviewing.set(organizationId, 'doubtful')
    // Work under way would not find its task any more.
    await time.settle()
    await store.reset(organizationId, by, at)
    traffic.clear(organizationId)
  },
})
