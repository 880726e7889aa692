/** Room in memory that many share. */
import { expect } from 'chai'
import { createRoom } from '../../../server/http/bodies/room.ts'

describe('a room', () => {
  it('limits the total, and what each may take', () => {
    const room = createRoom({ total: 10, each: 6 })
    expect(room.take('a', 7)).to.equal(null)
    expect(room.take('a', 6)).to.be.a('function')
    expect(room.take('a', 1)).to.equal(null)
    expect(room.take('b', 5)).to.equal(null)
    expect(room.take('b', 4)).to.be.a('function')
  })

  it('takes back what was given, once', () => {
    const room = createRoom({ total: 10, each: 10 })
    const giveBack = room.take('a', 5)!
    room.take('a', 5)
    giveBack()
    giveBack()
    expect(room.take('a', 6)).to.equal(null)
    expect(room.take('a', 5)).to.be.a('function')
  })
})
