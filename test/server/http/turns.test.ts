/** The share of the work that one caller has: what is above it waits, what is too much is refused, and others do not notice. */
import { once } from 'node:events'
import { Agent, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import express, { type NextFunction, type Request, type Response } from 'express'
import { createTurns } from '../../../server/http/callers/turns.ts'
import { eventually } from '../../support/eventually.ts'

describe('The turns of callers', () => {
  const agent = new Agent({ keepAlive: false })
  let server: Server
  /** Ends each work that is under way, by its caller. */
  let working: { name: string; end: () => void }[]
  let baseUrl: string

  beforeEach(async () => {
    working = []
    const inTurn = createTurns({
      atOnce: { group: 3, each: 2 },
      waiting: { total: 6, group: 4, each: 3 },
    })
    const app = express()
    app.get('/:organization/:key', (req, res) => {
      res.locals.caller = { organizationId: Number(req.params.organization), keyId: req.params.key }
      return inTurn(req, res, async () => {
        await new Promise<void>((resolve) => working.push({ name: req.params.key, end: resolve }))
        res.end()
      })
    })
    app.use((refusal: { kind?: string }, _req: Request, res: Response, _next: NextFunction) => {
      res.status(refusal.kind === 'unavailable' ? 503 : 500).end()
    })
    server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  function ask(path: string) {
    const request = get(`${baseUrl}/${path}`, { agent })
    const status = new Promise<number | null>((resolve) => {
      request.once('response', (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      request.once('error', () => resolve(null))
    })
    return { status, leave: () => request.destroy() }
  }
  const names = () => working.map(({ name }) => name).sort()
  const work = (...expected: string[]) => eventually(() => expect(names()).to.deep.equal(expected))
  const endOne = (name: string) =>
    working
      .splice(
        working.findIndex((one) => one.name === name),
        1,
      )[0]!
      .end()
  /** Resolves when the service has had all requests before it. */
  async function answersOthers(): Promise<void> {
    const other = ask('9/other')
    await eventually(() => expect(names()).to.include('other'))
    endOne('other')
    expect(await other.status).to.equal(200)
  }

  it('are two for a key and three for its organization, then in order; those of others come at once', async () => {
    const first = [ask('1/a'), ask('1/a')]
    await work('a', 'a')
    const waiting = ask('1/a')
    await answersOthers()
    expect(names()).to.deep.equal(['a', 'a'])
    const colleague = ask('1/b')
    await work('a', 'a', 'b')
    const late = ask('1/b')
    await answersOthers()
    expect(names()).to.deep.equal(['a', 'a', 'b'])
    endOne('a')
    await work('a', 'a', 'b')
    expect(await Promise.race(first.map(({ status }) => status))).to.equal(200)
    endOne('a')
    await work('a', 'b', 'b')
    for (const { name } of [...working]) endOne(name)
    const all = [...first, waiting, colleague, late]
    expect(await Promise.all(all.map(({ status }) => status))).to.deep.equal([200, 200, 200, 200, 200])
  })

  it('are refused when too many wait, for a key and for its organization', async () => {
    const asked = Array.from({ length: 6 }, () => ask('1/a'))
    const refused = await Promise.race(asked.map(({ status }) => status))
    expect(refused).to.equal(503)
    await work('a', 'a')
    const others = [ask('1/b'), ask('1/b')]
    await work('a', 'a', 'b')
    expect(await ask('1/b').status).to.equal(503)
    await answersOthers()
    for (const { leave } of [...asked, ...others]) leave()
  })

  it('are given back when a caller leaves while waiting, and not before the work ends when it leaves during it', async () => {
    const first = [ask('1/a'), ask('1/a')]
    await work('a', 'a')
    const waiting = [ask('1/a'), ask('1/a'), ask('1/a')]
    await answersOthers()
    expect(await ask('1/a').status).to.equal(503)
    for (const { leave } of waiting) leave()
    const next = await eventually(async () => {
      const asked = ask('1/a')
      const isRefused = await Promise.race([asked.status.then(() => true), answersOthers().then(() => false)])
      expect(isRefused).to.equal(false)
      return asked
    })
    for (const { leave } of first) leave()
    expect(await Promise.all(first.map(({ status }) => status))).to.deep.equal([null, null])
    await answersOthers()
    expect(names()).to.deep.equal(['a', 'a'])
    endOne('a')
    await work('a', 'a')
    endOne('a')
    endOne('a')
    expect(await next.status).to.equal(200)
  })
})
