/** Lists the cards of the control room with their verdicts, and switches them on and off. */
import * as z from 'zod'
import { rule } from '../../../../lib/contract/primitives.ts'
import { told } from '../../../../lib/profile/values.ts'
import type { Fault } from '../fault.ts'
import type { PlannedFault } from '../faults.ts'
import { Card, lessonName } from '../messages.ts'
import { type SandboxContext, sandboxRow } from '../sandbox-context.ts'
import { type LessonName, lessonNames, lessonOf } from './lessons.ts'

export const listLessons = sandboxRow({
  method: 'get',
  path: '/sandbox/v1/lessons',
  group: 'Lessons',
  summary:
    'List what can be made to go wrong with one switch, and whether the traffic proves that your integration copes',
  who: ['sender'],
  passive: true,
  responses: { 200: z.array(Card) },
  run: async (context) => lessonNames.map((each) => cardOf(context, each)),
})

export const switchLesson = sandboxRow({
  method: 'post',
  path: '/sandbox/v1/lessons/:name',
  group: 'Lessons',
  summary: 'Switch a lesson on or off',
  who: ['sender'],
  params: z.object({ name: lessonName }),
  body: z.strictObject(
    { isOn: told(z.boolean(rule('true or false')), 'On', 'Whether it goes wrong from now on.', true) },
    rule('an object with isOn'),
  ),
  responses: { 200: Card },
  async run(context, { params, body }) {
    const { faults, reviewing, traffic, organizationId, lessonsBegun } = context
    const lesson = lessonOf(params.name)
    for (const { id } of plannedOf(context, lesson.faults)) faults.remove(organizationId, id)
    if (body.isOn) {
      const last = traffic.list(organizationId).at(-1)?.id ?? 0
      lessonsBegun.set(`${organizationId} ${params.name}`, last)
      for (const fault of lesson.faults) faults.add(organizationId, fault)
    }
    if (lesson.reviews) reviewing.set(organizationId, body.isOn ? lesson.reviews : 'doubtful')
    return cardOf(context, params.name)
  },
})

function cardOf(context: SandboxContext, each: LessonName): Card {
  const { traffic, organizationId, lessonsBegun, reviewing } = context
  const { title, does, good, faults, reviews, judge } = lessonOf(each)
  const begun = lessonsBegun.get(`${organizationId} ${each}`)
  const since = begun === undefined ? [] : traffic.list(organizationId).filter(({ id }) => id > begun)
  const isOn = reviews ? reviewing.of(organizationId) === reviews : plannedOf(context, faults).length > 0
  const kinds = new Set(faults.map(({ fault }) => fault as string))
  const hits = since.filter(({ fault }) => fault !== null && kinds.has(fault)).length
  return { name: each, title, does, good, isOn, hits, verdict: judge(since) }
}

/** Returns those of the planned faults that are the faults of a card, however often they still happen. */
function plannedOf({ faults, organizationId }: SandboxContext, wanted: readonly Fault[]): PlannedFault[] {
  const kindOf = ({ times: _, ...kind }: Fault) => JSON.stringify(Object.entries(kind).sort())
  const kinds = new Set(wanted.map(kindOf))
  return faults.list(organizationId).filter(({ id: _, ...fault }) => kinds.has(kindOf(fault as Fault)))
}
