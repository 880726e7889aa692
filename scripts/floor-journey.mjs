/**
 * The journey that `check-floor.ts` runs with the installed package on each version of Node.js: one document from the sender to
 * the signed PDF, whose callback is verified, with a data folder and a journal on disk. Plain JavaScript, and nothing but the
 * package.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createClient,
  createOnceStore,
  fetchSigned,
  openJournal,
  webhookHandler,
} from '@countersign/node-red-document-signature'
import { createService } from '@countersign/node-red-document-signature/server'

const folder = mkdtempSync(join(tmpdir(), 'countersign-journey-'))
const { createClient: required } = createRequire(import.meta.url)('@countersign/node-red-document-signature')
if (required !== createClient) throw new Error('require() and import give different libraries.')

const options = { port: 0, data: join(folder, 'data'), sandbox: true, seed: 'demo', allowHttpWebhooks: true }
const service = await createService(options)
await service.start()

const secrets = []
const store = createOnceStore(await openJournal(join(folder, 'events.sqlite'), 'events'))
let complete
const completed = new Promise((resolve) => {
  complete = resolve
})
const onEvent = (event) => event.status === 'Completed' && complete(event.taskId)
const receiver = createServer(webhookHandler({ secrets: () => secrets, store, onEvent }))
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))

const { baseUrl, apiKeys } = service
const apiKey = apiKeys[0].key
const client = createClient({ baseUrl, apiKey })
const { secret } = await client.createSubscription({
  body: { url: `http://127.0.0.1:${receiver.address().port}/`, description: 'Journey' },
})
secrets.push(secret)

const { taskId } = await client.createTask({ body: order() })
let status
for (const end = Date.now() + 60_000; status !== 'Pending' && Date.now() < end; ) {
  status = (await client.readTask({ params: { id: taskId } })).status
  await new Promise((resolve) => setTimeout(resolve, 100))
}
const url = `${baseUrl}/sandbox/v1/tasks/${taskId}/sign`
const signed = await fetch(url, { method: 'POST', headers: { 'x-api-key': apiKey } })
if (signed.status !== 204)
  throw new Error(`The sandbox would not sign a task that is ${status}: ${await signed.text()}`)
if ((await completed) !== taskId) throw new Error('The callback is of another task.')
const { bytes } = await fetchSigned(client, taskId)
if (Buffer.from(bytes.subarray(0, 5)).toString() !== '%PDF-') throw new Error('What came back is no PDF.')

receiver.close()
receiver.closeAllConnections()
await service.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(0)

function order() {
  const today = new Date().toISOString().slice(0, 10)
  const field = { type: 'VisibleSignature', required: true, pageNumber: 1, left: 72, top: 600, right: 272, bottom: 636 }
  return {
    patient: {
      externalId: 'WILLOW|WC100001',
      names: [{ use: 'official', family: 'Whitfield', given: ['Alma'] }],
      sex: 'Female',
      birthDate: '1948-03-12',
      addresses: [{ line: '1 Alder Street', city: 'Duluth', state: 'MN', postalCode: '55802' }],
      identifiers: [{ authority: 'mrn', value: 'WC100001' }],
    },
    performers: [{ signer: { userNPI: '9999900019' }, organization: { orgNPI: '9999901017' } }],
    document: {
      attachment: pdf().toString('base64'),
      effectiveDate: today,
      documentTypeId: 104,
      externalDocId: 'JOURNEY-1',
      annotations: { type: 'Json', data: [field] },
    },
  }
}

/** One blank page. */
function pdf() {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << >> /Contents 4 0 R >>',
    '<< /Length 0 >>\nstream\n\nendstream',
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 5\n0000000000 65535 f \n${rows}`
  return Buffer.from(`${text}${table}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`)
}
