/** Events are read by hand, to be small in a bundle; a schema of zod says the same here, and the two are held against each other. */
import { expect } from 'chai'
import fc from 'fast-check'
import * as z from 'zod'
import { EVENT_TYPE } from '../../../lib/contract/callback.ts'
import { describeIssues } from '../../../lib/contract/error.ts'
import { anyId, anyText, rule, timestamp } from '../../../lib/contract/primitives.ts'
import { TaskStatus } from '../../../lib/contract/task/task.ts'
import { type ReadEvent, readEvent } from '../../../lib/webhook/read-event.ts'
import { anEvent } from '../support/bodies.ts'

const EVENT_ID = 'text of 1 to 200 characters'

const EventOfHost = z.object(
  {
    eventId: z.string(rule(EVENT_ID)).regex(/\S/, EVENT_ID).max(200, EVENT_ID),
    eventType: z.literal(EVENT_TYPE, rule(EVENT_TYPE)),
    taskId: anyId(),
    documentId: anyId().nullish().catch(null),
    status: TaskStatus,
    statusReason: anyText(),
    occurredAtUtc: timestamp(),
  },
  'an object',
)

function readBySchema(body: unknown): ReadEvent {
  const read = EventOfHost.safeParse(body)
  return read.success ? { event: read.data as never } : { issues: describeIssues(read.error) }
}

const anyDay = fc
  .tuple(fc.nat(9999), fc.nat(13), fc.nat(32))
  .map((parts) => parts.map((part, at) => String(part).padStart(at === 0 ? 4 : 2, '0')).join('-'))
const anyHour = fc.constantFrom('00:00', '09:31:00', '23:59:59.999', '24:00:00', '9:31', '12:60:00', '12:30:60', '')
const anyZone = fc.constantFrom('Z', '', '+00:00', '-05:30', '+24:00', 'z', '+0000', ' ')
const anyTime = fc.tuple(anyDay, anyHour, anyZone).map(([day, hour, zone]) => `${day}T${hour}${zone}`)

const mostly = (right: fc.Arbitrary<unknown>, ...wrong: unknown[]) =>
  fc.oneof({ weight: 5, arbitrary: right }, { weight: 1, arbitrary: fc.constantFrom(...wrong) })

/** A right event with any of its values replaced. */
const anyBody = fc
  .record(
    {
      eventId: mostly(fc.string({ minLength: 1 }), 'x'.repeat(200), 'x'.repeat(201), ' ', '', null, 7),
      eventType: mostly(fc.constant(EVENT_TYPE), 'document.deleted', null, 1),
      taskId: mostly(fc.maxSafeInteger(), '1', null, 2 ** 53, 1.5),
      documentId: mostly(fc.maxSafeInteger(), 'D-7', null, 1.5),
      status: mostly(fc.constantFrom(...TaskStatus.options), 'Lost', 'pending', null, 7),
      statusReason: mostly(fc.string(), null, 7, {}),
      occurredAtUtc: mostly(anyTime, null, 0, '2026-01-15', '2024-02-29T00:00:00Z'),
      region: fc.string(),
    },
    { requiredKeys: [] },
  )
  .map((changes) => ({ ...anEvent(), ...changes }))

/** An event without some of its values. */
const partOfEvent = fc
  .subarray(Object.entries(anEvent()), { minLength: 4 })
  .map((entries): object => Object.fromEntries(entries))

describe('An event of a host', () => {
  it('is read as a schema would read it, with the same words for what is wrong', () => {
    const outcomes = { event: 0, issues: 0 }
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: anyBody }, partOfEvent, fc.jsonValue()), (made) => {
        const body: unknown = JSON.parse(JSON.stringify(made))
        const read = readEvent(body)
        outcomes['event' in read ? 'event' : 'issues']++
        expect(read).to.deep.equal(readBySchema(body))
      }),
      { numRuns: 1500, seed: 15 },
    )
    expect(outcomes.event).to.be.above(100)
    expect(outcomes.issues).to.be.above(100)
  })

  it('has its time on a day of the calendar', () => {
    const schema = timestamp()
    const readAt = (occurredAtUtc: string) => 'event' in readEvent(anEvent({ occurredAtUtc }))
    fc.assert(
      fc.property(anyTime, (time) => {
        expect(readAt(time), time).to.equal(schema.safeParse(time).success)
      }),
      { numRuns: 1500, seed: 15 },
    )
    for (const right of ['2024-02-29', '2000-02-29', '0000-02-29']) expect(readAt(`${right}T00:00:00Z`)).to.equal(true)
    for (const wrong of ['2026-02-29', '1900-02-29', '2026-04-31']) expect(readAt(`${wrong}T00:00:00Z`)).to.equal(false)
  })
})
