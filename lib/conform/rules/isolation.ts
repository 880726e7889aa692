/** Rules of two organizations: the second key must not reach what belongs to the first. */
import { type Host, SUBSCRIPTIONS, TASKS } from '../host.ts'
import { expectRefused, expectThat } from '../judge.ts'
import { type RuleOfGroup, rulesOf } from '../rule.ts'
import type { Json } from '../stage/sample.ts'
import type { Stage } from '../stage/stage.ts'
import { notTried } from '../verdict.ts'

const SPEC = 'Authentication'

/** The row of a rule that needs a second key. A key that the host refuses reaches nothing, and would show nothing. */
const apart = (name: string, attempt: (host: Host, stage: Stage) => Promise<void>): RuleOfGroup => [
  name,
  SPEC,
  async (host, stage) => {
    await stage.otherOrganization()
    await attempt(host, stage)
  },
]

const lists = async (host: Host, path: string, fits: (item: Json) => boolean) => {
  const items =
    host.itemsOf(await host.get(path, { as: 'second' })) ?? notTried('the answer to the second key is not a list')
  return items.some((item) => fits(Object(item) as Json))
}

export const isolation = rulesOf('Isolation', [
  apart('another organization cannot read the task', async (host, stage) => {
    const { taskId } = await stage.pending()
    expectRefused(await host.get(`${TASKS}/${taskId}`, { as: 'second' }))
  }),
  apart('another organization does not list the task', async (host, stage) => {
    const { taskId } = await stage.pending()
    expectThat(!(await lists(host, TASKS, (task) => task.taskId === taskId)), 'the list of the second key has it')
  }),
  apart('another organization cannot record an outcome', async (host, stage) => {
    const { taskId } = await stage.retracted()
    const query = { externalSavedDocumentId: `CONFORM-${stage.newId()}` }
    expectRefused(await host.patch(`${TASKS}/${taskId}`, { as: 'second', query }))
  }),
  apart('another organization does not list the subscription', async (host, stage) => {
    const { id } = (await stage.subscriptions()).active
    expectThat(!(await lists(host, SUBSCRIPTIONS, (row) => row.id === id)), 'the list of the second key has it')
  }),
  apart('another organization cannot change the subscription', async (host, stage) => {
    const { id } = (await stage.subscriptions()).inactive
    expectRefused(await host.patch(`${SUBSCRIPTIONS}/${id}`, { as: 'second', body: { active: false } }))
  }),
  apart('another organization cannot end the subscription', async (host, stage) => {
    const { id } = (await stage.subscriptions()).inactive
    expectRefused(await host.delete(`${SUBSCRIPTIONS}/${id}`, { as: 'second' }))
  }),
  apart('another organization cannot retract the task', async (host, stage) => {
    const { taskId } = await stage.pending()
    expectRefused(await host.delete(`${TASKS}/${taskId}`, { as: 'second' }))
  }),
])
