/** What peers do to a receiver and to a sender of MLLP that do not mean well, over real sockets. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { expect } from 'chai'
import { framed } from '../../../lib/hl7/mllp/frames.ts'
import { createMllpSender } from '../../../lib/hl7/mllp/send.ts'
import { type MllpServerOptions, serveMllp } from '../../../lib/hl7/mllp/serve.ts'
import { createReceive } from '../../../nodes/shared/mllp/receive.ts'
import { eventually } from '../../support/eventually.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { tlsIdentity } from '../../support/network/tls-identity.ts'

const HOST = '127.0.0.1'
const order = (id: string, text = '') =>
  Buffer.from(`MSH|^~\\&|EPIC|LAKE|CS|CS|20260115||ADT^A08|${id}|P|2.5.1\rOBX|1|TX|1||${text}\r`, 'latin1')

describe('A peer of MLLP that means no good', () => {
  const ends: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  /** A receiver that answers as the node does. */
  async function aReceiver(options: Partial<MllpServerOptions> = {}) {
    const stored: string[] = []
    const refusals: string[] = []
    const errors: string[] = []
    const onFrame = createReceive({
      intake: {
        accept: async ({ controlId }) => {
          stored.push(String(controlId))
          return 'new'
        },
      },
      limitBytes: 1_000_000,
      processingIds: [],
      now: () => new Date(0),
      newId: () => 'A',
      hasRoomToHold: () => true,
      onStored: () => {},
      onHeld: () => {},
      onRefused: () => {},
      onUnframed: () => {},
    })
    const server = await serveMllp({
      port: 0,
      host: HOST,
      limitBytes: 1_000_000,
      onFrame,
      onRefused: (reason) => void refusals.push(reason),
      onError: (error) => void errors.push(String(error)),
      ...options,
    })
    ends.push(() => server.stop(100))
    return { port: server.port, stored, refusals, errors }
  }

  function aSocket(port: number, localAddress = HOST) {
    const socket = connect({ port, host: HOST, localAddress })
    const peer = { socket, text: '', isClosed: false }
    socket.on('data', (chunk) => {
      peer.text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      peer.isClosed = true
    })
    ends.push(() => socket.destroy())
    return peer
  }

  for (const [what, within] of [
    ['1C 0B', '\x1c\x0b'],
    ['1C', '\x1c'],
    ['0B', '\x0b'],
    ['1C 0A', '\x1c\n'],
  ] as const)
    it(`smuggles no message in a text with ${what}: the answer names the byte, and the connection ends`, async () => {
      const receiver = await aReceiver()
      const peer = aSocket(receiver.port)
      const text = `note ${within}${order('SMUGGLED').toString('latin1')}`
      peer.socket.write(Buffer.concat([Uint8Array.of(0x0b), order('OUTER', text), Uint8Array.of(0x1c, 0x0d)]))
      await eventually(() => expect(peer.isClosed).to.equal(true))
      expect([...peer.text.matchAll(/MSA\|(\w\w)\|(\w+)/g)].map(([, code, id]) => `${code} ${id}`)).to.deep.equal([
        'AR OUTER',
      ])
      expect(peer.text).to.match(/the byte 0x(0B|1C)/)
      expect(receiver.stored).to.deep.equal([])
    })

  it('does not fill the memory with many large messages at once: what cannot be answered yet is not read', async () => {
    // Together less than all unfinished messages may have, so that none is ended however evenly they arrive.
    const [senders, size] = [8, 16_000_000]
    const sockets: Socket[] = []
    const onSocket = (message: unknown) => void sockets.push((message as { socket: Socket }).socket)
    subscribe('net.server.socket', onSocket)
    ends.push(() => unsubscribe('net.server.socket', onSocket))
    let answered = 0
    let under = 0
    let most = 0
    let further = 0
    const unanswered = () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0) - answered * size
    const { port } = await aReceiver({
      limitBytes: 20_000_000,
      async onFrame(frame) {
        if (frame.kind !== 'message') return []
        under += frame.bytes.length
        most = Math.max(most, under)
        // All others send in the meantime, as far as they can. What had come before the first message was whole was read.
        const room = Math.max(unanswered(), 64 * 1024 * 1024)
        for (let turns = 0; turns < 300; turns += 1) {
          await nextTurn()
          further = Math.max(further, unanswered() - room)
        }
        under -= frame.bytes.length
        answered += 1
        return [Buffer.from('A')]
      },
    })
    const stream = framed(order('M', 'x'.repeat(size)))
    const peers = Array.from({ length: senders }, () => aSocket(port))
    for (const { socket } of peers) socket.write(stream)
    await eventually(() => expect(answered).to.equal(senders), 60_000)
    expect(most, 'bytes that are answered at once').to.be.lessThan(2 * size + 1000)
    expect(further, 'bytes that were read beyond the limit').to.be.lessThan(13_000_000)
  }).timeout(90_000)

  it('is not ended for the time in which the receiver does not read, and has the rest of its own time after that', async () => {
    const clock = new FakeClock()
    const limitBytes = 33_000_000
    let release = () => {}
    const answered: number[] = []
    const { port, errors } = await aReceiver({
      clock,
      limitBytes,
      frameTimeoutMs: 60_000,
      async onFrame(frame) {
        if (frame.kind !== 'message') return []
        if (answered.push(frame.bytes.length) === 1)
          await new Promise<void>((resolve) => {
            release = resolve
          })
        return [Buffer.from('A')]
      },
    })
    const sockets: Socket[] = []
    const onSocket = (message: unknown) => void sockets.push((message as { socket: Socket }).socket)
    subscribe('net.server.socket', onSocket)
    ends.push(() => unsubscribe('net.server.socket', onSocket))
    const message = framed(order('M', 'x'.repeat(32_000_000)))
    const [first, second, third] = [aSocket(port), aSocket(port), aSocket(port)]
    first.socket.write(message)
    await eventually(() => expect(answered).to.have.length(1), 60_000)
    // They are read until the room is used. From then on, no time runs for any of the three.
    second.socket.write(message)
    third.socket.write(message)
    await eventually(() => expect(clock.timers).to.equal(0), 60_000)
    clock.advance(600_000)
    release()
    await eventually(() => expect(answered).to.have.length(3), 60_000)
    expect([errors, second.isClosed, third.isClosed]).to.deep.equal([[], false, false])

    // The time of one that sends slowly itself is as before.
    second.socket.write(message.subarray(0, 1000))
    third.socket.write(Buffer.from('\x0b'))
    const read = () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
    await eventually(() => expect(read()).to.equal(3 * message.length + 1001))
    await nextTurn()
    clock.advance(60_000)
    await eventually(() => expect([second.isClosed, third.isClosed]).to.deep.equal([true, true]))
    expect(errors.join()).to.contain('A message took too long to arrive. The limit is 60000 ms.')
  }).timeout(180_000)

  it('does not keep others out with all connections of one address', async () => {
    const receiver = await aReceiver({ maxConnections: 10, maxPerAddress: 4 })
    const silent = Array.from({ length: 10 }, () => aSocket(receiver.port, '127.0.0.3'))
    await eventually(() => expect(receiver.refusals).to.have.length(6))
    const peer = aSocket(receiver.port, '127.0.0.2')
    peer.socket.write(framed(order('M1')))
    await eventually(() => expect(peer.text).to.contain('MSA|AA|M1'))
    expect(silent.filter(({ isClosed }) => !isClosed)).to.have.length(4)
    expect(receiver.errors).to.have.length(1)
  })

  it('may not even begin TLS from an address that may not send, and has a limit for it otherwise', async () => {
    const { server, authority } = await tlsIdentity()
    const options = { tls: server, admits: (address: string) => address !== '127.0.0.3', maxPerAddress: 1 }
    const impatient = await aReceiver({ ...options, handshakeTimeoutMs: 50 })
    const silent = aSocket(impatient.port, '127.0.0.2')
    await eventually(() => expect(silent.isClosed).to.equal(true))
    // Those who begin have all the time that they need.
    const receiver = await aReceiver(options)
    const strangers = Array.from({ length: 5 }, () => aSocket(receiver.port, '127.0.0.3'))
    await eventually(() => expect(strangers.every(({ isClosed }) => isClosed)).to.equal(true))
    expect(receiver.refusals).to.deep.equal(Array(5).fill('address'))
    const plain = connect({ port: receiver.port, host: HOST, localAddress: '127.0.0.2' })
    const allowed = connectTls({ socket: plain, ca: authority, checkServerIdentity: () => undefined })
    ends.push(() => allowed.destroy())
    let text = ''
    allowed.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    await once(allowed, 'secureConnect')
    allowed.write(framed(order('M1')))
    await eventually(() => expect(text).to.contain('MSA|AA|M1'))
  })

  it('does not hold a place by a connection that sends nothing, line ends, empty frames, or junk', async () => {
    const receiver = await aReceiver({ firstMessageTimeoutMs: 50 })
    const [feeding, empty, junk] = [aSocket(receiver.port), aSocket(receiver.port), aSocket(receiver.port)]
    const all = [aSocket(receiver.port), feeding, empty, junk]
    const feed = setInterval(() => {
      feeding.socket.write('\n')
      empty.socket.write(framed(Buffer.from('')))
    }, 5)
    ends.push(() => clearInterval(feed))
    junk.socket.write(Buffer.alloc(100_000, 'x'))
    await eventually(() => expect(all.every(({ isClosed }) => isClosed)).to.equal(true))
  })

  for (const [what, first] of [
    ['begins a message and continues no further', '\x0b'],
    ['begins a message, a few bytes at a time', '\x0bMSH|^~\\&|EPIC'],
    ['sends empty frames, and then begins a message', '\x0b\x1c\x0d\x0bM'],
  ] as const)
    it(`does not keep a place that another sender needs by a connection that ${what}`, async () => {
      const clock = new FakeClock()
      let count = 0
      const receiver = await aReceiver({ clock, maxPerAddress: 2, onConnections: (open) => (count = open) })
      const held = [aSocket(receiver.port), aSocket(receiver.port)]
      for (const { socket } of held) socket.write(first)
      await eventually(() => expect(count).to.equal(2))
      for (const { socket } of held) socket.write('x')
      const refused = aSocket(receiver.port)
      await eventually(() => expect(refused.isClosed).to.equal(true))

      clock.advance(11_000)
      const sender = aSocket(receiver.port)
      sender.socket.write(framed(order('M1')))
      await eventually(() => expect(sender.text).to.contain('MSA|AA|M1'))
    })

  it('is disconnected after a long silence, although it has sent a message', async () => {
    const receiver = await aReceiver({ idleTimeoutMs: 1_000, firstMessageTimeoutMs: 3_600_000 })
    const peer = aSocket(receiver.port)
    peer.socket.write(framed(order('M1')))
    await eventually(() => expect(peer.isClosed).to.equal(true))
    expect(peer.text).to.contain('MSA|AA|M1')
  })

  for (const [what, answer] of [
    [
      'an answer without end',
      Buffer.concat([Uint8Array.of(0x0b), Buffer.alloc(600_000, 'x'), Uint8Array.of(0x1c, 0x0d)]),
    ],
    ['junk before an answer', Buffer.alloc(200_000, 'x')],
    ['a broken frame', Buffer.from('\x0bMSH|^~\\&|A\rMSA|AA|M1\x1c\x0b')],
    [
      'other frames without end',
      Buffer.concat(Array.from({ length: 300 }, () => framed(Buffer.from('MSH|^~\\&|A\r')))),
    ],
  ] as const)
    it(`cannot occupy a sender with ${what}`, async () => {
      const server = createServer((socket: Socket) => {
        socket.on('error', () => {})
        ends.push(() => socket.destroy())
        socket.once('data', () => socket.write(answer))
      }).listen(0, HOST)
      await once(server, 'listening')
      ends.push(() => server.close())
      const address = server.address()
      const sender = createMllpSender({
        host: HOST,
        port: typeof address === 'object' ? (address?.port ?? 0) : 0,
        answerTimeoutMs: 3_600_000,
      })
      ends.push(() => sender.close())
      const failure = await sender
        .send(order('M1'), () => what === 'junk before an answer')
        .catch((error: unknown) => error)
      expect(failure).to.include({ name: 'MllpError', code: 'unreadable' })
    })
})
