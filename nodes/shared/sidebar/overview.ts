/** Lists a service's tasks for the sidebar: those that a person may have to look after, in four parts. Changes nothing. */
import type { Client } from '../../../lib/client/client.ts'
import { listAll } from '../../../lib/client/list-all.ts'
import { isRecorded } from '../../../lib/client/unrecorded/is-recorded.ts'
import type { OutcomeLedger } from '../../../lib/client/unrecorded/outcome-ledger.ts'
import type { Task, TaskStatus } from '../../../lib/contract/task/task.ts'
import type { ServiceNode } from '../service/connection.ts'
import { outcomesOf } from '../service/outcomes.ts'
import { documentTypes } from './document-types.ts'
import { rowOf, type TaskRow } from './task-row.ts'

export interface Part {
  /** Newest first. */
  rows: TaskRow[]
  /** False when the host may have more of them than were looked at. */
  isComplete: boolean
}

export interface Overview {
  /** Tasks that have not ended. */
  open: Part
  /** Tasks that a wait node of this Node-RED waits for. */
  waiting: Part
  /** Tasks that failed, until a flow acknowledges them. */
  failed: Part
  /** Tasks that are Completed or Rejected, until a flow records or acknowledges them. */
  unrecorded: Part
  /** How long the reason of a retract may be at this host, in characters. */
  reasonLength: number
  /** After how many milliseconds to look again. */
  refreshMs: number
}

/** A look takes six calls or more, and a host counts them with those of the flows; the embedded service counts none. */
const REFRESH_MS = 60_000
const REFRESH_EMBEDDED_MS = 3000

/** Rejects with the errors of the client, and with the reason of the signal. */
export async function overview(service: ServiceNode, signal: AbortSignal): Promise<Overview> {
  const connection = await service.connect()
  const { client, speech, simulated, consoleUrl } = connection
  const ledger = await outcomesOf(service)
  const found = (statuses: TaskStatus[]) => newest(client, statuses, signal)
  const [open, failed, ended, waits] = await Promise.all([
    found(['Received', 'Processing', 'Pending']),
    found(['Failed']),
    found(['Completed', 'Rejected']),
    Promise.all(service.waits.all().map((tasks) => tasks())),
  ])
  // A wait may know of a task that was too old to be looked at.
  const known = new Map([...open.tasks, ...ended.tasks, ...failed.tasks].map((task) => [task.taskId, task]))
  const waiting = new Map(waits.flat().map((task) => [task.taskId, known.get(task.taskId) ?? task]))
  const awaited = [...waiting.values()].toSorted((a, b) => a.taskId - b.taskId)
  const typeOf = documentTypes(connection)
  const part = async (tasks: Iterable<Task>, isComplete: boolean): Promise<Part> => {
    const row = async (task: Task) => rowOf(task, { consoleUrl, documentType: await typeOf(task) })
    return { rows: await Promise.all([...tasks].toSorted((a, b) => b.taskId - a.taskId).map(row)), isComplete }
  }
  return {
    open: await part(open.tasks, open.isComplete),
    waiting: await part(awaited.slice(-LOOKED_AT), awaited.length <= LOOKED_AT),
    failed: await part(await notRecorded(failed.tasks, ledger), failed.isComplete),
    unrecorded: await part(await notRecorded(ended.tasks, ledger), ended.isComplete),
    reasonLength: speech.profile.limits.reasonLength,
    refreshMs: simulated ? REFRESH_EMBEDDED_MS : REFRESH_MS,
  }
}

/** How many tasks of a status are looked at: two pages of most hosts, and more than a person reads. */
const LOOKED_AT = 200

async function newest(client: Pick<Client, 'listTasks'>, statuses: TaskStatus[], signal: AbortSignal) {
  const lists = await Promise.all(statuses.map((status) => newestIn(client, status, signal)))
  return { tasks: lists.flatMap(({ tasks }) => tasks), isComplete: lists.every(({ isComplete }) => isComplete) }
}

async function newestIn(client: Pick<Client, 'listTasks'>, status: TaskStatus, signal: AbortSignal) {
  const tasks: Task[] = []
  const listed = listAll(client, { status }, { signal })
  for (let next = await listed.next(); ; next = await listed.next()) {
    if (next.done) return { tasks, isComplete: next.value.isComplete }
    if (tasks.length === LOOKED_AT) return { tasks, isComplete: false }
    tasks.push(next.value)
  }
}

async function notRecorded(tasks: Task[], ledger: OutcomeLedger): Promise<Task[]> {
  const isDealtWith = await Promise.all(tasks.map(async (task) => isRecorded(task) || ledger.isRecorded(task.taskId)))
  return tasks.filter((_, index) => !isDealtWith[index])
}
