/** The guide to limits has each route of a running service. */
import type { Server } from 'node:http'
import { expect } from 'chai'
import * as z from 'zod'
import { limitsOf, otherRoutes } from '../../scripts/limits-table.ts'
import type { Room } from '../../server/http/bodies/room.ts'
import { signOnRoutes } from '../../server/http/callers/sign-on.ts'
import { http } from '../../server/node-http.ts'
import { type Row, rowsFor } from '../../server/operations/row.ts'
import type { Entrance } from '../../server/people/entrance.ts'
import type { SignOn } from '../../server/people/sign-on/sign-on.ts'
import { aService } from '../support/service/a-service.ts'

interface Layer {
  name: string
  handle: { stack?: Layer[] }
  route?: { path: string; methods: Readonly<Record<string, boolean>> }
}

/** Returns the routes of a router and of those in it. Tables are mounted later, and have rows. */
const routesIn = (stack: readonly Layer[]): string[] =>
  stack.flatMap(({ route, handle }) => {
    if (!route) return routesIn(handle.stack ?? [])
    return Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`)
  })

/** Returns the HTTP server that a service listens with. */
async function withServer<T>(begin: () => Promise<T>): Promise<[T, Server]> {
  const { createServer } = http
  const made: Server[] = []
  http.createServer = ((...args: Parameters<typeof createServer>) => {
    const server = createServer(...args)
    made.push(server)
    return server
  }) as typeof createServer
  try {
    const begun = await begin()
    return [begun, made[0]!]
  } finally {
    http.createServer = createServer
  }
}

describe('The guide to limits', () => {
  it('has each route that is in no table', async () => {
    const [service, server] = await withServer(() => aService())
    try {
      const [app] = server.listeners('request') as unknown as [{ router: { stack: Layer[] } }]
      const signOn = { origin: 'https://here.example' } as SignOn
      const ofSignOn = signOnRoutes({} as Entrance, signOn, {} as Room) as unknown as { stack: Layer[] }
      const routes = [...routesIn(app.router.stack), ...routesIn(ofSignOn.stack)]
      // The metrics have a server of their own, and static files have no route.
      const all = ['GET /metrics', 'GET /web', ...routes]
      expect([...new Set(all)].toSorted()).to.deep.equal(Object.keys(otherRoutes).toSorted())
      expect(server.maxConnections).to.equal(10_000)
    } finally {
      await service.stop()
    }
  })

  it('has no row that is open to anyone, or a stream, without a limit', () => {
    const row = { method: 'get', path: '/all', group: 'All', summary: 'All', run: async () => ({}) } as const
    const open = rowsFor<null>()({ ...row, who: ['anybody'], responses: { 200: z.object({}) } })
    expect(() => limitsOf('open', open as Row)).to.throw('open is open to anyone without a limit.')
    const stream = rowsFor<null>()({ ...row, who: ['sender'], responses: { 200: 'stream' }, run: async () => () => {} })
    expect(() => limitsOf('stream', stream as Row)).to.throw('stream is a stream without a limit.')
  })
})
