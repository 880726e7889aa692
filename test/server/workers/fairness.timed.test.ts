/** Organizations beside each other: silent name servers of one cost another neither time nor attempts. */
import { expect } from 'chai'
import { systemClock } from '../../../lib/clock.ts'
import { LOOKUP_PATIENCE_MS } from '../../../server/choices.ts'
import type { ResolvedAddress } from '../../../server/workers/delivery/resolve.ts'
import { answers, aRoughReceiver, type RoughReceiver } from '../../support/network/rough-receiver.ts'
import { aDispatch } from '../../support/store/a-dispatch.ts'

const HERE = [{ address: '127.0.0.1', family: 4 }]

describe('callbacks of organizations beside each other', () => {
  let receiver: RoughReceiver
  /** The receiver, by a name that has to be looked up. */
  let url: string
  beforeEach(async () => {
    receiver = await aRoughReceiver({ behave: answers(204) })
    url = `http://localhost:${receiver.port}/`
  })
  afterEach(() => receiver.close())

  it('go out at once, though 50 subscriptions of another organization have silent name servers', async function () {
    this.timeout(15_000)
    const asked: string[] = []
    const dispatch = await aDispatch({
      clock: systemClock,
      resolve: async (host) => {
        asked.push(host)
        return host === 'localhost' ? HERE : new Promise<ResolvedAddress[]>(() => {})
      },
    })
    try {
      for (let n = 0; n < 50; n++) await dispatch.subscribe(`https://silent-${n}.example/`)
      const other = await dispatch.another('Northfield')
      const id = await other.subscribe(url)
      await dispatch.happensOften(6)
      dispatch.dispatcher.start()
      await dispatch.until(() => asked.length > 0)
      const underWay = async () => (await dispatch.store.deliveries.list({}, 1_000)).filter((one) => one.isUnderWay)
      await dispatch.until(async () => (await underWay()).length > 0)
      const waits: number[] = []
      for (let event = 1; event <= 5; event++) {
        const begun = performance.now()
        await other.happens()
        await dispatch.until(() => receiver.taken.length === event)
        waits.push(performance.now() - begun)
      }
      expect(Math.max(...waits), 'ms from a change to its callback').to.be.below(1_000)
      await dispatch.until(async () => (await dispatch.delivery(id)).state === 'delivered')
      const sent = await dispatch.store.deliveries.list({ subscriptionId: id }, 10)
      expect(sent.map(({ state, attempts }) => `${state} ${attempts}`)).to.deep.equal(Array(5).fill('delivered 1'))
      expect((await underWay()).length, 'attempts of the silent ones at once').to.be.at.most(48)
      expect(asked.filter((host) => host !== 'localhost').length, 'threads held').to.be.at.most(2)
    } finally {
      await dispatch.stop()
    }
  })

  it('use up no attempt while they wait for a look-up, and do not count as failures of their receiver', async () => {
    const asked = new Map<string, (found: ResolvedAddress[]) => void>()
    const resolve = (host: string) => new Promise<ResolvedAddress[]>((answer) => asked.set(host, answer))
    const dispatch = await aDispatch({ resolve })
    try {
      dispatch.dispatcher.start()
      const silent = await dispatch.subscribe('https://silent.example/')
      await dispatch.happens()
      await dispatch.until(() => asked.has('silent.example'))
      const { id } = await dispatch.subscribe(url)
      await dispatch.sender.subscriptions.update(silent.id, { active: false }, new Date(dispatch.clock.now()))
      for (let event = 0; event < 3; event++) await dispatch.happens()
      for (let waitedMs = 0; waitedMs < 12 * LOOKUP_PATIENCE_MS; waitedMs += 1_000) {
        dispatch.clock.advance(1_000)
        await dispatch.nothingIsDue()
      }
      const waiting = await dispatch.store.deliveries.list({ subscriptionId: id }, 10)
      expect(waiting.map(({ state, attempts }) => `${state} ${attempts}`)).to.deep.equal(Array(3).fill('waiting 0'))
      asked.get('silent.example')!(HERE)
      await dispatch.until(() => asked.has('localhost'))
      await dispatch.until(() => {
        dispatch.clock.advance(100)
        asked.get('localhost')!(HERE)
        return receiver.taken.length === 3
      })
      expect(receiver.taken.map(({ headers }) => headers['x-service-attempt'])).to.deep.equal(['1', '1', '1'])
      await dispatch.until(async () => (await dispatch.delivery(id)).state === 'delivered')
    } finally {
      await dispatch.stop()
    }
  })
})
