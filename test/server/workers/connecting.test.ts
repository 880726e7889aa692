/** Receivers to which no connection can be made: given up after five seconds, not fifteen, each with its cause in the log. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { expect } from 'chai'
import { CONNECT_TIMEOUT_MS, LOOKUP_PATIENCE_MS } from '../../../server/choices.ts'
import { targetPolicy } from '../../../server/domain/delivery/target.ts'
import type { ResolvedAddress } from '../../../server/workers/delivery/resolve.ts'
import { answers, aRoughReceiver } from '../../support/network/rough-receiver.ts'
import { aDispatch, type TestDispatch } from '../../support/store/a-dispatch.ts'

describe('a receiver that cannot be reached', () => {
  let dispatch: TestDispatch
  let silent: Server | undefined
  afterEach(async () => {
    await dispatch.stop()
    silent?.close()
    silent = undefined
  })

  /** The one attempt that is made; `isUnderWay` says when the clock may be put forward. */
  async function attempt(url: string, resolve: () => Promise<ResolvedAddress[]>, isUnderWay?: () => boolean) {
    dispatch = await aDispatch({ targets: targetPolicy(false, ['127.0.0.1']), resolve })
    const { id } = await dispatch.subscribe(url)
    await dispatch.happens()
    dispatch.dispatcher.start()
    if (isUnderWay) {
      await dispatch.until(isUnderWay)
      dispatch.clock.advance(CONNECT_TIMEOUT_MS - 1)
      expect((await dispatch.delivery(id)).attempts).to.equal(0)
      dispatch.clock.advance(1)
    }
    const { id: delivery } = await dispatch.until(async () => {
      const found = await dispatch.delivery(id)
      return found?.attempts === 1 && found
    })
    const [made] = await dispatch.store.deliveries.attempts(delivery)
    return { outcome: made!.outcome, durationMs: made!.durationMs, connectMs: made!.connectMs, status: made!.status }
  }

  it('because its name server is silent', async () => {
    let isAsked = false
    const never = () => {
      isAsked = true
      return new Promise<ResolvedAddress[]>(() => {})
    }
    expect(await attempt('https://silent.example/', never, () => isAsked)).to.deep.equal({
      outcome: 'timeout',
      durationMs: CONNECT_TIMEOUT_MS,
      connectMs: null,
      status: null,
    })
  })

  it('because it accepts the connection and never shakes hands', async () => {
    let isAccepted = false
    silent = createServer((socket) => {
      isAccepted = true
      socket.on('error', () => {})
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const here = async () => [{ address: '127.0.0.1', family: 4 }]
    expect(await attempt(`https://mute.example:${port}/`, here, () => isAccepted)).to.deep.equal({
      outcome: 'timeout',
      durationMs: CONNECT_TIMEOUT_MS,
      connectMs: null,
      status: null,
    })
  })

  for (const [why, resolve] of [
    ['there is no such name', () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }))],
    ['its name server fails', () => Promise.reject(Object.assign(new Error('busy'), { code: 'EAI_AGAIN' }))],
    ['its name has no address', async () => []],
  ] as const)
    it(`because ${why}`, async () => {
      expect(await attempt('https://nobody.example/', resolve)).to.include({ outcome: 'dns', status: null })
    })
})

describe('a receiver whose name does not get its turn to be looked up', () => {
  it('is given up for now: its delivery is due again soon, and has used up no attempt', async () => {
    const asked: string[] = []
    const dispatch = await aDispatch({
      resolve: (host) => {
        asked.push(host)
        return new Promise(() => {})
      },
    })
    try {
      // One unknown name of an organization is looked up at a time, and this one never ends.
      await dispatch.subscribe('https://silent.example/')
      await dispatch.happens()
      dispatch.dispatcher.start()
      await dispatch.until(() => asked.length === 1)
      const { id } = await dispatch.subscribe('https://waiting.example/')
      await dispatch.happens()
      await dispatch.until(async () => (await dispatch.delivery(id))?.isUnderWay)
      const claimedAt = dispatch.clock.now()
      const released = await dispatch.until(async () => {
        const found = await dispatch.delivery(id)
        if (!found.isUnderWay) return found
        dispatch.clock.advance(500)
        return null
      })
      expect(released).to.include({ state: 'waiting', attempts: 0 })
      const dueAfterMs = Date.parse(released.nextAttemptAt!) - claimedAt
      expect(dueAfterMs, 'the patience and a pause').to.be.within(
        LOOKUP_PATIENCE_MS + 2_000,
        LOOKUP_PATIENCE_MS + 5_000,
      )
      expect(asked).to.deep.equal(['silent.example'])
    } finally {
      await dispatch.stop()
    }
  })
})

describe('a receiver that breaks off a connection', () => {
  /** Two events, of which the receiver breaks off the second as soon as it has it; `isKept` says whether it keeps connections. */
  async function twoEvents(isKept: boolean) {
    const receiver = await aRoughReceiver({
      behave: (response, count) => {
        if (count === 2) response.socket!.resetAndDestroy()
        else answers(204, isKept ? {} : { connection: 'close' })(response)
      },
    })
    const dispatch = await aDispatch()
    try {
      const { id } = await dispatch.subscribe(receiver.url)
      dispatch.dispatcher.start()
      await dispatch.happens()
      await dispatch.until(async () => (await dispatch.delivery(id))?.attempts === 1)
      const eventId = await dispatch.happens()
      const [second] = await dispatch.until(async () => {
        const found = await dispatch.store.deliveries.list({ eventId }, 1)
        return found[0]?.attempts === 1 && found
      })
      return { state: second!.state, calls: receiver.taken.length, connections: receiver.connections.count }
    } finally {
      await receiver.close()
      await dispatch.stop()
    }
  }

  it('that was kept is called again at once, over a new one: the same attempt', async () => {
    expect(await twoEvents(true)).to.deep.equal({ state: 'delivered', calls: 3, connections: 2 })
  })

  it('that was new has failed, and is called again when the attempt is due', async () => {
    expect(await twoEvents(false)).to.deep.equal({ state: 'waiting', calls: 2, connections: 2 })
  })
})
