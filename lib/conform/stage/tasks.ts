/** Tasks for the rules to look at: one that waits, two that were withdrawn, one that failed. */
import { isFinal, taskStatuses } from '../../contract/task/task-status.ts'
import type { PlainAnswer } from '../exchange.ts'
import { TASKS } from '../host.ts'
import { isSuccess } from '../judge.ts'
import { notTried } from '../verdict.ts'
import type { Bodies, BodyChange } from './bodies.ts'
import type { Callbacks } from './callbacks.ts'
import { once } from './once.ts'
import { type Json, UNKNOWN_NPI } from './sample.ts'
import type { StageContext } from './stage.ts'

export interface Attempt {
  externalDocId: string
  answer: PlainAnswer
}

export interface MadeTask extends Attempt {
  taskId: number
}

export type Tasks = ReturnType<typeof createTasks>

export function createTasks({ host, wait }: StageContext, bodies: Bodies, callbacks: Callbacks) {
  /** Creates a task, and returns the answer, a refusal included. */
  async function attempt(change?: BodyChange): Promise<Attempt> {
    // Subscribed before, so that the callbacks of this task are seen, too. A rule of its own judges that.
    await callbacks.subscriptions().catch(() => null)
    const sent = await bodies.body(change)
    return { answer: await host.post(TASKS, sent), externalDocId: String((sent.document as Json).externalDocId) }
  }

  const read = async (taskId: number, query: Record<string, boolean> = {}) =>
    Object((await host.get(`${TASKS}/${taskId}`, { query })).body) as Json

  /** Waits until the task is in the status. */
  async function until(taskId: number, status: string): Promise<Json> {
    let seen: unknown
    const task = await wait(async () => {
      const now = await read(taskId)
      seen = now.status
      return seen === status || (seen !== 'Pending' && FINAL.has(String(seen))) ? now : null
    })
    return task?.status === status ? task : notTried(`the task for it is ${wordOf(seen)}, and did not become ${status}`)
  }

  async function pendingOf(created: Attempt): Promise<MadeTask> {
    const task = madeBy(created)
    await until(task.taskId, 'Pending')
    return task
  }

  async function retract() {
    const task = await pendingOf(await attempt())
    const answer = await host.delete(`${TASKS}/${task.taskId}`, { query: { reason: REASON } })
    if (!isSuccess(answer.status)) notTried(`no task could be retracted for it: answered ${answer.status}`)
    return { ...task, answer }
  }

  const first = once(() => attempt())
  const ofNobody = once(() => attempt({ performers: [{ signer: { userNPI: UNKNOWN_NPI } }] }))
  return {
    read,
    /** The first create. */
    first,
    /** The task of the first create. It waits until the clean-up. */
    pending: once(async () => pendingOf(await first())),
    retracted: once(retract),
    alsoRetracted: once(retract),
    /** One that waits and that nothing else looks at. */
    toSpare: once(async () => pendingOf(await attempt())),
    /** The create with a signer whom no one knows. */
    ofNobody,
    failed: once(async () => {
      const task = madeBy(await ofNobody())
      return { ...task, record: await until(task.taskId, 'Failed') }
    }),
  }
}

function madeBy({ answer, externalDocId }: Attempt): MadeTask {
  const { taskId } = Object(answer.body) as Json
  return isSuccess(answer.status) && typeof taskId === 'number'
    ? { taskId, externalDocId, answer }
    : notTried(`no task could be made for it: the create was answered ${answer.status}`)
}

export const REASON = 'Conformance test: withdrawn'
export const FINAL: ReadonlySet<string> = new Set(taskStatuses.filter(isFinal))

/** A status is a word; anything else might be private. */
const wordOf = (status: unknown) => (/^[A-Za-z]{1,20}$/.test(String(status)) ? String(status) : 'in no readable status')
