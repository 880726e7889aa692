/** Whether this process can take requests now: its store answers in time and has the right schema, and its workers are on time. */
import { NotInTime, shareAnswer } from '../../lib/share-answer.ts'
import { READY_LIMITS_MS } from '../choices.ts'
import { isLate, type WorkerState } from '../domain/worker-health.ts'
import type { Store } from '../store/store.ts'
import type { EventLoop } from './event-loop.ts'

export interface ReadinessParts {
  store: Pick<Store, 'isUpToDate' | 'objects' | 'queue'>
  eventLoop: EventLoop
  workers(): readonly WorkerState[]
  /** Aborted when the service begins to stop: from then on the process is not ready. */
  stopping: AbortSignal
}

export interface Readiness {
  /** Returns the obstacles, a sentence each; none when the process is ready. Never rejects. */
  problems(): Promise<string[]>
}

const inSeconds = (ms: number) => `${ms / 1000} s`
const STORE_IS_SLOW = `store: requests wait for it longer than ${inSeconds(READY_LIMITS_MS.store)}; send them to another instance`
const LOOP_IS_SLOW = `event loop: requests wait for it longer than ${inSeconds(READY_LIMITS_MS.eventLoop)}; send them to another instance`

export function createReadiness({ store, eventLoop, workers, stopping }: ReadinessParts): Readiness {
  const { objects } = store
  const isUpToDate = shareAnswer(() => store.isUpToDate(), READY_LIMITS_MS.store)
  const reachesObjects = shareAnswer(async () => objects?.ping(), READY_LIMITS_MS.store)

  async function storeProblems(): Promise<string[]> {
    // Asking would only wait in the same line.
    if (store.queue().oldestMs > READY_LIMITS_MS.store) return [STORE_IS_SLOW]
    try {
      return (await isUpToDate()) ? [] : ['store: its schema is older than this version; restart the service']
    } catch (error) {
      return [error instanceof NotInTime && store.queue().waiting > 0 ? STORE_IS_SLOW : 'store: does not answer']
    }
  }

  const objectProblems = () =>
    reachesObjects().then(
      () => [],
      () => ['documents: the object storage does not answer'],
    )

  return {
    async problems() {
      if (stopping.aborted) return ['service: is stopping']
      const late = workers().filter(isLate)
      const found = await Promise.all([storeProblems(), objectProblems()])
      return [
        ...found.flat(),
        ...(eventLoop.waitMs() > READY_LIMITS_MS.eventLoop ? [LOOP_IS_SLOW] : []),
        ...late.map(({ name }) => `workers: ${name} is late`),
      ]
    },
  }
}
