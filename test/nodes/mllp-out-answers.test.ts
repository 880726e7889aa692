/** Receivers that answer oddly, before a real Node-RED: each message is known as accepted, and no answer is taken for another's. */
import { expect } from 'chai'
import { aMessage } from '../support/hl7/mllp-peers.ts'
import { anOddReceiver, ODD } from '../support/hl7/odd-receivers.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { flow, mllpOut } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'

describe('mllp out and what receivers answer', function () {
  this.timeout(60_000)
  let red: NodeRed
  let port: number
  let receiver: Awaited<ReturnType<typeof anOddReceiver>> | undefined

  before(async () => {
    port = await freePort()
    red = await aNodeRed()
    await red.deploy(flow(...mllpOut(port, { tries: '2', timeout: '5' })))
  })
  after(() => red?.stop())
  afterEach(async () => {
    await receiver?.stop()
    receiver = undefined
    expect(red.log.join('')).to.not.match(/Whitfield|Alma|WC100001/)
  })
  const send = (id: string, more: object = {}, fromMsh11?: string) =>
    red.inject('out', { payload: aMessage(id, fromMsh11).toString(), ...more })

  for (const [how, answers] of Object.entries(ODD))
    it(`a receiver answers ${how}: all 50 are accepted, each was sent once`, async () => {
      receiver = await anOddReceiver(port, answers)
      const ids = Array.from({ length: 50 }, (_, index) => `M${index + 1}`)
      for (const id of ids) send(id, { asked: id })
      for (const id of ids) expect(await red.next('out.0')).to.include({ accepted: true, asked: id })
      expect(receiver.received).to.deep.equal(ids)
      expect(red.waiting('out.1')).to.deep.equal([])
    })

  it('counts the answers to other messages in its status', async () => {
    receiver = await anOddReceiver(port, (ids) => ({ now: ['AA OLD', 'AA OLDER', `AA ${ids.at(-1)}`] }))
    send('M1')
    await red.next('out.0')
    await red.statusOf('out', /delivered, \d+ stray answers/)
  })

  it('sends a message on by the second output that is refused after its receipt, and names it', async () => {
    receiver = await anOddReceiver(port, (ids) => ({ now: [`CA ${ids.at(-1)}`] }))
    send('J1', { taskId: 71 })
    send('J2', { taskId: 72 })
    expect(await red.next('out.0')).to.include({ accepted: true, answerCode: 'CA', taskId: 71 })
    await red.next('out.0')
    for (const answer of ['AA J2', 'AR J1', 'AR J1', 'AR J2']) receiver.say(answer)
    receiver.say('AE BEFORE-A-RESTART')
    const refused = await red.next('out.1')
    expect(refused).to.include({ accepted: false, controlId: 'J1', taskId: 71, answerCode: 'AR' })
    expect(refused.reasonCode).to.equal('REJECTED_LATER')
    const unknown = await red.next('out.1')
    expect(unknown).to.include({ controlId: 'BEFORE-A-RESTART', reasonCode: 'REJECTED_LATER' })
    expect(unknown.taskId).to.equal(undefined)
    expect(red.waiting('out.1')).to.deep.equal([])
  })

  it('gives up a message that only others are answered for, and says so', async () => {
    receiver = await anOddReceiver(port, () => ({ now: ['AA OTHER', 'AR OTHER'] }))
    send('M1')
    const { reason, reasonCode } = await red.next('out.1', () => true, 30_000)
    expect(reasonCode).to.equal('WRONG_ANSWER')
    expect(reason).to.include('2 times with the control id of another message')
    expect(receiver.received).to.deep.equal(['M1', 'M1'])
  })

  it('takes no answer without a control id where it could be to an earlier message', async () => {
    receiver = await anOddReceiver(port, (ids) => ({ now: ids.length === 1 ? [`AA ${ids[0]}`, 'AA'] : ['AE'] }))
    send('M1')
    await red.next('out.0')
    send('M2')
    // Of the second try, which has a connection to itself.
    expect(await red.next('out.1', () => true, 30_000)).to.include({ answerCode: 'AE', reasonCode: 'NOT_ACCEPTED' })
    expect(receiver.received).to.deep.equal(['M1', 'M2', 'M2'])
  })

  const SETS = { '8859/1': 'latin1', 'UNICODE UTF-8': 'utf8', '': 'utf8' } as const
  for (const [named, encoding] of Object.entries(SETS))
    it(`writes a text in ${named || 'UTF-8, where MSH-18 is empty'}`, async () => {
      const bytes: Buffer[] = []
      receiver = await anOddReceiver(port, (ids) => ({ now: [`AA ${ids.at(-1)}`] }))
      const payload = `MSH|^~\\&|A|B|C|D|2026||ADT^A08|L1|P|2.5.1||||||${named}\rPID|1||7||Müller^Zoë\r`
      red.inject('out', { payload })
      const sent = await red.next('out.0')
      bytes.push(Buffer.from(sent.payload as Buffer))
      expect(bytes[0]).to.deep.equal(Buffer.from(payload, encoding))
    })

  it('does not send a text that its character set does not have', async () => {
    for (const [set, name] of [
      ['8859/1', 'Łucja'],
      ['ASCII', 'Müller'],
      ['8859/9', '张伟'],
    ]) {
      red.inject('out', { payload: `MSH|^~\\&|A|B|C|D|2026||ADT^A08|L1|P|2.5.1||||||${set}\rPID|1||7||${name}\r` })
      const { error } = await red.next('caught')
      expect(error).to.include({ code: 'INVALID_INPUT' })
      expect(JSON.stringify(error)).to.not.include(name)
    }
    expect(red.waiting('out.0')).to.deep.equal([])
  })
})
