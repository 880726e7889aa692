/** Connections that are open and send no request: how many one address may hold, and how many all together. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { limitConnections } from '../../../server/http/connections.ts'
import { eventually } from '../../support/eventually.ts'

describe('Connections to the service', () => {
  let server: Server
  const open: Socket[] = []

  async function listening(limits: { total: number; each: number }, isProxy = (_address: string) => false) {
    server = createServer((_req, res) => void res.end('here'))
    limitConnections(server, limits, isProxy)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy()
    server.closeAllConnections()
    server.close()
  })

  const port = () => (server.address() as AddressInfo).port
  const held = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((failure, count) => (failure ? reject(failure) : resolve(count))),
    )

  /** Opens connections, one after the other, and sends nothing. Returns them with whether each was closed. */
  async function silent(count: number, localAddress = '127.0.0.1') {
    const all: { socket: Socket; isClosed: boolean }[] = []
    for (let opened = 0; opened < count; opened++) {
      const socket = connect({ port: port(), host: '127.0.0.1', localAddress })
      const one = { socket, isClosed: false }
      socket.on('error', () => {})
      socket.once('close', () => {
        one.isClosed = true
      })
      socket.resume()
      open.push(socket)
      all.push(one)
      await once(socket, 'connect')
    }
    return all
  }

  async function answers(localAddress = '127.0.0.1'): Promise<boolean> {
    const [{ socket } = { socket: null }] = await silent(1, localAddress)
    if (!socket) return false
    const answer: Buffer[] = []
    socket.on('data', (chunk: Buffer) => answer.push(chunk))
    socket.write('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n')
    if (!socket.destroyed) await once(socket, 'close')
    return Buffer.concat(answer).includes('here')
  }

  it('of one address are closed beyond its share, others are served, and a place is free when one ends', async () => {
    await listening({ total: 10, each: 3 })
    const [first, ...others] = await silent(5)
    await eventually(() => expect(others.filter(({ isClosed }) => isClosed)).to.have.length(2))
    expect(await answers()).to.equal(false)
    expect(await answers('127.0.0.2')).to.equal(true)
    first!.socket.destroy()
    await eventually(async () => expect(await answers()).to.equal(true))
  })

  it('are closed beyond the number of all addresses together', async () => {
    await listening({ total: 4, each: 3 })
    await silent(3)
    await silent(3, '127.0.0.2')
    await eventually(async () => expect(await held()).to.equal(4))
  })

  it('of a proxy are closed beyond that number, too', async () => {
    await listening({ total: 4, each: 3 }, () => true)
    await silent(6)
    await eventually(async () => expect(await held()).to.equal(4))
  })

  it('of a proxy are those of many, and count in all alone', async () => {
    await listening({ total: 10, each: 3 }, (address) => address === '127.0.0.1')
    const all = await silent(6)
    expect(await answers()).to.equal(true)
    expect(all.filter(({ isClosed }) => isClosed)).to.have.length(0)
    await silent(3, '127.0.0.2')
    expect(await answers('127.0.0.2')).to.equal(false)
  })
})
