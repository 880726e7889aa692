/** Rows whose work is long: how many requests of one caller, and of all, are worked on at once. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import express, { type NextFunction, type Request, type Response } from 'express'
import * as z from 'zod'
import type { Busy } from '../../../server/domain/refusal.ts'
import { type Mounting, tableRoutes } from '../../../server/http/table-routes.ts'
import { operator } from '../../../server/operations/operator/table.ts'
import { rowsFor } from '../../../server/operations/row.ts'
import { eventually } from '../../support/eventually.ts'

describe('A row with a number of requests at once', () => {
  let server: Server
  let baseUrl: string
  const working: { name: string; end: () => void }[] = []

  before(async () => {
    const mounting: Mounting = {
      paceOf: () => [],
      inTurn: (_req, _res, work) => work(),
      holdAnswer: () => {},
      readersOf: () => [],
      onRefusal: async () => {},
    }
    const long = rowsFor<string>()({
      ...{ method: 'get', path: '/long', group: 'Long', summary: 'Work for long', who: ['operator'] },
      atOnce: { total: 2, each: 1, of: 'long works' },
      responses: { 200: z.object({}) },
      run: async (name) => {
        await new Promise<void>((end) => working.push({ name, end }))
        if (name === 'fails') throw new Error('It failed.')
        return {}
      },
    })
    const nameOf = (req: Request) => req.get('name') ?? ''
    const door = {
      admit: () => [
        (req: Request, res: Response, next: NextFunction) => {
          res.locals.operatorKey = { organizationId: null, keyId: nameOf(req), scopes: [] }
          next()
        },
      ],
      contextOf: nameOf,
    }
    const app = express()
    app.use(tableRoutes({ long }, door, mounting))
    app.use((refusal: Busy, _req: Request, res: Response, _next: NextFunction) => {
      res.status(refusal.kind === 'unavailable' ? 503 : 500).json(refusal.errors ?? [])
    })
    server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const ask = async (name: string) => {
    const answer = await fetch(`${baseUrl}/long`, { headers: { name } })
    return [answer.status, await answer.json()] as const
  }
  const works = (...names: string[]) => eventually(() => expect(working.map(({ name }) => name)).to.deep.equal(names))
  const endFirst = () => working.shift()?.end()

  it('refuses one more of a caller, and one more in all, until one is done, also when it failed', async () => {
    const first = ask('a')
    await works('a')
    const refused = [503, ['Too many long works at once. Wait for the earlier ones, and try again in 5 seconds.']]
    expect(await ask('a')).to.deep.equal(refused)
    const second = ask('fails')
    await works('a', 'fails')
    expect(await ask('c')).to.deep.equal(refused)
    endFirst()
    expect(await first).to.deep.equal([200, {}])
    const third = ask('a')
    await works('fails', 'a')
    endFirst()
    expect((await second)[0]).to.equal(500)
    const fourth = ask('fails')
    await works('a', 'fails')
    endFirst()
    endFirst()
    expect([(await third)[0], (await fourth)[0]]).to.deep.equal([200, 500])
  })

  it('is each export, each check of the audit log, and sending again', () => {
    const limited = Object.entries(operator).flatMap(([name, row]) => ('atOnce' in row && row.atOnce ? [name] : []))
    expect(limited).to.have.members(['exportTasks', 'exportAudit', 'verifyAudit', 'redeliver'])
  })
})
