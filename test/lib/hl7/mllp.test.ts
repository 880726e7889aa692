/** Both sides of MLLP over real sockets, plain and by TLS, with each other, with rough peers, and with those of others. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { Hl7Message } from '@medplum/core'
import { Hl7Client, type Hl7MessageEvent, Hl7Server } from '@medplum/hl7'
import { expect } from 'chai'
import { Client as TheirClient, Message as TheirMessage } from 'node-hl7-client'
import { acknowledge, readAnswer } from '../../../lib/hl7/acknowledgement.ts'
import { framed } from '../../../lib/hl7/mllp/frames.ts'
import { createMllpSender, type MllpSender, type MllpSenderOptions } from '../../../lib/hl7/mllp/send.ts'
import { type MllpServer, type MllpServerOptions, serveMllp } from '../../../lib/hl7/mllp/serve.ts'
import { parseMessage } from '../../../lib/hl7/parse-message.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'
import { writeMessage } from '../../../lib/hl7/write-message.ts'
import { eventually } from '../../support/eventually.ts'
import { tlsIdentity } from '../../support/network/tls-identity.ts'

const HOST = '127.0.0.1'
const order = (id: string) => Buffer.from(`MSH|^~\\&|EPIC|LAKE|CS|CS|20260115||ADT^A08|${id}|P|2.5.1\rPID|1||WC1\r`)
const idOf = (message: Uint8Array) => valueAt(parseMessage(message), 'MSH-10')
const answerTo = (message: Uint8Array) =>
  writeMessage(acknowledge(parseMessage(message), { code: 'AA', id: 'A', at: new Date(0) }))
const answers = (id: string) => (frame: Uint8Array) => readAnswer(parseMessage(frame))?.controlId === id

describe('MLLP', () => {
  const ends: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  /** A receiver that accepts what comes, and remembers it. */
  async function aReceiver(options: Partial<MllpServerOptions> = {}): Promise<MllpServer & { ids: string[] }> {
    const ids: string[] = []
    const onFrame: MllpServerOptions['onFrame'] = async (frame) => {
      if (frame.kind !== 'message') return []
      ids.push(idOf(frame.bytes))
      return [answerTo(frame.bytes)]
    }
    const server = await serveMllp({ port: 0, host: HOST, onFrame, ...options })
    ends.push(() => server.stop(100))
    return { ...server, ids }
  }

  function aSender(port: number, options: Partial<MllpSenderOptions> = {}): MllpSender {
    const sender = createMllpSender({ host: HOST, port, ...options })
    ends.push(() => sender.close())
    return sender
  }

  async function aSocket(port: number): Promise<{ socket: Socket; read: () => string }> {
    const socket = connect(port, HOST)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    ends.push(() => socket.destroy())
    await once(socket, 'connect')
    return { socket, read: () => text }
  }

  /** A peer that takes connections and does with them what a test wants. */
  async function aPeer(take: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      ends.push(() => socket.destroy())
      take(socket)
    }).listen(0, HOST)
    await once(server, 'listening')
    ends.push(() => server.close())
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  describe('a sender that ends its side behind its message', () => {
    /** Resolves when the receiver has read whatever came before, from other connections too. */
    const roundTrip = async (port: number) => {
      const { socket, read } = await aSocket(port)
      socket.write(framed(order('TRIP')))
      await eventually(() => expect(read()).to.include('MSA|AA|TRIP'))
      socket.destroy()
    }
    const slow = () => {
      let goOn = () => {}
      const until = new Promise<void>((resolve) => {
        goOn = resolve
      })
      let connected = 0
      const options: Partial<MllpServerOptions> = {
        onConnections: (count) => {
          connected = count
        },
        async onFrame(frame) {
          if (frame.kind !== 'message') return []
          if (idOf(frame.bytes) !== 'TRIP') await until
          return [answerTo(frame.bytes)]
        },
      }
      return { options, goOn: () => goOn(), connected: () => connected }
    }

    it('gets its answer, however long that takes', async () => {
      const { options, goOn, connected } = slow()
      const { port } = await aReceiver(options)
      const { socket, read } = await aSocket(port)
      socket.end(framed(order('A')))
      for (let trips = 0; trips < 5; trips++) await roundTrip(port)
      goOn()
      await eventually(() => expect(read()).to.include('MSA|AA|A'))
      await eventually(() => expect(connected()).to.equal(0))
    })

    it('gives its place back when it is gone before the answer', async () => {
      const { options, goOn, connected } = slow()
      const { port } = await aReceiver(options)
      const { socket } = await aSocket(port)
      socket.write(framed(order('A')))
      await roundTrip(port)
      socket.resetAndDestroy()
      for (let trips = 0; trips < 5; trips++) await roundTrip(port)
      goOn()
      await eventually(() => expect(connected()).to.equal(0))
    })
  })

  it('takes an answer that came in time, though the process was too busy to read it', async () => {
    const inThread = new Worker(
      `const { createServer } = require('node:net')
       const { parentPort, workerData } = require('node:worker_threads')
       const server = createServer((socket) => socket.once('data', () => {
         parentPort.postMessage('asked')
         setTimeout(() => socket.write(workerData), 50)
       }))
       server.listen(0, '${HOST}', () => parentPort.postMessage(server.address().port))`,
      { eval: true, workerData: framed(answerTo(order('M1'))) },
    )
    ends.push(() => inThread.terminate())
    const [port] = await once(inThread, 'message')
    const sent = aSender(port, { answerTimeoutMs: 200 }).send(order('M1'), answers('M1'))
    await once(inThread, 'message')
    for (const until = performance.now() + 400; performance.now() < until; );
    expect(idOf(await sent)).to.equal('A')
  })

  it('carries messages in the order of the calls, over one connection', async () => {
    const receiver = await aReceiver()
    const sender = aSender(receiver.port)
    const ids = Array.from({ length: 50 }, (_, index) => `M${index}`)
    await Promise.all(ids.map((id) => sender.send(order(id), answers(id))))
    expect(receiver.ids).to.deep.equal(ids)
  })

  it('speaks TLS, and refuses a receiver that nobody vouches for', async () => {
    const { authority, server } = await tlsIdentity()
    const receiver = await aReceiver({ tls: server })
    await aSender(receiver.port, { tls: { ca: authority } }).send(order('M1'), answers('M1'))
    const refusal = await aSender(receiver.port, { tls: {} })
      .send(order('M2'), answers('M2'))
      .catch((failure: unknown) => failure)
    expect(refusal).to.include({ name: 'MllpError', code: 'untrusted', mayHaveArrived: false })
    expect(receiver.ids).to.deep.equal(['M1'])
  })

  it('answers messages that come together, in their order, past junk', async () => {
    const receiver = await aReceiver()
    const { socket, read } = await aSocket(receiver.port)
    socket.write(Buffer.concat([Buffer.from('junk\r\n'), framed(order('M1')), framed(order('M2'))]))
    for (const byte of framed(order('M3'))) socket.write(Uint8Array.of(byte))
    await eventually(() => expect(read().match(/MSA\|AA\|M\d/g)).to.deep.equal(['MSA|AA|M1', 'MSA|AA|M2', 'MSA|AA|M3']))
  })

  it('tells a message that is too long, and takes the next', async () => {
    const kinds: string[] = []
    const receiver = await aReceiver({
      limitBytes: 1000,
      onFrame: async (frame) => {
        kinds.push(frame.kind)
        return []
      },
    })
    const { socket } = await aSocket(receiver.port)
    socket.write(Buffer.concat([framed(Buffer.alloc(5000, 'x')), framed(order('M1'))]))
    await eventually(() => expect(kinds).to.deep.equal(['too long', 'message']))
  })

  it('gives up a sender who does not finish a message, and keeps one who is silent between two', async () => {
    const receiver = await aReceiver({ frameTimeoutMs: 60 })
    const [slow, silent] = [await aSocket(receiver.port), await aSocket(receiver.port)]
    slow.socket.write('\x0bMSH|')
    await once(slow.socket, 'close')
    silent.socket.write(framed(order('M1')))
    await eventually(() => expect(silent.read()).to.contain('MSA|AA|M1'))
  })

  it('gives up a sender whose message cannot be kept, so that he sends it again', async () => {
    let tries = 0
    const receiver = await aReceiver({
      onFrame: async (frame) => {
        if (++tries === 1) throw new Error('The journal is full.')
        return frame.kind === 'message' ? [answerTo(frame.bytes)] : []
      },
    })
    const sender = aSender(receiver.port)
    const failure = await sender.send(order('M1'), answers('M1')).catch((error: unknown) => error)
    expect(failure).to.include({ name: 'MllpError', code: 'cut', mayHaveArrived: true })
    await sender.send(order('M1'), answers('M1'))
  })

  it('answers what has arrived before it stops', async () => {
    const stopped: Promise<void>[] = []
    const receiver = await aReceiver({
      onFrame: async (frame) => {
        stopped.push(receiver.stop())
        return frame.kind === 'message' ? [answerTo(frame.bytes)] : []
      },
    })
    await aSender(receiver.port).send(order('M1'), answers('M1'))
    await Promise.all(stopped)
    expect(stopped).to.have.length(1)
  })

  it('says of a receiver who is not there that nothing arrived', async () => {
    const receiver = await aReceiver()
    await receiver.stop()
    const failure = await aSender(receiver.port)
      .send(order('M1'), answers('M1'))
      .catch((error: unknown) => error)
    expect(failure).to.include({ code: 'unreachable', mayHaveArrived: false })
    expect(String(failure)).to.contain('ECONNREFUSED')
  })

  it('connects again when the receiver ended the connection between two messages', async () => {
    let connections = 0
    const port = await aPeer((socket) => {
      connections++
      socket.on('data', (chunk) => socket.end(framed(answerTo(chunk.subarray(1, -2)))))
    })
    const sender = aSender(port)
    await sender.send(order('M1'), answers('M1'))
    await eventually(() => sender.send(order('M2'), answers('M2')))
    expect(connections).to.equal(2)
  })

  it('says which message is the first of a connection, and ends one whose answer is its last', async () => {
    let connections = 0
    const port = await aPeer((socket) => {
      connections += 1
      socket.on('data', () => socket.write(framed(Buffer.from('MSH|^~\\&|A\rMSA|AA'))))
    })
    const sender = aSender(port)
    const firsts: boolean[] = []
    const asked =
      (result: boolean | 'last') =>
      (_: Uint8Array, isFirst = false) => {
        firsts.push(isFirst)
        return result
      }
    for (const result of [true, true, 'last', true] as const) await sender.send(order('A'), asked(result))
    expect([firsts, connections]).to.deep.equal([[true, false, false, true], 2])
  })

  it('ends a message that waits when the sender is closed, and sends no other', async () => {
    let taken = 0
    const port = await aPeer((socket) => void socket.on('data', () => (taken += 1)))
    const sender = aSender(port)
    const waiting = sender.send(order('A'), () => true).catch((error: unknown) => error)
    await eventually(() => expect(taken).to.equal(1))
    sender.close()
    expect(await waiting).to.include({ name: 'MllpError', code: 'closed', mayHaveArrived: true })
    const later = await sender.send(order('B'), () => true).catch((error: unknown) => error)
    expect(later).to.include({ name: 'MllpError', code: 'closed', mayHaveArrived: false })
    expect(taken).to.equal(1)
  })

  it('takes no late answer for that of the next message', async () => {
    let count = 0
    const port = await aPeer((socket) => {
      socket.on('data', (chunk) => {
        const answer = framed(answerTo(chunk.subarray(1, -2)))
        if (++count > 1) socket.write(answer)
      })
    })
    const sender = aSender(port, { answerTimeoutMs: 1_000 })
    const failure = await sender.send(order('M1'), () => true).catch((error: unknown) => error)
    expect(failure).to.include({ code: 'unanswered', mayHaveArrived: true })
    const answer = await sender.send(order('M2'), () => true)
    expect(readAnswer(parseMessage(answer))?.controlId).to.equal('M2')
  })

  it('hands over what comes together with an answer', async () => {
    const unasked: string[] = []
    const port = await aPeer((socket) => {
      socket.on('data', (chunk) => {
        const answer = framed(answerTo(chunk.subarray(1, -2)))
        socket.write(Buffer.concat([answer, framed(order('X')), answer]))
      })
    })
    await aSender(port, { onUnasked: (frame) => unasked.push(idOf(frame)) }).send(order('M1'), answers('M1'))
    expect(unasked).to.deep.equal(['X', 'A'])
  })

  it('hands over what answers nothing', async () => {
    const unasked: string[] = []
    const port = await aPeer((socket) => {
      socket.on('data', (chunk) =>
        socket.write(Buffer.concat([framed(order('X')), framed(answerTo(chunk.subarray(1, -2)))])),
      )
    })
    await aSender(port, { onUnasked: (frame) => unasked.push(idOf(frame)) }).send(order('M1'), answers('M1'))
    expect(unasked).to.deep.equal(['X'])
  })

  it('takes messages of @medplum/hl7, which reads the answers', async () => {
    const receiver = await aReceiver()
    const theirs = new Hl7Client({ host: HOST, port: receiver.port })
    ends.push(() => theirs.close())
    const answer = await theirs.sendAndWait(Hl7Message.parse(order('M1').toString()))
    expect(answer.getSegment('MSA')?.getField(1).toString()).to.equal('AA')
  })

  it('sends to @medplum/hl7, and reads its answers', async () => {
    const theirs = new Hl7Server((connection) =>
      connection.addEventListener('message', ({ message }: Hl7MessageEvent) => connection.send(message.buildAck())),
    )
    const receiver = await aReceiver()
    await receiver.stop()
    await theirs.start(receiver.port)
    ends.push(() => theirs.stop({ forceDrainTimeoutMs: 100 }))
    const answer = await aSender(receiver.port).send(order('M1'), answers('M1'))
    expect(readAnswer(parseMessage(answer))).to.include({ code: 'AA', controlId: 'M1' })
  })

  it('takes messages of node-hl7-client, which reads the answers', async () => {
    const receiver = await aReceiver()
    const theirs = new TheirClient({ host: HOST, version: '2.5.1' })
    const answers: string[] = []
    const outbound = theirs.createConnection({ port: receiver.port, version: '2.5.1' }, async (response) => {
      answers.push(response.getMessage().get('MSA.1').toString())
    })
    ends.push(() => outbound.close())
    await outbound.sendMessage(new TheirMessage({ text: order('M1').toString().trimEnd() }))
    await eventually(() => expect(answers).to.deep.equal(['AA']))
  })
  it('takes messages of node-hl7-client by TLS, when it proves by a certificate who it is', async () => {
    const { authority, server } = await tlsIdentity()
    const receiver = await aReceiver({ tls: { ...server, ca: authority, requestCert: true, rejectUnauthorized: true } })
    const theirs = new TheirClient({ host: HOST, version: '2.5.1', tls: { ca: authority, ...server } })
    const outbound = theirs.createConnection({ port: receiver.port, version: '2.5.1' }, async () => {})
    ends.push(() => outbound.close())
    await outbound.sendMessage(new TheirMessage({ text: order('M1').toString().trimEnd() }))
    await eventually(() => expect(receiver.ids).to.deep.equal(['M1']))
  })
})
