/** HL7 messages over MLLP out of a real Node-RED: in order, until they are answered, and never for ever. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aMessage, aReceiver } from '../support/hl7/mllp-peers.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { flow, mllpOut } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'

describe('mllp out', function () {
  this.timeout(60_000)
  let red: NodeRed
  let port: number
  let receiver: Awaited<ReturnType<typeof aReceiver>> | undefined

  before(async () => {
    port = await freePort()
    red = await aNodeRed()
    await red.deploy(flow(...mllpOut(port, { tries: '2', timeout: '1' })))
  })
  after(() => red?.stop())
  afterEach(async () => {
    await receiver?.stop()
    receiver = undefined
    expect(red.log.join('')).to.not.match(/Whitfield|Alma|WC100001/)
  })
  const send = (id: string, more: object = {}) => red.inject('out', { payload: aMessage(id).toString(), ...more })

  it('sends in the order of arrival, and gives each message back with its answer', async () => {
    receiver = await aReceiver(port, ['AA'])
    for (const id of ['M1', 'M2', 'M3']) send(id, { taskId: 7 })
    const message = await red.next('out.0')
    expect(message).to.include({ accepted: true, answerCode: 'AA', taskId: 7 })
    expect(Buffer.from(message.payload as Buffer)).to.deep.equal(aMessage('M1'))
    await red.next('out.0')
    await red.next('out.0')
    expect(receiver.received).to.deep.equal(['M1', 'M2', 'M3'])
    await red.statusOf('out', 'delivered')
  })

  const REFUSED = {
    'is refused with AR': [['AR', 'AA'], 1, { reasonCode: 'REJECTED', answerCode: 'AR' }],
    'is answered with the control id of another one': [['AA*', 'AA*', 'AA'], 2, { reasonCode: 'WRONG_ANSWER' }],
    'gets AE at each try': [['AE', 'AE', 'AA'], 2, { reasonCode: 'NOT_ACCEPTED', answerCode: 'AE' }],
    'gets no answer at any try': [[null, null, 'AA'], 2, { reasonCode: 'UNANSWERED' }],
  } as const
  for (const [what, [codes, tries, properties]] of Object.entries(REFUSED))
    it(`gives up a message that ${what}, says why, and sends the next`, async () => {
      receiver = await aReceiver(port, codes)
      send('BAD')
      send('GOOD')
      const refused = await red.next('out.1')
      expect(refused).to.include({ accepted: false, ...properties })
      expect(refused.reason).to.be.a('string')
      expect(await red.next('out.0')).to.include({ accepted: true })
      expect(receiver.received).to.deep.equal([...Array(tries).fill('BAD'), 'GOOD'])
    })

  it('sends again what is not accepted at first', async () => {
    receiver = await aReceiver(port, ['AE', 'AA'])
    send('M1')
    expect(await red.next('out.0')).to.include({ accepted: true })
    expect(receiver.received).to.deep.equal(['M1', 'M1'])
    expect(red.waiting('out.1')).to.deep.equal([])
  })

  it('keeps what waits over a kill, sealed, and sends it in its order with the same control ids', async () => {
    for (const id of ['K1', 'K2', 'K3']) send(id)
    await red.statusOf('out', 'unreachable, 3 queued')
    await red.kill()
    const file = join(red.userDir, 'countersign/outbox-out.sqlite')
    expect([file, `${file}-wal`].map((name) => readFileSync(name, 'latin1')).join('')).to.not.match(
      /Whitfield|WC100001/,
    )
    receiver = await aReceiver(port, ['AA'])
    red = await aNodeRed({ userDir: red.userDir, port: red.port })
    for (const _ of [1, 2, 3]) expect(await red.next('out.0', () => true, 30_000)).to.include({ accepted: true })
    expect(receiver.received).to.deep.equal(['K1', 'K2', 'K3'])
  })

  it('takes no payload that could not be answered', async () => {
    for (const payload of ['no HL7', aMessage('').toString(), 7]) {
      red.inject('out', { payload })
      const { error } = await red.next('caught')
      expect(error).to.include({ code: 'INVALID_INPUT' })
    }
    expect(red.waiting('out.0')).to.deep.equal([])
  })
})
