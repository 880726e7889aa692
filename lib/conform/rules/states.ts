/** Rules of reading: one task, and the list. */
import { type FilterName, parameterOf } from '../../profile/list-habits.ts'
import { type Host, TASKS } from '../host.ts'
import { expectRefused, expectShape, expectStatus, expectThat } from '../judge.ts'
import { rulesOf } from '../rule.ts'
import { ReadTask } from '../shapes.ts'
import type { Json } from '../stage/sample.ts'
import type { Stage } from '../stage/stage.ts'
import { Deviation, notTried } from '../verdict.ts'

/** Nothing has this id. It is within 32 bits, so that it is refused for that alone. */
export const UNKNOWN_ID = 2_000_000_000

const RECORD = 'Resources › Task read record'

async function listed(host: Host, filter: FilterName, value: string | boolean): Promise<Json[]> {
  const { list } = host.profile
  if (!list.filters.includes(filter)) notTried('by its profile the host does not filter by it')
  return itemsOf(host, { [parameterOf(list, filter)]: value })
}

async function itemsOf(host: Host, query: Record<string, string | boolean> = {}): Promise<Json[]> {
  const answer = await host.get(TASKS, { query })
  expectStatus(answer, 200)
  const items = host.itemsOf(answer) ?? deviate('the list is not an array, nor in the envelope of the profile')
  return items.map((item) => Object(item) as Json)
}

const deviate = (why: string): never => {
  throw new Deviation(why)
}

const outputOf = (task: Json) => Object(task.output) as Json

export const states = rulesOf('Reading', [
  [
    'a task is read with its fields',
    RECORD,
    async (host, stage) => {
      const { taskId } = await stage.pending()
      const answer = await host.get(`${TASKS}/${taskId}`)
      expectStatus(answer, 200)
      expectShape(ReadTask, answer.body)
    },
  ],
  [
    'a task has the externalDocId that was sent',
    RECORD,
    async (_host, stage) => {
      const { taskId, externalDocId } = await stage.pending()
      expectThat((await stage.read(taskId)).externalDocId === externalDocId, 'externalDocId: not the one that was sent')
    },
  ],
  [
    'a task that is Pending has a documentId',
    'States and transitions',
    async (_host, stage) => {
      const { documentId } = await stage.read((await stage.pending()).taskId)
      expectThat(Number.isSafeInteger(documentId), 'documentId: not a whole number')
    },
  ],
  [
    'a task that is not signed has no attachment, even when it is asked for',
    'States and transitions',
    async (_host, stage) => {
      const task = await stage.read((await stage.pending()).taskId, { includeOutputAttachment: true })
      expectThat(!outputOf(task).attachment, 'output.attachment: there is one')
    },
  ],
  [
    'a task with an unknown signer fails, with a reason',
    'States and transitions',
    async (_host, stage) => {
      const { statusReason } = outputOf((await stage.failed()).record)
      expectThat(typeof statusReason === 'string' && statusReason !== '', 'output.statusReason: none')
    },
  ],
  [
    'an unknown task is refused',
    'Endpoints › Tasks',
    async (host) => expectRefused(await host.get(`${TASKS}/${UNKNOWN_ID}`)),
  ],
  [
    'the list holds tasks',
    'Endpoints › Tasks',
    async (host, stage) => {
      await stage.pending()
      const items = await itemsOf(host)
      expectThat(items.length > 0, 'the list is empty, although there is a task')
      for (const item of items) expectShape(ReadTask, item)
    },
  ],
  [
    'externalDocId narrows the list to its tasks',
    'Endpoints › Tasks',
    async (host, stage) => {
      const { taskId, externalDocId } = await stage.pending()
      const items = await listed(host, 'externalDocId', externalDocId)
      const isRight = items.length === 1 && items[0]!.taskId === taskId
      expectThat(isRight, `${items.length} tasks, not the one that has it`)
    },
  ],
  [
    'externalSavedDocumentIds narrows the list to its tasks',
    'Endpoints › Tasks',
    async (host, stage) => {
      const { taskId, savedId } = await stage.filed()
      const items = await listed(host, 'externalSavedDocumentIds', savedId)
      const isRight = items.length === 1 && items[0]!.taskId === taskId
      expectThat(isRight, `${items.length} tasks, not the one that has it`)
    },
  ],
  ...(['isArchived', 'isFiled'] as const).map(
    (filter) =>
      [
        `${filter} narrows the list`,
        'Endpoints › Tasks',
        async (host: Host, stage: Stage) => {
          const { taskId } = await stage.filed()
          const [yes, no] = [await listed(host, filter, true), await listed(host, filter, false)]
          expectThat(
            yes.every((task) => outputOf(task)[filter] === true),
            `${filter}=true lists others`,
          )
          expectThat(!no.some((task) => task.taskId === taskId), `${filter}=false lists one that is`)
        },
      ] as const,
  ),
])
