/** Large bodies: into memory that is taken once, and at the pace of their reader. */
import { createServer, request, type Server } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import express, { type ErrorRequestHandler } from 'express'
import { type Pace, rawBody } from '../../../server/http/bodies/raw-body.ts'
import { eventually } from '../../support/eventually.ts'
import { listen, portOf } from '../../support/network/listening.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const MEGABYTE = 1024 * 1024

describe('a large body', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })

  /** A server that answers with how many bytes it read, and `outcomes`, in which each request is told once. */
  async function aReader(pace?: Pace) {
    const outcomes: unknown[] = []
    const refused: ErrorRequestHandler = ({ message }, _req, res, _next) => {
      outcomes.push(message)
      res.status(400).end(message)
    }
    const app = express().post('/', rawBody(5 * MEGABYTE, pace), (req, res) => {
      outcomes.push(req.body.length)
      res.end(String(req.body.filter((byte: number) => byte === 7).length))
    })
    const server = createServer(app.use(refused))
    servers.push(server)
    await listen(server)
    return { baseUrl: `http://127.0.0.1:${portOf(server)}`, outcomes }
  }
  const send = async (url: string, body: Uint8Array<ArrayBuffer>) => (await fetch(url, { method: 'POST', body })).text()

  it('is read whole, whatever the pace', async () => {
    for (const pace of [undefined, { bytes: 1, restMs: 0 }, { bytes: MEGABYTE, restMs: 5 }]) {
      const { baseUrl } = await aReader(pace)
      expect(await send(baseUrl, new Uint8Array(3 * MEGABYTE + 5).fill(7))).to.equal(`${3 * MEGABYTE + 5}`)
    }
  })

  it('comes no faster than its pace', async () => {
    const { baseUrl } = await aReader({ bytes: MEGABYTE / 2, restMs: 60 })
    const began = performance.now()
    await send(baseUrl, new Uint8Array(3 * MEGABYTE))
    // Six halves of a megabyte, at most the last of which is followed by no rest; a timer may be a millisecond early.
    expect(performance.now() - began).to.be.greaterThan(5 * 59)
  })

  it('of a sender who leaves during a rest is given up', async () => {
    const { baseUrl, outcomes } = await aReader({ bytes: MEGABYTE, restMs: 30 })
    const sent = request(baseUrl, { method: 'POST', headers: { 'content-length': 4 * MEGABYTE } })
    sent.on('error', () => {})
    await new Promise((resolve) => sent.write(new Uint8Array(2 * MEGABYTE), resolve))
    sent.destroy()
    await eventually(() => expect(outcomes).to.deep.equal(['body: the connection ended before the body did']))
  })
})

describe('a PDF as a body', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  it('is not taken compressed', async () => {
    const { status } = await service.ask('POST', '/verify/api/document', {
      raw: new Uint8Array(gzipSync('%PDF-1.7')),
      headers: { 'content-type': 'application/pdf', 'content-encoding': 'gzip', origin: service.baseUrl },
    })
    expect(status).to.equal(415)
  })
})
