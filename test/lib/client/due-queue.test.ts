/** The order in which waits become due, against a list that is sorted each time. */
import { expect } from 'chai'
import fc from 'fast-check'
import { createDueQueue } from '../../../lib/client/watch/due-queue.ts'

describe('The queue of waits', () => {
  it('gives what is due first, whatever was set, moved and deleted before', () => {
    const act = fc.oneof(
      fc.record({ does: fc.constant('set' as const), id: fc.nat(12), at: fc.nat(30) }),
      fc.record({ does: fc.constant('delete' as const), id: fc.nat(12) }),
      fc.record({ does: fc.constant('take' as const), now: fc.nat(30) }),
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 80 }), (acts) => {
        const queue = createDueQueue()
        const model = new Map<number, number>()
        for (const one of acts) {
          const first = Math.min(...model.values())
          expect(queue.next()).to.equal(model.size === 0 ? undefined : first)
          if (one.does === 'set') {
            queue.set(one.id, one.at)
            model.set(one.id, one.at)
          } else if (one.does === 'delete') {
            queue.delete(one.id)
            model.delete(one.id)
          } else {
            const id = queue.take(one.now)
            if (model.size === 0 || first > one.now) expect(id).to.equal(undefined)
            else {
              expect(model.get(id!)).to.equal(first)
              model.delete(id!)
            }
          }
        }
      }),
      { numRuns: 300, seed: 36 },
    )
  })

  it('takes what is due at this moment, and nothing that is due later', () => {
    const queue = createDueQueue()
    queue.set(1, 10)
    expect([queue.take(9), queue.take(10), queue.take(10), queue.next()]).to.deep.equal([
      undefined,
      1,
      undefined,
      undefined,
    ])
  })
})
