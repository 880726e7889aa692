/** The floor of a create: bare Express, the PDF looked at once by each reader in as many threads as the service has, a synced insert. */
import { availableParallelism } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import express from 'express'
import { Piscina } from 'piscina'

const port = Number(process.argv[process.argv.indexOf('--port') + 1])
const database = new DatabaseSync(process.argv.at(-1)!)
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE task (body TEXT, pdf BLOB)')
const insert = database.prepare('INSERT INTO task (body, pdf) VALUES (?, ?)')
const readers = new Piscina({
  filename: new URL('./floor-readers.ts', import.meta.url).href,
  maxThreads: Math.min(4, availableParallelism()),
})

express()
  .use(express.json({ limit: '10mb' }))
  .post('/api/v1/signature/tasks', async (req, res) => {
    const { attachment, ...document } = req.body.document
    const pdf = Buffer.from(attachment, 'base64')
    const pages = await readers.run(pdf)
    insert.run(JSON.stringify({ ...req.body, document, pages }), pdf)
    res.status(201).json({ pages })
  })
  .listen(port, '127.0.0.1', () => process.stdout.write('listening\n'))
process.on('SIGTERM', () => process.exit(0))
