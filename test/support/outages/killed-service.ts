/** A service that is killed again and again under load: it loses nothing that it acknowledged, and invents nothing. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { Client } from '../../../lib/client/client.ts'
import type { Task, TaskStatus } from '../../../lib/contract/task/task.ts'
import { aFolder } from '../a-folder.ts'
import { TestReceiver } from '../network/test-receiver.ts'
import { aClient } from '../service/a-client.ts'
import { aCreateBody, SIGNER } from '../service/a-create-body.ts'
import { countersign, leasesEnd, type Served, serve } from '../service/served.ts'
import { countedIn, keptIn } from '../store/counts/kept-counts.ts'

/** What was acknowledged, and must therefore hold. */
interface Acknowledged {
  created: Set<number>
  acted: Map<number, TaskStatus>
}

/** What a task that ended so must have told, no more and no less. */
const TOLD: Record<TaskStatus, readonly TaskStatus[]> = {
  Received: [],
  Processing: [],
  Pending: ['Pending'],
  Completed: ['Pending', 'Completed'],
  Rejected: ['Pending', 'Rejected'],
  Retracted: ['Pending', 'Retracted'],
  Failed: ['Failed'],
  Cancelled: ['Pending', 'Cancelled'],
}

const VERBS = { sign: 'Completed', retract: 'Retracted', reject: 'Rejected' } as const

export async function killedAgainAndAgain(rounds: number): Promise<void> {
  const folder = aFolder()
  const start = () => serve(['--data', folder, '--sandbox', '--seed', 'demo', '--allow-http-webhooks'])
  const receiver = await TestReceiver.start()
  let served: Served | null = null
  try {
    served = await start()
    const key = served.apiKeys[0]!.key
    const { secret } = await clientOf(served, key).createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)

    const acknowledged: Acknowledged = { created: new Set(), acted: new Map() }
    for (let round = 0; round < rounds; round++) {
      served ??= await start()
      // Some are killed while they start, most at work: the first document loads the readers of PDF.
      await killedUnderLoad(served, key, acknowledged, round % 5 !== 0)
      served = null
    }

    served = await start()
    await leasesEnd(served, key)
    const tasks = await settled(clientOf(served, key), receiver)
    expect(acknowledged.created.size, 'acknowledged').to.be.above(rounds)
    expectKept(acknowledged, tasks)
    expectTold(receiver, tasks)

    expect(await served.stop()).to.equal(0)
    served = null
    const database = new DatabaseSync(join(folder, 'countersign.sqlite'), { readOnly: true })
    const query = async (sql: string) => database.prepare(sql).all()
    expect(await keptIn(query)).to.deep.equal(await countedIn(query))
    database.close()
    const audit = await countersign(['audit', 'verify', '--data', folder])
    expect(audit.stderr).to.equal('')
    expect(audit.code).to.equal(0)
  } finally {
    await served?.kill()
    await receiver.stop()
  }
}

const clientOf = ({ baseUrl }: Served, apiKey: string) => aClient({ baseUrl, apiKey })

async function killedUnderLoad(live: Served, key: string, acknowledged: Acknowledged, isAtWork: boolean) {
  let isKilled = false
  const isOver = () => isKilled
  const { created } = acknowledged
  const streams = [
    create(live, key, created, isOver),
    create(live, key, created, isOver),
    act(live, key, acknowledged, isOver),
  ]
  // What fails does so because the service is gone; an error before that fails the test.
  const ended = Promise.all(
    streams.map((stream) => stream.catch((failure) => expect(isKilled, failure).to.equal(true))),
  )
  const before = created.size
  while (isAtWork && created.size === before) await Promise.race([pause(10), ended])
  await Promise.race([pause(20 + Math.random() * 700), ended])
  isKilled = true
  await live.kill()
  await ended
}

async function create(live: Served, key: string, created: Set<number>, isOver: () => boolean): Promise<void> {
  for (let number = 0; !isOver(); number++) {
    const userNPI = number % 4 === 0 ? SIGNER.unknown : SIGNER.calder
    const { taskId } = await clientOf(live, key).createTask({
      body: aCreateBody({ performer: { signer: { userNPI } } }),
    })
    created.add(taskId)
  }
}

async function act(live: Served, key: string, { acted }: Acknowledged, isOver: () => boolean): Promise<void> {
  const client = clientOf(live, key)
  const verbs = ['sign', 'retract', 'reject'] as const
  for (let number = 0; !isOver(); number++) {
    const [task] = await client.listTasks({ query: { status: 'Pending', limit: 1 } })
    if (!task) {
      await pause(10)
      continue
    }
    const verb = verbs[number % verbs.length]!
    if (verb === 'retract') await client.retractTask({ params: { id: task.taskId }, query: {} })
    else {
      const path = `${live.baseUrl}/sandbox/v1/tasks/${task.taskId}/${verb}`
      const answer = await fetch(path, { method: 'POST', headers: { 'x-api-key': key } })
      if (answer.status !== 204) throw new Error(`${verb} answered ${answer.status}`)
    }
    acted.set(task.taskId, VERBS[verb])
  }
}

/** Waits until every task was ingested and every change was told. */
async function settled(client: Client, receiver: TestReceiver): Promise<Task[]> {
  for (const until = Date.now() + 75_000; ; ) {
    const tasks = await everyTask(client)
    const isSettled = tasks.every(({ taskId, status }) => {
      const told = receiver.statusesOf(taskId)
      return !['Received', 'Processing'].includes(status) && TOLD[status].every((one) => told.includes(one))
    })
    if (isSettled || Date.now() > until) return tasks
    await pause(250)
  }
}

async function everyTask(client: Client): Promise<Task[]> {
  const tasks: Task[] = []
  for (let before: number | undefined; ; before = tasks.at(-1)!.taskId) {
    const page = await client.listTasks({ query: { limit: 500, ...(before !== undefined && { before }) } })
    tasks.push(...page)
    if (page.length < 500) return tasks
  }
}

function expectKept({ created, acted }: Acknowledged, tasks: readonly Task[]): void {
  const known = new Map(tasks.map((task) => [task.taskId, task]))
  for (const taskId of created) expect(known.has(taskId), `task ${taskId} was acknowledged`).to.equal(true)
  for (const [taskId, status] of acted) expect(known.get(taskId)?.status, `task ${taskId}`).to.equal(status)
}

/** Each change was told, each with one event, and none that did not happen. */
function expectTold({ received }: TestReceiver, tasks: readonly Task[]): void {
  expect(received.filter(({ refusal }) => refusal !== null)).to.deep.equal([])
  const told = new Map<number, Map<string, Set<string>>>()
  for (const { event } of received) {
    const statuses = told.get(event!.taskId) ?? new Map<string, Set<string>>()
    statuses.set(event!.status, (statuses.get(event!.status) ?? new Set()).add(event!.eventId))
    told.set(event!.taskId, statuses)
  }
  for (const task of tasks) {
    const statuses = told.get(task.taskId) ?? new Map<string, Set<string>>()
    expect([...statuses.keys()].sort(), `task ${task.taskId}`).to.deep.equal([...TOLD[task.status]].sort())
    for (const [status, eventIds] of statuses) expect(eventIds.size, `${task.taskId} ${status}`).to.equal(1)
  }
  const known = new Set(tasks.map(({ taskId }) => taskId))
  expect(
    [...told.keys()].filter((taskId) => !known.has(taskId)),
    'told of and not there',
  ).to.deep.equal([])
}
