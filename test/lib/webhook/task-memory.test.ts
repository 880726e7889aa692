/** What counts as news of a task, as a table of what was last and what came. */
import { expect } from 'chai'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { compareChange } from '../../../lib/webhook/task-memory.ts'

const at = (status: TaskStatus, occurredAtUtc: string) => ({ status, occurredAtUtc })
const [early, late] = ['2026-01-15T09:00:00Z', '2026-01-15T10:00:00Z']
const FINAL = ['Completed', 'Rejected', 'Retracted', 'Failed', 'Cancelled'] as const
const OPEN = ['Received', 'Processing', 'Pending'] as const

describe('a change of a task', () => {
  it('is news when nothing was known', () => {
    for (const status of [...OPEN, ...FINAL]) expect(compareChange(undefined, at(status, early))).to.equal('news')
  })

  it('is a repetition when the status is the same, at any time', () => {
    for (const status of [...OPEN, ...FINAL])
      for (const time of [early, late]) expect(compareChange(at(status, early), at(status, time))).to.equal('repeated')
  })

  it('never leaves a final status, even at a later time', () => {
    for (const last of FINAL)
      for (const next of [...OPEN, ...FINAL].filter((status) => status !== last))
        expect(compareChange(at(last, early), at(next, late)), `${last} ${next}`).to.equal('stale')
  })

  it('wins when it is final, even at an earlier time', () => {
    for (const last of OPEN)
      for (const next of FINAL)
        expect(compareChange(at(last, late), at(next, early)), `${last} ${next}`).to.equal('news')
  })

  it('wins by the later time otherwise', () => {
    expect(compareChange(at('Processing', early), at('Pending', late))).to.equal('news')
    expect(compareChange(at('Pending', late), at('Processing', early))).to.equal('stale')
    expect(compareChange(at('Processing', early), at('Pending', early)), 'in the same moment').to.equal('news')
  })

  it('reads times in every spelling as UTC', () => {
    for (const time of ['2026-01-15T09:30:00', '2026-01-15T09:30:00.0000000Z', '2026-01-15T10:30:00+01:00']) {
      expect(compareChange(at('Processing', early), at('Pending', time)), time).to.equal('news')
      expect(compareChange(at('Pending', late), at('Processing', time)), time).to.equal('stale')
    }
  })
})
