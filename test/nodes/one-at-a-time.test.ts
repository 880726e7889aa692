/** How messages that may have ended the process are told apart: marks on the disk, counted at each start, and turns one at a time. */
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { createMarks, type Marks, type Recovered } from '../../nodes/shared/handling/marks.ts'
import { afterTurning, type OneAtATime, oneAtATime } from '../../nodes/shared/handling/one-at-a-time.ts'
import { FakeClock, settle } from '../support/fake-clock.ts'

describe('messages that may have ended the process', () => {
  let database: DatabaseSync
  beforeEach(() => {
    database = new DatabaseSync(':memory:')
  })
  afterEach(() => database.close())

  /** As the next process finds the marks. */
  function next(): { marks: Marks<number> } & Recovered<number> {
    const marks = createMarks<number>(database)
    return { marks, ...marks.recover() }
  }
  const idsOf = ({ suspects }: Recovered<number>) => suspects.map(({ id }) => id)

  it('are those that were under way, and not those that were done or that the process has survived', () => {
    const { marks } = next()
    marks.begin([1, 2, 3])
    marks.end([2])
    expect(next()).to.deep.include({
      condemned: [],
      suspects: [
        { id: 1, deaths: 1 },
        { id: 3, deaths: 1 },
      ],
    })
  })

  it('are condemned after two ends, the second of them alone', () => {
    next().marks.begin([1, 2, 3])
    const second = next()
    second.marks.beginAlone(1)
    second.marks.beginAlone(2)
    const third = next()
    expect(third.condemned).to.deep.equal([2])
    expect(idsOf(third)).to.deep.equal([1, 3])
  })

  it('stay condemned until they are set aside', () => {
    next().marks.begin([1])
    next().marks.beginAlone(1)
    expect(next().condemned).to.deep.equal([1])
    const again = next()
    expect(again.condemned).to.deep.equal([1])
    again.marks.begin([1])
    again.marks.stop()
    expect(next().condemned).to.deep.equal([1])
    next().marks.end([1])
    expect(next()).to.deep.include({ condemned: [], suspects: [] })
  })

  it('are not condemned for ends before their turn, or when several were under way', () => {
    next().marks.begin([1, 2])
    next()
    expect(next().suspects.map(({ deaths }) => deaths)).to.deep.equal([1, 1])
    next().marks.begin([1, 2])
    const last = next()
    expect(last.condemned).to.deep.equal([])
    expect(last.suspects.map(({ deaths }) => deaths)).to.deep.equal([2, 2])
  })

  it('are not condemned for what ends the process after their turn', () => {
    next().marks.begin([1])
    const second = next()
    second.marks.beginAlone(1)
    second.marks.endTurn()
    expect(next()).to.deep.include({ condemned: [], suspects: [{ id: 1, deaths: 2 }] })
  })

  it('are not counted when the node closed, but stay suspects of an earlier end', () => {
    next().marks.begin([1])
    const second = next()
    second.marks.begin([2])
    second.marks.beginAlone(1)
    second.marks.stop()
    expect(next()).to.deep.include({ condemned: [], suspects: [{ id: 1, deaths: 1 }] })
  })

  describe('have their turns', () => {
    let clock: FakeClock
    let sent: string[]
    let ended: string[]
    const turns: OneAtATime<string>[] = []
    beforeEach(() => {
      clock = new FakeClock()
      sent = []
      ended = []
    })
    afterEach(() => {
      for (const turn of turns.splice(0)) turn.stop()
    })

    function begun(ids: string[], deaths = 1, isThere = true): OneAtATime<string> {
      const turn = oneAtATime({
        clock,
        suspects: ids.map((id) => ({ id, deaths })),
        send(id) {
          if (isThere) sent.push(id)
          return isThere
        },
        onTurnOver: () => void ended.push(sent.at(-1)!),
        onOver: () => void sent.push('over'),
      })
      turns.push(turn)
      turn.start()
      return turn
    }

    it('one after the other: when one is done, or after a while in which the process lived', async () => {
      const turn = begun(['a', 'b', 'c'])
      await settle()
      expect(sent).to.deep.equal(['a'])
      turn.done('b')
      await settle()
      expect(sent).to.deep.equal(['a'])
      turn.done('a')
      await settle()
      expect(sent).to.deep.equal(['a', 'b'])
      await clock.pass(3000)
      await settle()
      expect(sent).to.deep.equal(['a', 'b', 'c'])
      expect(ended).to.deep.equal(['b'])
      turn.done('c')
      expect(sent.at(-1)).to.equal('over')
      expect(turn.isOver).to.equal(true)
    })

    it('for longer after a second end, because one may end the process late', async () => {
      begun(['a', 'b'], 2)
      await clock.pass(29_000)
      expect(sent).to.deep.equal(['a'])
      await clock.pass(1000)
      await settle()
      expect(sent).to.deep.equal(['a', 'b'])
    })

    it('over all queues of the process, also when one of them closes', async () => {
      const one = begun(['a', 'b'])
      begun(['c'])
      await settle()
      expect(sent).to.deep.equal(['a'])
      one.done('a')
      await settle()
      expect(sent).to.deep.equal(['a', 'c'])
      turns[1]!.stop()
      await settle()
      expect(sent).to.deep.equal(['a', 'c', 'b'])
    })

    it('without waiting for those that are gone', async () => {
      const turn = begun(['a', 'b', 'c'], 1, false)
      for (let times = 0; times < 5; times += 1) await settle()
      expect(sent).to.deep.equal(['over'])
      expect(turn.isOver).to.equal(true)
    })
  })

  it('count as survived only after time in which the event loop has turned', () => {
    let now = 0
    const due: (() => void)[] = []
    const late = {
      now: () => now,
      // Each timer is late by a minute, as after a tick that has blocked the event loop.
      after(ms: number, callback: () => void) {
        due.push(() => {
          now += ms + 60_000
          callback()
        })
        return () => {}
      },
      sleep: async () => {},
    }
    let isOver = false
    afterTurning(late, 30_000, () => {
      isOver = true
    })
    for (let steps = 1; steps < 6; steps += 1) due.shift()!()
    expect(isOver).to.equal(false)
    due.shift()!()
    expect(isOver).to.equal(true)
  })
})
