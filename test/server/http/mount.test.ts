/** A table that could not be loaded once is loaded by a later request. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import express, { type NextFunction, type Request, type Response } from 'express'
import { mount } from '../../../server/http/mount.ts'

describe('a table', () => {
  let server: Server
  afterEach(() => server.close())

  it('that could not be loaded is tried again by the next request, and then no more', async () => {
    let tries = 0
    const table = async () => {
      tries++
      if (tries === 1) throw new Error('Its file is not there.')
      return {}
    }
    const door = { admit: () => [], contextOf: () => ({}) }
    const mounting = {
      paceOf: () => [],
      inTurn: (_req: unknown, _res: unknown, work: () => Promise<void>) => work(),
      holdAnswer: () => {},
      readersOf: () => [],
      onRefusal: async () => {},
    }
    const app = express()
    mount(app, { below: ['api'], table, door }, mounting)
    app.use((_failure: unknown, _req: Request, res: Response, _next: NextFunction) => void res.status(500).end())
    server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const ask = async () => (await fetch(`http://127.0.0.1:${port}/api/v1`)).status
    expect([await ask(), await ask(), await ask()]).to.deep.equal([500, 404, 404])
    expect(tries).to.equal(2)
  })
})
