/**
 * A host as networks make it: it refuses connections, loses requests before and answers after they took effect, commits late,
 * and lists late. In memory and on a virtual clock, so that hundreds of documents with minutes of waiting take a moment.
 */
import type { Client } from '../../../../lib/client/client.ts'
import { UnreachableError } from '../../../../lib/client/errors.ts'
import type { Task } from '../../../../lib/contract/task/task.ts'
import type { FakeClock } from '../../../support/fake-clock.ts'

export interface Faults {
  /** Shares from 0 to 1. */
  refused: number
  lostBefore: number
  lostAfter: number
  late: number
  listFails: number
  /** How long a new task is missing in the list. */
  listLagMs: number
}

export interface UnreliableHost extends Pick<Client, 'createTask' | 'listTasks'> {
  /** Every task that was ever committed, with the document it is of. */
  readonly tasks: readonly (Task & { externalDocId: string; committedAt: number })[]
}

export function unreliableHost(clock: FakeClock, random: () => number, faults: Faults): UnreliableHost {
  const tasks: (Task & { externalDocId: string; committedAt: number })[] = []
  const commit = (externalDocId: string) => {
    const task = { taskId: tasks.length + 1, status: 'Received', externalDocId, committedAt: clock.now() } as const
    tasks.push(task)
    return { taskId: task.taskId, status: task.status, statusReason: null }
  }
  const timeout = async (name: string) => {
    await clock.sleep(30_000)
    throw new UnreachableError(name, 'ETIMEDOUT', true)
  }

  return {
    tasks,
    async createTask({ body }) {
      const { externalDocId } = body.document
      await clock.sleep(20 + 200 * random())
      let dice = random()
      const happens = (share: number) => {
        dice -= share
        return dice < 0
      }
      if (happens(faults.refused)) throw new UnreachableError('createTask', 'ECONNREFUSED', false)
      if (happens(faults.lostBefore)) return timeout('createTask')
      if (happens(faults.late)) {
        clock.after(30_000 + 20_000 * random(), () => commit(externalDocId))
        return timeout('createTask')
      }
      const created = commit(externalDocId)
      return dice < faults.lostAfter ? timeout('createTask') : created
    },
    async listTasks(call) {
      await clock.sleep(20 + 50 * random())
      if (random() < faults.listFails) throw new UnreachableError('listTasks', 'ECONNRESET', true)
      const visible = clock.now() - faults.listLagMs
      const wanted = call?.query?.externalDocId
      return tasks.filter((task) => task.committedAt <= visible && task.externalDocId === wanted)
    },
  }
}

/** Reproducible chance (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
