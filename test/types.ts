/** What the compiler must refuse. It is compiled with everything else and never run: an error that is missing is an error. */
import Keyv from 'keyv'
import type { Kysely } from 'kysely'
import type { Client, CreateTask, StatusEvent, Task } from '../lib/index.ts'
import { createClient, createOnce, createReceiver, keyvJournal, verifyWebhook } from '../lib/index.ts'
import type { Schema } from '../server/store/sql/schema.ts'

declare const client: Client
declare const body: CreateTask

export async function calls() {
  const task: Task = await client.readTask({ params: { id: 1 } })
  const nothing: undefined = await client.retractTask({ params: { id: 1 } })
  const again: undefined = await client.retractTask({ params: { id: 1 }, query: { reason: 'x' } })
  await client.listTasks()
  await client.listTasks({ query: { status: 'Pending', isFiled: true } }, { signal: AbortSignal.timeout(1) })
  await client.createTask({ body })
  await client.listTemplates({}, { timeoutMs: 5_000 })
  createClient({ baseUrl: 'https://sign.example.org', apiKey: 'key', retries: 2, onResponse: ({ status }) => status })

  // @ts-expect-error there is no such setting
  createClient({ baseUrl: 'https://sign.example.org', apiKey: 'key', timeout: 5 })
  // @ts-expect-error the id is missing
  await client.readTask()
  // @ts-expect-error the id is missing
  await client.readTask({})
  // @ts-expect-error an id is a number
  await client.readTask({ params: { id: '1' } })
  // @ts-expect-error this operation has no body
  await client.readTask({ params: { id: 1 }, body })
  // @ts-expect-error there is no such filter
  await client.listTasks({ query: { externalDocIds: 'x' } })
  // @ts-expect-error there is no such status
  await client.listTasks({ query: { status: 'Done' } })
  // @ts-expect-error the saved-document id is required
  await client.updateTask({ params: { id: 1 }, query: { archived: true } })
  // @ts-expect-error the query is required
  await client.updateTask({ params: { id: 1 } })
  // @ts-expect-error an update has no body
  await client.updateTask({ params: { id: 1 }, query: { externalSavedDocumentId: 'x' }, body: {} })
  // @ts-expect-error the body is required
  await client.createTask({})
  // @ts-expect-error the document is missing
  await client.createTask({ body: { patient: body.patient, performers: body.performers } })
  // @ts-expect-error the field is sex, not gender
  await client.createTask({ body: { ...body, patient: { ...body.patient, sex: undefined, gender: 'Male' } } })
  // @ts-expect-error a template needs its id
  const annotations: CreateTask['document']['annotations'] = { type: 'Template' }
  // @ts-expect-error nobody can reject through the interface
  await client.rejectTask({ params: { id: 1 } })
  // @ts-expect-error no secret is listed
  const secret = (await client.listSubscriptions())[0]?.secret
  // @ts-expect-error a result without a body is nothing
  const result: object = await client.deleteSubscription({ params: { id: 1 } })
  return [task, nothing, again, annotations, secret, result]
}

export function parts() {
  const event: StatusEvent = verifyWebhook({ payload: Buffer.alloc(0), headers: {}, secrets: ['x'] })
  // @ts-expect-error a body that was parsed cannot be verified
  verifyWebhook({ payload: { eventId: 'x' }, headers: {}, secrets: ['x'] })
  // @ts-expect-error nothing is believed without a secret
  verifyWebhook({ payload: '', headers: {} })
  // @ts-expect-error nothing is once without a store
  createReceiver({ secrets: ['x'], onEvent: () => {} })
  // @ts-expect-error nothing is once without a journal
  createOnce({ client, scope: 'x' })
  // @ts-expect-error a Keyv is a journal for one process only, which has to say so
  keyvJournal(new Keyv())
  return event
}

declare const db: Kysely<Schema>

export async function statusOfATask() {
  await db.updateTable('task').set({ isFiled: 1 }).execute()
  // @ts-expect-error a status changes by a transition alone
  await db.updateTable('task').set({ status: 'Pending' }).execute()
}
