/** `npm run demo` takes one document from the sender to the signed PDF, on a service in this process, and prints each step. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  type Client,
  createClient,
  createOnceStore,
  openJournal,
  type StatusEvent,
  webhookHandler,
} from '../lib/index.ts'
import { createService } from '../server/index.ts'
import { annotations, demoOrder } from './demo-order.ts'

const SENDER = 'Willow Creek Home Health'
const SIGNER_NPI = '9999900019'
const STEP_LIMIT_MS = 30_000
const out = join(import.meta.dirname, '..', 'out')

async function main(): Promise<void> {
  const service = await createService({
    port: 0,
    data: ':memory:',
    sandbox: true,
    seed: 'demo',
    allowHttpWebhooks: true,
  })
  await service.start()
  const events = await listenForEvents()
  try {
    step('service', `runs at ${service.baseUrl}, with demo data, in memory`)
    const apiKey = await service.issueTemporaryKey(SENDER)
    const client = createClient({ baseUrl: service.baseUrl, apiKey })
    const { id, secret } = await client.createSubscription({ body: { url: events.url, description: 'Demo' } })
    events.trust(secret)
    step('subscribed', `subscription ${id}; every status change will be called back`)

    const taskId = await send(client)
    const pending = await events.next(taskId, 'Pending')
    step('Pending', `document ${pending.documentId} is in the inbox of the signer`)
    await sign(service.baseUrl, apiKey, taskId)
    step('signed', `by the signer ${SIGNER_NPI}`)
    const completed = await events.next(taskId, 'Completed')
    step('event verified', `${completed.eventId} says Completed; signature and time are right`)

    const file = await download(client, taskId)
    step('downloaded', file)
    const savedId = `SAVED-${taskId}`
    await client.updateTask({ params: { id: taskId }, query: { externalSavedDocumentId: savedId, saved: true } })
    const { output } = await client.readTask({ params: { id: taskId } })
    if (output?.externalSavedDocumentId !== savedId) throw new Error('The saved-document id was not recorded.')
    step('recorded', `saved as ${savedId}, and filed`)
  } finally {
    events.close()
    await service.stop()
  }
}

async function send(client: Client): Promise<number> {
  const today = new Date().toISOString().slice(0, 10)
  const { taskId, status } = await client.createTask({
    body: {
      patient: {
        externalId: 'WILLOW|WC100001',
        names: [{ use: 'official', family: 'Whitfield', given: ['Alma'] }],
        sex: 'Female',
        birthDate: '1948-03-12',
        addresses: [{ line: '1 Alder Street', city: 'Duluth', state: 'MN', postalCode: '55802' }],
        identifiers: [{ authority: 'mrn', value: 'WC100001' }],
      },
      performers: [{ signer: { userNPI: SIGNER_NPI }, organization: { orgNPI: '9999901017' } }],
      document: {
        attachment: Buffer.from(await demoOrder(today)).toString('base64'),
        effectiveDate: today,
        documentTypeId: 104,
        externalDocId: 'DEMO-1',
        annotations,
      },
    },
  })
  step('created', `task ${taskId}, ${status}`)
  return taskId
}

async function sign(baseUrl: string, apiKey: string, taskId: number): Promise<void> {
  const response = await fetch(`${baseUrl}/sandbox/v1/tasks/${taskId}/sign`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey },
  })
  if (response.status !== 204) throw new Error(`The sandbox would not sign: ${await response.text()}`)
}

async function download(client: Client, taskId: number): Promise<string> {
  const { output } = await client.readTask({ params: { id: taskId }, query: { includeOutputAttachment: true } })
  if (!output?.attachment) throw new Error('The signed PDF is missing.')
  mkdirSync(out, { recursive: true, mode: 0o700 })
  const file = join(out, 'signed.pdf')
  writeFileSync(file, Buffer.from(output.attachment, 'base64'), { mode: 0o600 })
  return `out/signed.pdf, ${Buffer.from(output.attachment, 'base64').length} bytes`
}

/** Starts a receiver as a sender would run it: it verifies every callback, and takes each event once. */
async function listenForEvents() {
  const secrets: string[] = []
  const seen: StatusEvent[] = []
  const waiting = new Set<() => void>()
  const store = createOnceStore(await openJournal(':memory:', 'events'))
  const handler = webhookHandler({
    secrets: () => secrets,
    store,
    onEvent: (event) => {
      seen.push(event)
      for (const look of waiting) look()
    },
  })
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    trust: (secret: string) => secrets.push(secret),
    next: (taskId: number, status: string) =>
      new Promise<StatusEvent>((resolve, reject) => {
        const limit = setTimeout(() => reject(new Error(`No event said ${status} in time.`)), STEP_LIMIT_MS)
        const look = () => {
          const event = seen.find((one) => one.taskId === taskId && one.status === status)
          if (!event) return
          clearTimeout(limit)
          waiting.delete(look)
          resolve(event)
        }
        waiting.add(look)
        look()
      }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const step = (name: string, text: string) => process.stdout.write(`${name.padEnd(16)}${text}\n`)

main().catch((failure: unknown) => {
  process.stderr.write(`demo failed: ${failure instanceof Error ? failure.message : String(failure)}\n`)
  process.exitCode = 1
})
