/**
 * Messages over MLLP that no flow can use, and batches, into a real Node-RED: each is stored and answered by name, waits for a person,
 * and comes into the flow once it is corrected.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { takeApart } from '../../lib/hl7/batch.ts'
import { createFrameReader, framed } from '../../lib/hl7/mllp/frames.ts'
import { parseMessage } from '../../lib/hl7/parse-message.ts'
import { valueAt } from '../../lib/hl7/value-at.ts'
import { eventually } from '../support/eventually.ts'
import { aMessage, aSender } from '../support/hl7/mllp-peers.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { done, embedded, flow, mllpIn } from '../support/node-red/flow.ts'
import { heldAt } from '../support/node-red/held-bridge.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'

describe('mllp in, with a message that no flow can use', function () {
  this.timeout(60_000)
  let red: NodeRed
  let port: number
  let sender: ReturnType<typeof aSender>
  const desk = () => heldAt(red, 'in')

  before(async () => {
    port = await freePort()
    red = await aNodeRed()
    await red.deploy(flow(embedded(), ...mllpIn(port, { limit: '1' }), ...done()))
    await red.statusOf('in', `listening on ${port}, 0 connected`)
    sender = aSender(port)
  })
  after(async () => {
    sender?.close()
    await red?.stop()
  })
  afterEach(async () => {
    for (const { heldId } of await desk().rows()) await desk().post(heldId, 'discard')
    red.take('in.0')
  })

  const nextId = async () => (await red.next('in.0')).controlId
  const heldRows = (count: number) =>
    eventually(async () => {
      const rows = await desk().rows()
      expect(rows).to.have.length(count)
      return rows
    })

  const header = (id: string, fromMsh11: string) => aMessage(id, fromMsh11).toString('latin1').split('\r')[0]!
  const UNUSABLE: Record<string, [message: Buffer, controlId: string, error: string, reason: RegExp]> = {
    'without a control id': [aMessage(''), '', '101', /^MSH-10, the control id, is empty\.$/],
    'of HL7 v3': [aMessage('U2', 'P|3.0'), 'U2', '203', /^MSH-12 is not a version of HL7 v2\.$/],
    'for training': [aMessage('U3', 'T|2.5.1'), 'U3', '202', /^MSH-11 is not one of/],
    'in a character set that is not known': [
      aMessage('U4', 'P|2.5.1||||||ISO IR 999'),
      'U4',
      '100',
      /^The message cannot be read\. MSH-18 names a character set/,
    ],
    'with a second header': [
      Buffer.from(`${header('U6', 'P|2.5.1')}\r${header('U7', 'P|2.5.1')}\r`),
      'U6',
      '100',
      /several messages/,
    ],
    'with an MSH-2 that divides nothing': [
      Buffer.from('MSH|^^^^|HUB|NORTH|CS|CS|20260115||ADT^A08|U8|P|2.5.1\r'),
      'U8',
      '100',
      /MSH-1 and MSH-2 name the same character twice/,
    ],
    'after other characters': [
      Buffer.concat([Buffer.from('order '), aMessage('U9')]),
      'U9',
      '100',
      /does not begin with MSH/,
    ],
    'in UTF-16': [Buffer.from(aMessage('U10').toString(), 'utf16le'), 'U10', '100', /UTF-16/],
    'whose header is longer than is read': [
      Buffer.from(`${header('U11', 'P|2.5.1')}|${'x'.repeat(70_000)}\r`),
      'U11',
      '100',
      /MSH has more than 65,536 bytes/,
    ],
    'with more segments than are read': [
      Buffer.concat([aMessage('U12'), Buffer.from('NTE|\r'.repeat(200_000))]),
      'U12',
      '100',
      /more than 200,000 segments/,
    ],
  }
  for (const [what, [message, controlId, error, reason]] of Object.entries(UNUSABLE)) {
    it(`stores one ${what}, names it in its answer, and holds it for a person`, async () => {
      const code = /MSH-18|UTF-16/.test(reason.source) ? 'AR' : 'AA'
      expect(await sender.send(message)).to.include({ code, controlId, error })
      const [row] = await heldRows(1)
      expect(row!.reasons).to.have.length(1)
      expect(row!.reasons[0]).to.match(reason)
      expect(red.waiting('in.0')).to.deep.equal([])
      await red.statusOf('in', /^1 held on \d+, 1 connected/)
      // What comes again is not held twice.
      expect(await sender.send(message)).to.include({ code, controlId })
      expect(await sender.send(aMessage(`AFTER-${controlId}`))).to.include({ code: 'AA' })
      await red.next('in.0')
      await heldRows(1)
    })
  }

  it('takes what is padded: version, processing id, characters after the last segment', async () => {
    const odd = {
      'a padded version': aMessage('P1', 'P|2.5.1 '),
      'a version with components': aMessage('P2', 'P|2.5.1^USA^1.0'),
      'a padded processing id': aMessage('P3', ' P ^T|2.5.1'),
      'the end of a file of DOS': Buffer.concat([aMessage('P4'), Buffer.from('\x1a')]),
      'zeros at the end': Buffer.concat([aMessage('P5'), Buffer.alloc(16)]),
      'other control characters at the end': Buffer.concat([aMessage('P6'), Buffer.from('\x03\r\n\x04 ')]),
      'control characters before it': Buffer.concat([Buffer.from('\r\n\x02'), aMessage('P7')]),
      'a byte order mark': Buffer.concat([Buffer.from('\u{feff}'), aMessage('P8')]),
      'LF segments': Buffer.from(aMessage('P9').toString().replaceAll('\r', '\n')),
      'CRLF segments': Buffer.from(aMessage('P10').toString().replaceAll('\r', '\r\n')),
    }
    for (const [what, message] of Object.entries(odd)) {
      expect(await sender.send(message), what).to.include({ code: 'AA', error: '' })
      const { controlId } = await red.next('in.0')
      expect(controlId, what).to.match(/^P\d+$/)
    }
    await heldRows(0)
  })

  it('lets a person correct it, and only then lets it into the flow', async () => {
    await sender.send(aMessage('C1', 'T|2.5.1'))
    const [row] = await heldRows(1)
    // Resent as it is, it is held again.
    expect(await desk().post(row!.heldId, 'resend')).to.include({ status: 200 })
    const again = await eventually(async () => {
      const [kept] = await heldRows(1)
      expect(kept).to.include({ heldId: row!.heldId, resentAt: null, controlId: 'C1' })
      return kept
    })
    expect(again!.reasons).to.deep.equal(row!.reasons)
    expect(red.waiting('in.0')).to.deep.equal([])
    const text = await desk().text(row!.heldId)
    await desk().post(row!.heldId, 'edit', { text: text.replace('|C1|T|', '|C2|P|') })
    expect(await desk().post(row!.heldId, 'resend')).to.include({ status: 200 })
    const message = await red.next('in.0')
    expect(message).to.include({ controlId: 'C2', messageType: 'ADT^A08' })
    expect(Buffer.from(message.payload as Buffer).toString()).to.equal(aMessage('C2').toString())
    red.inject('done', message)
    await heldRows(0)
  })

  it('shows UTF-8 as it is meant when the character set is not known, and sends it as it was read', async () => {
    const name = 'Nørgaard'
    const message = Buffer.from(aMessage('C3', 'P|2.5.1||||||ISO IR 999').toString().replace('Whitfield', name))
    await sender.send(message)
    const [row] = await heldRows(1)
    const text = await desk().text(row!.heldId)
    expect(text).to.include(name)
    await desk().post(row!.heldId, 'edit', { text: text.replace('ISO IR 999', 'UNICODE UTF-8') })
    await desk().post(row!.heldId, 'resend')
    const { payload } = await red.next('in.0')
    expect(Buffer.from(payload as Buffer).toString()).to.include(`${name}^Alma`)
  })

  const BHS = 'BHS|^~\\&|WILLOW|CREEK|CS|CS|20260115||||B-8'
  const batch = (...lines: (Buffer | string)[]) =>
    Buffer.concat(lines.map((line) => Buffer.from(typeof line === 'string' ? `${line}\r` : line)))
  /** Sends a frame, and resolves with the answers in the batch that comes back. */
  async function answersTo(frame: Buffer): Promise<string[][]> {
    const socket = connect(port, '127.0.0.1')
    socket.write(framed(frame))
    const answer = await nextFrame(socket)
    socket.destroy()
    const apart = takeApart(answer)!
    expect(apart.findings).to.deep.equal([])
    return apart.groups.flatMap(({ messages }) =>
      messages.map((one) => ['MSA-1', 'MSA-2', 'ERR-3'].map((place) => valueAt(parseMessage(one), place))),
    )
  }

  it('takes a batch apart: each message comes by itself, and is answered by name', async () => {
    const frame = batch(BHS, aMessage('B1'), aMessage('B2', 'T|2.5.1'), aMessage('B3'), 'BTS|3', '')
    expect(await answersTo(frame)).to.deep.equal([
      ['AA', 'B1', ''],
      ['AA', 'B2', '202'],
      ['AA', 'B3', ''],
    ])
    expect([await nextId(), await nextId()]).to.deep.equal(['B1', 'B3'])
    const [row] = await heldRows(1)
    expect(row).to.include({ controlId: 'B2' })
  })

  it('holds a batch with a wrong count as a whole, until the count is corrected', async () => {
    const frame = batch(BHS, aMessage('B4'), aMessage('B5'), 'BTS|3')
    expect(await answersTo(frame)).to.deep.equal([
      ['AA', 'B4', '207'],
      ['AA', 'B5', '207'],
    ])
    const [row] = await heldRows(1)
    expect(row!.reasons).to.deep.equal(['BTS-1 says that the batch has 3 messages; it has 2.'])
    expect(red.waiting('in.0')).to.deep.equal([])
    const text = await desk().text(row!.heldId)
    await desk().post(row!.heldId, 'edit', { text: text.replace('BTS|3', 'BTS|2') })
    await desk().post(row!.heldId, 'resend')
    expect([await nextId(), await nextId()]).to.deep.equal(['B4', 'B5'])
    await heldRows(0)
  })

  it('gives no answer to an empty frame, and reads what follows it', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(Buffer.concat([framed(Buffer.from('')), framed(Buffer.from(' \r\n')), framed(aMessage('H1'))]))
    expect(valueAt(parseMessage(await nextFrame(socket)), 'MSA-2')).to.equal('H1')
    socket.destroy()
    await heldRows(0)
  })

  it('counts and reports bytes without a frame, and nothing of them', async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(aMessage('J1'))
    const { length } = Buffer.from(aMessage('J1').toString().replaceAll('\r', ''))
    await red.statusOf('in', new RegExp(`, ${length} bytes unframed`))
    socket.destroy()
    await eventually(() =>
      expect(red.log.join('')).to.match(/Bytes from (::ffff:)?127\.0\.0\.1 arrived outside of MLLP frames/),
    )
  })

  it('says in the log that a message is held, and nothing of a patient', async () => {
    await sender.send(aMessage('L1', 'T|2.5.1'))
    await heldRows(1)
    await eventually(() => expect(red.log.join('')).to.contain('A message arrived that no flow can use as it is.'))
    expect(red.log.join('')).to.not.match(/Whitfield|Alma|WC100001|rgaard/)
  })

  it('keeps it over a kill', async () => {
    await sender.send(aMessage('K1', 'T|2.5.1'))
    await heldRows(1)
    await red.kill()
    red = await aNodeRed({ userDir: red.userDir, port: red.port })
    await heldRows(1)
    await red.statusOf('in', /^1 held/)
  })
})

async function nextFrame(socket: Socket): Promise<Uint8Array> {
  const reader = createFrameReader(10_000_000)
  for await (const chunk of socket) {
    const [frame] = reader.take(chunk as Buffer)
    if (frame?.kind === 'message') return frame.bytes
  }
  throw new Error('The connection was closed without an answer.')
}
