/** The list of orphaned entries, asked for while a deploy starts its flows: the editor asks as soon as the deploy is answered. */
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { expect } from 'chai'
import express from 'express'
import type { App, Handler, Runtime } from '../../nodes/shared/runtime/node-red.ts'
import { registerOrphanRoutes } from '../../nodes/shared/sidebar/orphan-routes.ts'
import { listen, portOf } from '../support/network/listening.ts'

describe('the orphans of a service, during a deploy', () => {
  it('are listed when the new flows have started, not as if the service were unknown', async () => {
    const events = new EventEmitter()
    const asked = new EventEmitter()
    let isThere = true
    const app = express()
    app.use((_request, _response, next) => {
      asked.emit('request')
      next()
    })
    const pass: Handler = (_request, _response, next) => next()
    registerOrphanRoutes(
      { events, nodes: { getNode: () => (isThere ? { type: 'countersign-service' } : null) } } as unknown as Runtime,
      app as unknown as App,
      {
        mayRead: pass,
        mayWrite: pass,
        about: () => (_request, response) => response.json({ rows: ['the orphan'], isComplete: true }),
        orphans: async () => ({ rows: [], isComplete: true }),
      },
    )
    const server = createServer(app)
    await listen(server)
    const url = `http://127.0.0.1:${portOf(server)}`
    try {
      const rows = async () =>
        ((await (await fetch(`${url}/countersign/services/service/orphans`)).json()) as { rows: string[] }).rows
      expect(await rows()).to.deep.equal(['the orphan'])
      events.emit('flows:stopping')
      isThere = false
      const request = once(asked, 'request')
      const during = rows()
      await request
      isThere = true
      events.emit('flows:started')
      expect(await during).to.deep.equal(['the orphan'])
      isThere = false
      expect(await rows()).to.deep.equal([])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
