/** Documents that are sent and not read: how much of them is in memory at once. */
import { once } from 'node:events'
import { get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import express, { type NextFunction, type Request, type Response } from 'express'
import { answerRoom } from '../../../server/http/bodies/answer-room.ts'
import { createRoom } from '../../../server/http/bodies/room.ts'
import { eventually } from '../../support/eventually.ts'

/** More than the buffers of a connection on loopback take. */
const BYTES = 24 * 1024 * 1024

describe('The room for documents that are read', () => {
  let server: Server
  let baseUrl: string
  before(async () => {
    const hold = answerRoom(createRoom({ total: 3 * BYTES, each: 2 * BYTES }))
    const app = express()
    app.get('/:key', (req, res) => {
      res.locals.caller = { organizationId: 1, keyId: req.params.key }
      hold(req, res, BYTES)
      res.end(Buffer.alloc(BYTES))
    })
    app.use((refusal: { kind?: string; errors?: string[] }, _req: Request, res: Response, _next: NextFunction) => {
      res.status(refusal.kind === 'unavailable' ? 503 : 500).json(refusal.errors)
    })
    server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Asks, and reads nothing of the answer. */
  async function ask(key: string): Promise<{ status: number | undefined; answer: IncomingMessage }> {
    const request = get(`${baseUrl}/${key}`, { agent: false })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    answer.on('error', () => {})
    return { status: answer.statusCode, answer }
  }

  it('is that of two for a key, and is free when one is read or given up', async () => {
    const [first, second] = [await ask('a'), await ask('a')]
    expect([first.status, second.status]).to.deep.equal([200, 200])
    expect((await ask('a')).status).to.equal(503)
    const other = await ask('b')
    expect(other.status).to.equal(200)
    expect((await ask('b')).status, 'the total').to.equal(503)
    first.answer.resume()
    await once(first.answer, 'end')
    const third = await eventually(async () => {
      const again = await ask('a')
      expect(again.status).to.equal(200)
      return again
    })
    for (const { answer } of [second, third, other]) answer.destroy()
    await eventually(async () => {
      const all = [await ask('a'), await ask('a'), await ask('b')]
      for (const { answer } of all) answer.destroy()
      expect(all.map(({ status }) => status)).to.deep.equal([200, 200, 200])
    })
  })
})
