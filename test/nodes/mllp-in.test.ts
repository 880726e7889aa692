/** HL7 messages over MLLP into a real Node-RED: what is answered, what goes into the flow, and what a kill leaves. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { framed } from '../../lib/hl7/mllp/frames.ts'
import { eventually } from '../support/eventually.ts'
import { aMessage, aSender } from '../support/hl7/mllp-peers.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { done, embedded, flow, mllpIn } from '../support/node-red/flow.ts'
import { heldAt } from '../support/node-red/held-bridge.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'

describe('mllp in', function () {
  this.timeout(60_000)
  let red: NodeRed
  let port: number
  let sender: ReturnType<typeof aSender>
  const nodes = (more: object = {}) => flow(embedded(), ...mllpIn(port, { limit: '1', ...more }), ...done())

  before(async () => {
    port = await freePort()
    red = await aNodeRed()
    await red.deploy(nodes())
    await red.statusOf('in', `listening on ${port}, 0 connected`)
    sender = aSender(port)
  })
  after(async () => {
    sender?.close()
    await red?.stop()
  })
  afterEach(() => red.take('in.0'))

  it('answers AA, and gives the message with what names it', async () => {
    expect(await sender.send(aMessage('M1'))).to.include({ code: 'AA', controlId: 'M1' })
    const message = await red.next('in.0')
    expect(message).to.include({ controlId: 'M1', messageType: 'ADT^A08' })
    expect(message.intake).to.be.a('string')
    expect(Buffer.from(message.payload as Buffer)).to.deep.equal(aMessage('M1'))
    await red.statusOf('in', `listening on ${port}, 1 connected`)
  })

  it('accepts the same message once more without a second one in the flow', async () => {
    expect(await sender.send(aMessage('M2'))).to.include({ code: 'AA' })
    expect(await sender.send(aMessage('M2'))).to.include({ code: 'AA', controlId: 'M2' })
    expect(await sender.send(aMessage('M3'))).to.include({ code: 'AA' })
    const ids = [await red.next('in.0'), await red.next('in.0')].map(({ controlId }) => controlId)
    expect(ids).to.deep.equal(['M2', 'M3'])
  })

  const REFUSED = {
    'what is not HL7': [Buffer.from('not HL7 at all'), '100'],
    'a message that is too long': [Buffer.concat([aMessage('M4'), Buffer.alloc(1_100_000, 'x')]), '207'],
  } as const
  for (const [what, [message, error]] of Object.entries(REFUSED))
    it(`answers AR to ${what}, counts it, and nothing of it is stored`, async () => {
      const answer = await sender.send(message)
      expect(answer).to.include({ code: 'AR', error })
      expect(answer.reason)
        .to.match(/^[A-Z].+\.$/)
        .and.not.match(/Whitfield|WC100001/)
      expect(red.waiting('in.0')).to.deep.equal([])
      await red.statusOf('in', /, \d+ messages refused/)
    })

  it('confirms the receipt, and then answers for the application, as the header asks', async () => {
    expect(await sender.send(aMessage('E1', 'P|2.5.1|||AL|AL'))).to.include({ code: 'CA', controlId: 'E1' })
    await eventually(() => expect(sender.unasked).to.deep.equal(['AA']))
    expect(await sender.send(aMessage('E2', 'P|2.5.1|||AL|NE'))).to.include({ code: 'CA' })
    expect(await sender.send(aMessage('E3', 'T|2.5.1|||ER|AL'))).to.include({ code: 'AA', error: '202' })
    expect(await sender.send(aMessage('E4', 'P|2.5.1|||NE|AL'))).to.include({ code: 'AA' })
    expect(sender.unasked).to.deep.equal(['AA'])
    const desk = heldAt(red, 'in')
    await eventually(async () => expect(await desk.rows()).to.have.length(1))
    for (const { heldId } of await desk.rows()) await desk.post(heldId, 'discard')
  })

  it('does not let others connect than those that are allowed', async () => {
    const other = await freePort()
    await red.deploy(flow(...mllpIn(other, { id: 'in', senders: '10.1.0.0/16, ::2' })))
    await red.statusOf('in', `listening on ${other}, 0 connected`)
    const socket = connect(other, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'close')
    await red.deploy(nodes())
    await red.statusOf('in', /^listening/)
  })

  it('says at the deploy that another node has the port, and listens when it is free', async () => {
    const second = { ...mllpIn(port)[0]!, id: 'second' }
    await red.deploy([...nodes(), ...flow(second).filter(({ id }) => id === 'second')])
    const taken = ['in', 'second'].map((id) => red.statusOf(id, 'port in use').then(() => id))
    const loser = await Promise.any(taken)
    await eventually(() => expect(red.log.join('')).to.contain(`Port ${port} is in use`))
    await red.deploy(nodes(loser === 'in' ? {} : { name: 'alone' }))
    await red.statusOf('in', /^listening/)
  })

  it('sends again after a kill what nobody has taken, and nothing that was dealt with', async () => {
    for (const id of ['K1', 'K2', 'K3']) expect(await sender.send(aMessage(id))).to.include({ code: 'AA' })
    const { intake } = await red.next('in.0', ({ controlId }) => controlId === 'K2')
    red.inject('done', { intake })
    await red.next('done.0')
    // What was accepted is sealed.
    const file = join(red.userDir, 'countersign/intake-in.sqlite')
    expect([file, `${file}-wal`].map((name) => readFileSync(name, 'latin1')).join('')).to.not.match(
      /Whitfield|WC100001/,
    )
    await red.kill()
    red = await aNodeRed({ userDir: red.userDir, port: red.port })
    const ids: unknown[] = []
    while (ids.at(-1) !== 'K3') ids.push((await red.next('in.0')).controlId)
    expect(ids).to.include.members(['K1', 'K3']).and.not.include('K2')
    expect(await sender.send(aMessage('K2'))).to.include({ code: 'AA' })
  })

  it('goes on over a deploy with a sender who is in the middle of a message', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const frame = framed(aMessage('D1'))
    socket.write(frame.subarray(0, 40))
    await red.deploy(nodes({ name: 'changed' }))
    await red.statusOf('in', `listening on ${port}, 0 connected`)
    socket.destroy()
    const again = aSender(port)
    expect(await again.send(aMessage('D1'))).to.include({ code: 'AA' })
    again.close()
    const all: unknown[] = []
    while (all.at(-1) !== 'D1') all.push((await red.next('in.0')).controlId)
  })

  it('says nothing of a patient in the log', () => {
    expect(red.log.join('')).to.not.match(/Whitfield|Alma|WC100001/)
  })
})
