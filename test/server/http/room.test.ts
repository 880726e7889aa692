/** Room in memory that many share. */
import { expect } from 'chai'
import { createPlaces, createRoom } from '../../../server/http/bodies/room.ts'

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

  it('is crowded from a refusal on until a quarter is free again', () => {
    const room = createRoom({ total: 12, each: 8 })
    const taken = Array.from({ length: 8 }, () => room.take('a', 1)!)
    expect(room.crowding()).to.deep.equal({ isFull: false, crowds: 0 })
    expect(room.take('a', 1)).to.equal(null)
    expect(room.crowding()).to.deep.equal({ isFull: false, crowds: 1 })
    taken.pop()!()
    expect(room.crowding().crowds, 'seven of eight').to.equal(1)
    taken.pop()!()
    expect(room.crowding().crowds, 'six of eight').to.equal(0)
    const others = Array.from({ length: 6 }, () => room.take('b', 1)!)
    expect(room.take('b', 1)).to.equal(null)
    expect(room.crowding()).to.deep.equal({ isFull: true, crowds: 0 })
    for (const giveBack of others.splice(0, 3)) giveBack()
    expect(room.crowding()).to.deep.equal({ isFull: false, crowds: 0 })
  })

  it('is not crowded by a request that is too large for it', () => {
    const room = createRoom({ total: 12, each: 8 })
    expect(room.take('a', 9)).to.equal(null)
    expect(room.take('a', 13)).to.equal(null)
    expect(room.crowding()).to.deep.equal({ isFull: false, crowds: 0 })
  })
})

describe('places of groups', () => {
  it('are crowded by a name and by its group', () => {
    const places = createPlaces({ total: 100, group: 8, each: 4 })
    const taken = ['a', 'b'].flatMap((name) => Array.from({ length: 4 }, () => places.take('g', name)!))
    expect(places.take('g', 'c')).to.equal(null)
    expect(places.crowding()).to.deep.equal({ isFull: false, crowds: 1 })
    taken[0]!()
    expect(places.take('g', 'b')).to.equal(null)
    expect(places.crowding()).to.deep.equal({ isFull: false, crowds: 2 })
    for (const leave of taken) leave()
    expect(places.crowding()).to.deep.equal({ isFull: false, crowds: 0 })
  })
})
