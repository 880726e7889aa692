/** What a dispatcher finds by looking, without being told. */
import { expect } from 'chai'
import { ENDPOINT_POLICY } from '../../../server/choices.ts'
import { createClaiming, LOOK_EVERY_MS } from '../../../server/workers/delivery/claiming.ts'
import { createEndpoints } from '../../../server/workers/delivery/endpoints.ts'
import { aDispatch, type TestDispatch } from '../../support/store/a-dispatch.ts'

describe('events that another process has left', () => {
  let dispatch: TestDispatch
  let claiming: ReturnType<typeof createClaiming>
  let isAway: boolean

  beforeEach(async () => {
    isAway = false
    dispatch = await aDispatch()
    const { clock, store } = dispatch
    const fanOut: typeof store.outbox.fanOut = async (...given) => {
      if (isAway) throw new Error('The store is away.')
      return store.outbox.fanOut(...given)
    }
    const outbox = { ...store.outbox, fanOut }
    claiming = createClaiming(
      { clock, store: { outbox }, lease: 'mine', onFault: () => {} },
      createEndpoints(ENDPOINT_POLICY, clock.now),
    )
    await dispatch.subscribe('http://127.0.0.1:1/')
    expect(await claiming.claim(5)).to.deep.equal([])
    await dispatch.happens()
  })
  afterEach(() => dispatch.stop())

  it('are found by the next look, and at once when somebody tells of them', async () => {
    expect(await claiming.claim(5)).to.deep.equal([])
    claiming.eventsCame()
    expect(await claiming.claim(5)).to.have.length(1)
    await dispatch.happens()
    dispatch.clock.advance(LOOK_EVERY_MS)
    expect(await claiming.claim(5)).to.have.length(1)
  })

  it('are found although the clock is set back', async () => {
    dispatch.clock.advance(-60 * 60 * 1000)
    expect(await claiming.claim(5)).to.have.length(1)
  })

  it('are found once the store is back, without being told of again', async () => {
    claiming.eventsCame()
    isAway = true
    await claiming.claim(5).then(
      () => expect.fail('The store is away.'),
      () => {},
    )
    isAway = false
    expect(await claiming.claim(5)).to.have.length(1)
  })
})
