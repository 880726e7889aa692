/** Receivers to which no connection can be made: given up after five seconds, not fifteen, each with its cause in the log. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { expect } from 'chai'
import { CONNECT_TIMEOUT_MS } from '../../../server/choices.ts'
import { targetPolicy } from '../../../server/domain/delivery/target.ts'
import type { ResolvedAddress } from '../../../server/workers/delivery/resolve.ts'
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
