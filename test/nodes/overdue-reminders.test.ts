/** Which reminders of a task are due, and which process sends each: the rules of the overdue node, without Node-RED. */
import { expect } from 'chai'
import {
  claimed,
  emitted,
  isDue,
  type OverdueEntry,
  released,
  sentBefore,
} from '../../nodes/shared/overdue/overdue-entry.ts'
import { remindersOf } from '../../nodes/shared/overdue/reminders.ts'
import { scheduleOf } from '../../nodes/shared/overdue/schedule.ts'

const config = (more: object) => ({ id: 'overdue', type: 'countersign-overdue', ...more })
const REPEAT_MS = 60_000

describe('the reminders of an open task', () => {
  describe('by its days', () => {
    const schedule = scheduleOf(config({ afterDays: '3, 7', windowDays: '30', beforeDays: '7, 1, 0' }))
    const due = (sent: string, today: string, clinicalDate?: string) =>
      remindersOf({ sent, today, clinicalDate }, schedule).map(({ kind, threshold }) => `${kind} ${threshold}`)

    it('are those of the threshold that was reached last', () => {
      expect(due('2026-03-01', '2026-03-03')).to.deep.equal([])
      expect(due('2026-03-01', '2026-03-04')).to.deep.equal(['age 3'])
      expect(due('2026-03-01', '2026-03-07')).to.deep.equal(['age 3'])
      expect(due('2026-03-01', '2026-03-20')).to.deep.equal(['age 7'])
    })

    it('count days of a calendar, over the end of daylight saving time and of February', () => {
      expect(due('2026-10-30', '2026-11-02')).to.deep.equal(['age 3'])
      expect(due('2028-02-27', '2028-03-01')).to.deep.equal(['age 3'])
    })

    it('count the window from the clinical date, else from the day of sending, and until after its end', () => {
      expect(due('2026-03-20', '2026-03-23', '2026-03-01')).to.deep.equal(['age 3'])
      expect(due('2026-03-20', '2026-03-24', '2026-03-01')).to.deep.equal(['age 3', 'window 7'])
      expect(due('2026-03-20', '2026-03-31', '2026-03-01')).to.deep.equal(['age 7', 'window 0'])
      expect(due('2026-03-20', '2026-06-30', '2026-03-01')).to.deep.equal(['age 7', 'window 0'])
      expect(due('2026-03-01', '2026-03-30')).to.deep.equal(['age 7', 'window 1'])
      const [, reminder] = remindersOf({ sent: '2026-03-01', today: '2026-04-02', clinicalDate: undefined }, schedule)
      expect(reminder).to.include({ windowEnds: '2026-03-31', daysLeft: -2, daysOpen: 32 })
    })

    it('do not exist before the first threshold, also where the clock of the host is ahead', () => {
      const today = scheduleOf(config({ afterDays: '0' }))
      const days = { sent: '2026-03-02', today: '2026-03-01', clinicalDate: undefined }
      expect(remindersOf(days, today)).to.deep.equal([
        { kind: 'age', threshold: 0, daysOpen: 0, windowEnds: null, daysLeft: null },
      ])
      expect(due('2026-03-02', '2026-03-01')).to.deep.equal([])
    })
  })

  it('follow the thresholds of the form, in any order and with repetitions', () => {
    expect(scheduleOf(config({ afterDays: ' 7;3, 3 14 ', windowDays: '', beforeDays: '' }))).to.deep.equal({
      afterDays: [3, 7, 14],
      windowDays: null,
      beforeDays: [],
    })
    for (const wrong of [
      { afterDays: '' },
      { afterDays: '3.5' },
      { afterDays: '-3' },
      { afterDays: '3651' },
      { afterDays: 'soon' },
      { afterDays: '3', beforeDays: '7' },
      { afterDays: '3', windowDays: '30, 60', beforeDays: '7' },
    ])
      expect(() => scheduleOf(config(wrong)), JSON.stringify(wrong))
        .to.throw()
        .with.property('code', 'BAD_SCHEDULE')
  })

  describe('by what was sent before', () => {
    const three = { kind: 'age', threshold: 3 } as const
    const seven = { kind: 'age', threshold: 7 } as const
    const by = (run: string, now = 0, ended: string[] = []) => ({
      run,
      now,
      hasEnded: (other: string) => ended.includes(other),
    })

    it('are sent by one of two processes, and by the other one when the first has ended', () => {
      const entry = claimed({}, three, by('one'))
      expect(isDue(entry, three, REPEAT_MS, by('two'))).to.equal(false)
      expect(isDue(entry, three, REPEAT_MS, by('two', 0, ['one']))).to.equal(true)
      expect(isDue(entry, three, REPEAT_MS, by('two', REPEAT_MS))).to.equal(true)
      expect(sentBefore(claimed(entry, three, by('two')), three)).to.equal(2)
    })

    it('are never sent again once they were emitted, nor are earlier ones', () => {
      const entry = emitted(claimed({}, seven, by('one')), seven)!
      for (const reminder of [three, seven])
        expect(isDue(entry, reminder, REPEAT_MS, by('two', 10 * REPEAT_MS, ['one']))).to.equal(false)
      expect(isDue(entry, { kind: 'age', threshold: 14 }, REPEAT_MS, by('one'))).to.equal(true)
      expect(isDue(entry, { kind: 'window', threshold: 7 }, REPEAT_MS, by('one'))).to.equal(true)
      expect(emitted(entry, three)).to.equal(undefined)
    })

    it('leave an earlier one that was not taken over for a later one', () => {
      const later = claimed(claimed({}, three, by('one')), seven, by('one'))
      expect(sentBefore(later, seven)).to.equal(1)
      expect(isDue(later, three, REPEAT_MS, by('two', 0, ['one']))).to.equal(false)
      // The flow takes the earlier one over after all.
      const taken = emitted(later, three)!
      expect(isDue(taken, seven, REPEAT_MS, by('two', 0, ['one']))).to.equal(true)
      expect(sentBefore(taken, seven)).to.equal(1)
    })

    it('count fewer days before the end of the window as later', () => {
      const one = { kind: 'window', threshold: 1 } as const
      const entry = emitted({}, { kind: 'window', threshold: 7 })!
      expect(isDue(entry, one, REPEAT_MS, by('one'))).to.equal(true)
      expect(isDue(emitted(entry, one)!, { kind: 'window', threshold: 7 }, REPEAT_MS, by('one'))).to.equal(false)
    })

    it('are free again when their process gives them up, and only then', () => {
      const entry: OverdueEntry = claimed({ note: 'sealed' }, three, by('one'))
      expect(released(entry, three, 'two')).to.equal(undefined)
      expect(released(entry, seven, 'one')).to.equal(undefined)
      const free = released(entry, three, 'one')!
      expect(isDue(free, three, REPEAT_MS, by('two'))).to.equal(true)
      expect(free.note).to.equal('sealed')
    })
  })
})
