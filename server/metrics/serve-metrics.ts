/** Hands out the metrics on a port of their own, which needs no key because it listens on this machine by default. */
import type { Server } from 'node:http'
import { METRICS_CONNECTIONS, SILENT_CONNECTION_MS } from '../choices.ts'
import { http } from '../node-http.ts'
import type { Metrics } from './metrics.ts'

export function serveMetrics(metrics: Pick<Metrics, 'text' | 'contentType'>): Server {
  const server = http.createServer(async (req, res) => {
    const isAsked = req.method === 'GET' && req.url?.split('?')[0] === '/metrics'
    if (!isAsked) return void res.writeHead(404).end()
    try {
      const text = await metrics.text()
      res.writeHead(200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }).end(text)
    } catch {
      res.writeHead(503, { 'Retry-After': '5' }).end()
    }
  })
  server.maxConnections = METRICS_CONNECTIONS
  server.timeout = SILENT_CONNECTION_MS
  return server
}
