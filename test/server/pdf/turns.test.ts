import { expect } from 'chai'
import { createQueueGroup, createTurns, type Turn } from '../../../server/pdf/workers/turns.ts'
import { settle } from '../../support/fake-clock.ts'

describe('turns', () => {
  it('are given to as many as there are places, in order', async () => {
    const turns = createTurns(2)
    const order: number[] = []
    let running = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const turn = await turns.take()
        order.push(i)
        most = Math.max(most, ++running)
        await settle()
        running--
        turn.giveBack()
      }),
    )
    expect(most).to.equal(2)
    expect(order).to.deep.equal([0, 1, 2, 3, 4, 5])
  })

  it('know whether they had company', async () => {
    const turns = createTurns(2)
    const first = await turns.take()
    expect(first.hadCompany()).to.equal(false)
    const second = await turns.take()
    second.giveBack()
    expect([first.hadCompany(), second.hadCompany()]).to.deep.equal([true, true])
  })

  it('can be had alone, and are not overtaken meanwhile', async () => {
    const turns = createTurns(2)
    const first = await turns.take()
    const order: string[] = []
    const alone = turns.take(true).then((turn) => {
      order.push('alone')
      return turn
    })
    const later = turns.take().then((turn) => {
      order.push('later')
      return turn
    })
    await settle()
    expect(order).to.deep.equal([])
    first.giveBack()
    const turn = await alone
    await settle()
    expect(order).to.deep.equal(['alone'])
    expect(turn.hadCompany()).to.equal(false)
    turn.giveBack()
    ;(await later).giveBack()
  })

  it('of queues in one group know each other, though each has places of its own', async () => {
    const group = createQueueGroup()
    const [one, other] = [createTurns(1, group), createTurns(1, group)]
    const [first, beside] = [await one.take(), await other.take()]
    expect([first.hadCompany(), beside.hadCompany()]).to.deep.equal([true, true])
    const order: string[] = []
    const entered = (name: string) => (turn: Turn) => {
      order.push(name)
      return turn
    }
    const alone = one.take(true).then(entered('alone'))
    const later = other.take().then(entered('later'))
    first.giveBack()
    await settle()
    expect(order, 'while another runs beside').to.deep.equal([])
    beside.giveBack()
    const turn = await alone
    await settle()
    expect(order).to.deep.equal(['alone'])
    expect(turn.hadCompany()).to.equal(false)
    turn.giveBack()
    ;(await later).giveBack()
  })
})
