/** A process that uses a pool, closes it, and should then end by itself. */
import { createPdfPool } from '../../../server/pdf/workers/pool.ts'
import { fixture } from '../fixtures.ts'

const pool = createPdfPool()
const answer = await pool.inspect(Buffer.from(fixture('pdf/orders/reportlab-plain-order.pdf')).toString('base64'))
await pool.close()
process.exitCode = answer.ok ? 0 : 1
