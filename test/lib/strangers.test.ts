/** The line of look-ups of ids that are not known yet. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { createStrangers } from '../../lib/strangers.ts'

const LIMITS = { atOnce: 2, waiting: { total: 6, each: 4 }, known: 2 }
const full = () => new Error('full')

describe('The line of strangers', () => {
  let begun: string[]
  let ends: Map<string, (found: string | undefined) => void>
  const find = (id: string) =>
    new Promise<string | undefined>((resolve) => {
      begun.push(id)
      ends.set(id, resolve)
    })
  const end = async (id: string, found?: string) => {
    ends.get(id)!(found)
    await nextTurn()
  }
  beforeEach(() => {
    begun = []
    ends = new Map()
  })

  it('gives each network its turn, and refuses what is too much of one network or in all', async () => {
    const look = createStrangers(LIMITS, full)(find)
    const ofOne = ['1', '2', '3', '4', '5', '6'].map((id) => look(id, 'one'))
    const refused = [look('7', 'one'), look('a', 'two'), look('b', 'three'), look('c', 'four')].map((one) =>
      one.catch((failure: Error) => failure.message),
    )
    await nextTurn()
    expect(begun).to.deep.equal(['1', '2'])
    expect(await refused[0]).to.equal('full')
    expect(await refused[3]).to.equal('full')
    await end('1')
    await end('2')
    expect(begun).to.deep.equal(['1', '2', '3', 'a'])
    await end('3')
    await end('a')
    expect(begun.slice(4)).to.deep.equal(['b', '4'])
    for (const id of ['b', '4', '5', '6']) await end(id)
    expect(await Promise.all(ofOne)).to.deep.equal(Array(6).fill(undefined))
    expect(await Promise.all(refused.slice(1, 3))).to.deep.equal([undefined, undefined])
  })

  it('lets those that were found before pass, until they are not found or are too many', async () => {
    const look = createStrangers(LIMITS, full)(find)
    for (const id of ['a', 'b']) {
      const looking = look(id, 'one')
      await nextTurn()
      await end(id, id)
      await looking
    }
    const strangers = ['1', '2', '3'].map((id) => look(id, 'one'))
    const known = [look('a', 'one'), look('b', 'one')]
    await nextTurn()
    expect(begun.slice(2)).to.have.members(['1', '2', 'a', 'b'])
    await end('a', undefined)
    await end('b', 'b')
    expect(await Promise.all(known)).to.deep.equal([undefined, 'b'])
    const gone = look('a', 'one')
    await nextTurn()
    expect(begun.slice(6), 'the one that was not found waits').to.deep.equal([])
    for (const id of ['1', '2', '3']) await end(id, id)
    await end('a', 'a')
    await Promise.all([...strangers, gone])
    // Three others were found since.
    const [first, second] = [look('x', 'one'), look('y', 'one')]
    const forgotten = look('b', 'one')
    await nextTurn()
    expect(begun.slice(8)).to.deep.equal(['x', 'y'])
    await end('x')
    await end('y')
    await end('b', 'b')
    await Promise.all([first, second, forgotten])
  })

  it('continues when a look-up fails', async () => {
    const look = createStrangers(
      { ...LIMITS, atOnce: 1 },
      full,
    )(async (id: string) => {
      begun.push(id)
      if (id === '1') throw new Error('away')
      return id
    })
    const looks = ['1', '2'].map((id) => look(id, 'one').catch((failure: Error) => failure.message))
    expect(await Promise.all(looks)).to.deep.equal(['away', '2'])
  })

  it('shares the look-up of one id', async () => {
    const look = createStrangers(LIMITS, full)(find)
    const both = [look('1', 'one'), look('1', 'two'), look('1', 'three')]
    await nextTurn()
    expect(begun).to.deep.equal(['1'])
    await end('1', 'found')
    await end('1', 'found')
    expect(await Promise.all(both)).to.deep.equal(['found', 'found', 'found'])
    expect(begun).to.have.length(2)
  })
})
