/** The time of an outcome is that of its event, and never that of another status or of the moment. */
import { expect } from 'chai'
import type { ServiceNode } from '../../nodes/shared/service/connection.ts'
import { createEventTimes } from '../../nodes/shared/service/event-times.ts'
import { outcomeProperties, timeOfStatus } from '../../nodes/shared/service/outcome-properties.ts'

const event = (taskId: number, status: 'Pending' | 'Completed', occurredAtUtc: string) => ({
  eventId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  eventType: 'document.status_changed' as const,
  taskId,
  documentId: null,
  status,
  statusReason: null,
  occurredAtUtc,
})
const MONDAY = '2026-01-12T10:00:00.000Z'
const TUESDAY = '2026-01-13T10:00:00.000Z'

describe('the time of an outcome', () => {
  const serviceWith = (...events: ReturnType<typeof event>[]) => {
    const eventTimes = createEventTimes()
    for (const one of events) eventTimes.note(one)
    return { place: 'here', eventTimes } as unknown as ServiceNode
  }

  it('is that of the event that reported its status, and unknown without one', () => {
    const service = serviceWith(
      event(7, 'Pending', MONDAY),
      event(7, 'Completed', TUESDAY),
      event(8, 'Pending', MONDAY),
    )
    expect(outcomeProperties(service, 7, 'Completed', undefined).occurredAtUtc).to.equal(TUESDAY)
    expect(outcomeProperties(service, 8, 'Completed', undefined).occurredAtUtc).to.equal(undefined)
    expect(outcomeProperties(service, 9, 'Completed', undefined).occurredAtUtc).to.equal(undefined)
  })

  it('that a message carries counts for its task and its status alone', () => {
    const message = { taskId: 7, status: 'Completed', occurredAtUtc: TUESDAY }
    const service = serviceWith()
    expect(timeOfStatus(message, service, 7, 'Completed')).to.equal(TUESDAY)
    expect(timeOfStatus({ ...message, status: 'Pending' }, service, 7, 'Completed')).to.equal(undefined)
    expect(timeOfStatus({ ...message, taskId: 8 }, service, 7, 'Completed')).to.equal(undefined)
    expect(timeOfStatus({}, serviceWith(event(7, 'Completed', MONDAY)), 7, 'Completed')).to.equal(MONDAY)
  })
})
