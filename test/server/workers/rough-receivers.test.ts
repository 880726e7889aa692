import { expect } from 'chai'
import { verifyWebhook } from '../../../lib/webhook/signature.ts'
import { RETRY_DELAYS_MS } from '../../../server/choices.ts'
import { targetPolicy } from '../../../server/domain/delivery/target.ts'
import { createSealCertificate } from '../../../server/pdf/seal/certificate.ts'
import { type FakeClock, settle } from '../../support/fake-clock.ts'
import { answers, aRoughReceiver, type RoughOptions, type RoughReceiver } from '../../support/network/rough-receiver.ts'
import { aDispatch, type DispatchOptions, type TestDispatch } from '../../support/store/a-dispatch.ts'

const ATTEMPTS = RETRY_DELAYS_MS.length + 1

describe('a receiver that fails every time, through the whole schedule', () => {
  let dispatch: TestDispatch
  let receiver: RoughReceiver
  let secret: string
  let subscriptionId: number
  const others: RoughReceiver[] = []

  async function meet(behave: RoughOptions['behave'], options: DispatchOptions<FakeClock> = {}, more = {}) {
    dispatch = await aDispatch(options)
    receiver = await aRoughReceiver({ behave, now: dispatch.clock.now, ...more })
    const subscription = await dispatch.subscribe(receiver.url)
    secret = subscription.secret
    subscriptionId = subscription.id
    dispatch.dispatcher.start()
  }

  /** Puts the clock forward from attempt to attempt. `during` is called while an attempt is under way and cannot end by itself. */
  async function wholeSchedule(during?: (attempt: number) => Promise<void>) {
    const eventId = await dispatch.happens()
    for (let attempt = 1; ; attempt++) {
      if (during) await during(attempt)
      const delivery = await dispatch.until(async () => {
        const found = await dispatch.delivery(subscriptionId)
        return found && found.attempts >= attempt && !found.isUnderWay && found
      })
      if (delivery.state !== 'waiting')
        return { eventId, delivery, attempts: await dispatch.store.deliveries.attempts(delivery.id) }
      dispatch.clock.advanceTo(Date.parse(delivery.nextAttemptAt!))
    }
  }

  const gaps = (starts: readonly string[]) => starts.slice(1).map((at, i) => Date.parse(at) - Date.parse(starts[i]!))

  afterEach(async () => {
    await Promise.all([receiver, ...others.splice(0)].map((one) => one.close()))
    await dispatch.stop()
  })

  it('500: twelve attempts on schedule, the same bytes and event id, each freshly dated and signed', async () => {
    await meet(answers(500))
    const { eventId, delivery, attempts } = await wholeSchedule()
    expect(delivery).to.include({ state: 'failed', attempts: ATTEMPTS, nextAttemptAt: null })
    expect(attempts.map(({ outcome, status }) => `${outcome} ${status}`)).to.deep.equal(
      Array(ATTEMPTS).fill('http 500'),
    )
    expect(gaps(attempts.map(({ startedAt }) => startedAt))).to.deep.equal(RETRY_DELAYS_MS)
    const { taken } = receiver
    expect(taken).to.have.length(ATTEMPTS)
    expect(new Set(taken.map(({ body }) => body.toString('hex'))).size).to.equal(1)
    expect(new Set(taken.map(({ headers }) => headers['x-service-signature'])).size).to.equal(ATTEMPTS)
    for (const [index, { headers, body, at }] of taken.entries()) {
      const event = verifyWebhook({ payload: body, headers, secrets: secret, now: at, toleranceSeconds: 1 })
      expect(event.eventId).to.equal(eventId)
      expect(headers).to.include({ 'x-service-attempt': String(index + 1), 'content-type': 'application/json' })
    }
  })

  it('301: a failure, and the other place is never called', async () => {
    const elsewhere = await aRoughReceiver({ behave: answers(200) })
    others.push(elsewhere)
    await meet(answers(301, { location: elsewhere.url }))
    const { attempts } = await wholeSchedule()
    expect(attempts.map(({ status }) => status)).to.deep.equal(Array(ATTEMPTS).fill(301))
    expect(elsewhere.connections.count).to.equal(0)
  })

  it('410: no second attempt; the subscription is deactivated and its queue cancelled', async () => {
    await meet((response, count) => answers(count > 1 ? 410 : 500)(response))
    await dispatch.happens()
    await dispatch.until(async () => (await dispatch.delivery(subscriptionId))?.attempts === 1)
    await dispatch.happens()
    await dispatch.until(async () => !(await dispatch.sender.subscriptions.list())[0]!.isActive)
    dispatch.clock.advance(100 * 60 * 60 * 1000)
    await dispatch.happens()
    await dispatch.allIsSent()
    expect(receiver.taken).to.have.length(2)
    const states = (await dispatch.store.deliveries.list({ subscriptionId }, 10)).map(({ state }) => state)
    expect(states).to.deep.equal(['failed', 'cancelled'])
  })

  it('429 with Retry-After: never earlier than asked, never later than the schedule lets it', async () => {
    await meet(answers(429, { 'retry-after': '90' }))
    const { attempts } = await wholeSchedule()
    const starts = gaps(attempts.map(({ startedAt }) => startedAt))
    // Jitter is only ever added to what was asked for: the middle of it is ten per cent.
    const asked = [60_000, 60_000, 120_000, ...RETRY_DELAYS_MS.slice(3)]
    expect(starts).to.deep.equal(asked.map((ms) => Math.round(ms * 1.1)))
  })

  it('accepts and then hangs: given up after 15 seconds, twelve times', async () => {
    await meet(() => {})
    const { attempts } = await wholeSchedule(async (attempt) => {
      await dispatch.until(() => receiver.taken.length === attempt)
      dispatch.clock.advance(15_000)
    })
    expect(attempts.map(({ outcome, durationMs }) => `${outcome} ${durationMs}`)).to.deep.equal(
      Array(ATTEMPTS).fill('timeout 15000'),
    )
    expect(gaps(attempts.map(({ startedAt }) => startedAt))).to.deep.equal(RETRY_DELAYS_MS.map((ms) => ms + 15_000))
  })

  it('resets the connection: twelve times', async () => {
    await meet((response) => void response.socket!.resetAndDestroy())
    const { attempts } = await wholeSchedule()
    expect(attempts.map(({ outcome, status }) => [outcome, status])).to.deep.equal(
      Array(ATTEMPTS).fill(['connection', null]),
    )
    expect(receiver.taken).to.have.length(ATTEMPTS)
  })

  for (const [slow, begin] of [
    ['body', (response: Parameters<RoughOptions['behave']>[0]) => void response.writeHead(200).flushHeaders()],
    ['head', (response: Parameters<RoughOptions['behave']>[0]) => void response.socket!.write('HTTP/1.1 200 OK\r\nX-')],
  ] as const)
    it(`sends one byte a second of its ${slow}: the 15 seconds include it`, async () => {
      const open: (() => void)[] = []
      await meet((response) => {
        begin(response)
        open.push(() => void (slow === 'body' ? response.write('.') : response.socket?.write('a')))
      })
      const { attempts } = await wholeSchedule(async (attempt) => {
        await dispatch.until(() => open.length === attempt)
        for (let second = 0; second < 15; second++) {
          open[attempt - 1]!()
          await settle()
          dispatch.clock.advance(1_000)
        }
      })
      expect(attempts.map(({ outcome, durationMs }) => `${outcome} ${durationMs}`)).to.deep.equal(
        Array(ATTEMPTS).fill('timeout 15000'),
      )
    })

  const pour = (status: number, sent: { bytes: number }) => (response: Parameters<RoughOptions['behave']>[0]) => {
    response.writeHead(status, { 'content-length': 100 * 1024 * 1024 })
    const chunk = Buffer.alloc(64 * 1024)
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent.bytes += chunk.length
    }
    response.on('drain', more)
    more()
  }

  it('answers 500 and 100 MB: the answer is cut off, twelve times', async () => {
    const sent = { bytes: 0 }
    await meet(pour(500, sent))
    const { attempts } = await wholeSchedule()
    expect(attempts.map(({ outcome, status }) => [outcome, status])).to.deep.equal(Array(ATTEMPTS).fill(['http', 500]))
    for (const { answerBytes } of attempts) expect(answerBytes).to.be.below(200_000)
    expect(sent.bytes).to.be.below(ATTEMPTS * 10 * 1024 * 1024)
  })

  it('answers 200 and 100 MB: delivered, and the rest is not read', async () => {
    const sent = { bytes: 0 }
    await meet(pour(200, sent))
    const { attempts, delivery } = await wholeSchedule()
    expect(delivery.state).to.equal('delivered')
    expect(attempts).to.have.length(1)
    expect(sent.bytes).to.be.below(10 * 1024 * 1024)
  })

  it('presents a certificate that nobody vouches for: nothing is sent, twelve times', async () => {
    const { certificatePem: cert, privateKeyPem: key } = await createSealCertificate(new Date())
    await meet(answers(200), { targets: targetPolicy(false, ['127.0.0.1']) }, { tls: { cert, key } })
    const { attempts } = await wholeSchedule()
    expect(attempts.map(({ outcome, status }) => [outcome, status])).to.deep.equal(Array(ATTEMPTS).fill(['tls', null]))
    expect(receiver.taken).to.have.length(0)
    expect(receiver.connections.count).to.equal(ATTEMPTS)
  })

  it('changes its address after the first attempt: the forbidden one is never dialled', async () => {
    const { certificatePem: cert, privateKeyPem: key } = await createSealCertificate(new Date())
    const asked: string[] = []
    dispatch = await aDispatch({
      targets: targetPolicy(false, ['127.0.0.1/32']),
      resolve: async (host) => {
        asked.push(host)
        return [{ address: asked.length === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
      },
    })
    receiver = await aRoughReceiver({ behave: answers(200), tls: { cert, key } })
    const inside = await aRoughReceiver({ behave: answers(200), host: '127.0.0.2', port: receiver.port })
    others.push(inside)
    subscriptionId = (await dispatch.subscribe(`https://rebind.example:${receiver.port}/`)).id
    dispatch.dispatcher.start()
    const { attempts } = await wholeSchedule()
    expect(attempts.map(({ outcome }) => outcome)).to.deep.equal(['tls', ...Array(ATTEMPTS - 1).fill('blocked_target')])
    expect(asked).to.deep.equal(Array(ATTEMPTS).fill('rebind.example'))
    expect(receiver.connections.count).to.equal(1)
    expect(inside.connections.count).to.equal(0)
  })
})
