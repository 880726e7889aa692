/** How much of what many senders send at once a receiver of MLLP keeps in memory, with small limits. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { framed } from '../../../lib/hl7/mllp/frames.ts'
import { type MllpServerOptions, serveMllp } from '../../../lib/hl7/mllp/serve.ts'
import { eventually } from '../../support/eventually.ts'
import { tlsIdentity } from '../../support/network/tls-identity.ts'

const HOST = '127.0.0.1'

describe('The memory of a receiver of MLLP', () => {
  const ends: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  /** A receiver, and how many bytes it has read of all of its senders. */
  async function aReceiver(options: Partial<MllpServerOptions> = {}) {
    const sockets: Socket[] = []
    const errors: string[] = []
    const answered: number[] = []
    let connected = 0
    const server = await serveMllp({
      ...{ port: 0, host: HOST, limitBytes: 10_000 },
      onFrame: async (frame) => {
        if (frame.kind !== 'message') return []
        answered.push(frame.bytes.length)
        return [Buffer.from('A')]
      },
      onError: (error) => void errors.push(String(error)),
      onConnections: (count) => {
        connected = count
      },
      ...options,
    })
    const onSocket = (message: unknown) => {
      const { socket } = message as { socket: Socket }
      if (socket.localPort === server.port) sockets.push(socket)
    }
    subscribe('net.server.socket', onSocket)
    ends.push(() => unsubscribe('net.server.socket', onSocket))
    ends.push(() => server.stop(100))
    const read = () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
    return { port: server.port, errors, answered, read, connected: () => connected }
  }

  function aSender(port: number) {
    const socket = connect(port, HOST)
    const sender = { socket, text: '', isClosed: false }
    socket.on('data', (chunk) => {
      sender.text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      sender.isClosed = true
    })
    ends.push(() => socket.destroy())
    return sender
  }

  it('ends the largest of the unfinished messages when all together are too large, and that one alone', async () => {
    const { port, errors, answered, read } = await aReceiver({ unfinishedBytes: 30_000 })
    const senders = [7000, 9000, 8000].map((length) => ({ length, ...aSender(port) }))
    let sent = 0
    const peers = senders.map(({ socket }) => socket)
    for (const [index, { length }] of senders.entries()) {
      peers[index]!.write(framed(Buffer.alloc(length, 'x')).subarray(0, length))
      sent += length
      await eventually(() => expect(read()).to.equal(sent))
    }
    expect(errors).to.deep.equal([])
    const last = aSender(port)
    last.socket.write(framed(Buffer.alloc(8500, 'x')).subarray(0, 8500))
    await eventually(() => expect(errors).to.have.length(1))
    expect(errors[0]).to.contain('the unfinished messages of all senders are too large')
    await eventually(() => expect(peers[1]!.destroyed).to.equal(true))
    for (const socket of [peers[0]!, peers[2]!, last.socket]) socket.write(Buffer.from('x\x1c\r'))
    await eventually(() => expect(answered.toSorted()).to.deep.equal([7000, 8000, 8500]))
    expect(errors).to.have.length(1)
  })

  it('has at least two of the longest messages, whatever the limits are', async () => {
    const { port, errors, answered, read } = await aReceiver({ unfinishedBytes: 1, pendingBytes: 1, answeredBytes: 1 })
    const senders = [aSender(port), aSender(port)]
    for (const { socket } of senders) socket.write(framed(Buffer.alloc(9000, 'x')).subarray(0, 9000))
    await eventually(() => expect(read()).to.equal(18_000))
    for (const { socket } of senders) socket.write(Buffer.from('x\x1c\r'))
    await eventually(() => expect(answered).to.deep.equal([9000, 9000]))
    expect(errors).to.deep.equal([])
  })

  it('does not read on while the messages that wait for their answers use it up, and then answers all', async () => {
    const size = 1_000_000
    const [count, mostBytes] = [6, 2_000_000]
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let underWay = 0
    let most = 0
    const { port, errors, read } = await aReceiver({
      ...{ limitBytes: size, pendingBytes: mostBytes, answeredBytes: 1_500_000 },
      async onFrame(frame) {
        if (frame.kind !== 'message') return []
        underWay += 1
        most = Math.max(most, underWay)
        await released
        underWay -= 1
        return [Buffer.from('A')]
      },
    })
    const senders = Array.from({ length: count }, () => aSender(port))
    for (const { socket } of senders) socket.write(framed(Buffer.alloc(size - 3, 'x')))
    await eventually(() => expect(read()).to.be.at.least(mostBytes))
    let before = -1
    // Resolves when nothing more is read, as far as a receiver without a limit would read.
    for (let quiet = 0; quiet < 200; quiet = read() === before ? quiet + 1 : 0) {
      before = read()
      await nextTurn()
    }
    expect(read()).to.be.lessThan(mostBytes + count * 2 * 65_536)
    expect(most, 'of 1.5 MB one at a time').to.equal(1)
    release()
    await eventually(() => expect(senders.every(({ text }) => text.includes('A'))).to.equal(true))
    expect([most, errors, read()]).to.deep.equal([1, [], count * size])
  })

  it('answers a message alone that is longer than what is answered at once', async () => {
    let underWay = 0
    let most = 0
    const { port } = await aReceiver({
      answeredBytes: 10,
      async onFrame(frame) {
        if (frame.kind !== 'message') return []
        most = Math.max(most, ++underWay)
        await nextTurn()
        underWay -= 1
        return [Buffer.from('A')]
      },
    })
    const senders = [5000, 6, 6, 5000].map((length) => {
      const sender = aSender(port)
      sender.socket.write(framed(Buffer.alloc(length, 'x')))
      return sender
    })
    await eventually(() => expect(senders.every(({ text }) => text.includes('A'))).to.equal(true))
    expect(most).to.equal(1)
  })

  it('is freed by a sender that leaves before TLS is agreed on, and one that cannot agree is reported', async () => {
    const { server } = await tlsIdentity()
    const { port, connected, errors } = await aReceiver({ tls: server, handshakeTimeoutMs: 3_600_000 })
    const sender = aSender(port)
    await eventually(() => expect(connected()).to.equal(1))
    sender.socket.destroy()
    await eventually(() => expect(connected()).to.equal(0))
    const plain = aSender(port)
    plain.socket.write('MSH|^~\\&|\r\n\r\n')
    await eventually(() => expect([plain.isClosed, connected()]).to.deep.equal([true, 0]))
    expect(errors.length).to.be.at.least(1)
  })
})
