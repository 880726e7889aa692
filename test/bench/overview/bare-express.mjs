/** A bare Express that answers one route: the floor of starting and resting. */
import express from 'express'

const port = Number(process.argv[process.argv.indexOf('--port') + 1])
express()
  .get('/ready', (_req, res) => void res.json({ ok: true }))
  .listen(port, '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
