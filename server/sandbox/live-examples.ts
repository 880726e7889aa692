/** The examples of a sandbox's OpenAPI document, so that what `/docs` fills in works when it is executed: today's date, and ids that exist. */
import type { TaskStatus } from '../../lib/contract/task/task.ts'
import type { HostProfile } from '../../lib/profile/host-profile.ts'
import type { Store } from '../store/store.ts'

interface Parameter {
  name?: string
  in?: string
  example?: unknown
}

interface Described {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

type Paths = Record<string, Record<string, Described>>

/** Which task each call about one can be made of: the newest in this status, or in any. */
const STATUS_FOR: Readonly<Record<string, TaskStatus | undefined>> = {
  readTask: undefined,
  updateTask: 'Completed',
  retractTask: 'Pending',
}

export interface LiveOptions {
  store: Pick<Store, 'overview' | 'organizations' | 'forOrganization'>
  /** How the service speaks. */
  profile: HostProfile
  at: Date
}

/** Returns a copy of the document. An id that does not exist yet stays as it is: the first create makes it. */
export async function withLiveExamples<Document extends object>(
  document: Document,
  { store, profile, at }: LiveOptions,
): Promise<Document> {
  const copy = structuredClone(document)
  const operations = Object.values((copy as { paths: Paths }).paths).flatMap(Object.values) as Described[]
  const newestTask = async (status: TaskStatus | undefined) =>
    (await store.overview(null).list({ status, limit: 1 }))[0]?.taskId
  for (const operation of operations) {
    const { operationId } = operation
    if (operationId in STATUS_FOR) setId(operation, await newestTask(STATUS_FOR[operationId]))
    if (/^(update|delete)Subscription$/.test(operationId)) setId(operation, await newestSubscription(store))
    if (operationId === 'createTask') await fillIn(operation, profile, at)
  }
  return copy
}

function setId({ parameters = [] }: Described, id: number | undefined): void {
  for (const parameter of parameters) if (parameter.name === 'id' && id !== undefined) parameter.example = id
}

async function newestSubscription(store: LiveOptions['store']): Promise<number | undefined> {
  const ids: number[] = []
  for (const { id } of await store.organizations.list())
    for (const subscription of await store.forOrganization(id).subscriptions.list()) ids.push(subscription.id)
  return ids.length > 0 ? Math.max(...ids) : undefined
}

async function fillIn({ requestBody }: Described, profile: HostProfile, at: Date): Promise<void> {
  const { samplePdf } = await import('../../lib/conform/stage/sample.ts')
  for (const content of Object.values(requestBody?.content ?? {})) {
    const example = content.example as { document?: Record<string, unknown> } | undefined
    if (!example?.document) continue
    example.document.attachment = await samplePdf(profile)
    example.document.effectiveDate = at.toISOString().slice(0, 10)
  }
}
