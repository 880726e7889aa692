/** Room that many share. */
import { expect } from 'chai'
import { createRoom } from '../../../server/http/bodies/room.ts'

describe('a room', () => {
  it('has a total, and a share for each', () => {
    const room = createRoom({ total: 10, each: 6 })
    expect(room.take('a', 7)).to.equal(null)
    expect(room.take('a', 6)).to.be.a('function')
    expect(room.take('a', 1)).to.equal(null)
    expect(room.take('b', 5)).to.equal(null)
    expect(room.take('b', 4)).to.be.a('function')
  })

  it('gets back what was taken, once', () => {
    const room = createRoom({ total: 10, each: 10 })
    const giveBack = room.take('a', 5)!
    room.take('a', 5)
    giveBack()
    giveBack()
    expect(room.take('a', 6)).to.equal(null)
    expect(room.take('a', 5)).to.be.a('function')
  })
})
