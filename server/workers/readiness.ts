/** Whether this process can take requests now: its store answers and has the right schema, and its workers are on time. */
import { setTimeout as pause } from 'node:timers/promises'
import { isLate, type WorkerState } from '../domain/worker-health.ts'
import type { Store } from '../store/store.ts'

export interface ReadinessParts {
  store: Pick<Store, 'isUpToDate' | 'objects'>
  workers(): readonly WorkerState[]
  /** Aborted when the service begins to stop: from then on the process is not ready. */
  stopping: AbortSignal
}

export interface Readiness {
  /** What is in the way, a sentence each; nothing when the process is ready. Never rejects. */
  problems(): Promise<string[]>
}

/** A store that takes longer to answer is away. */
const PATIENCE_MS = 2_000

export function createReadiness({ store, workers, stopping }: ReadinessParts): Readiness {
  return {
    async problems() {
      if (stopping.aborted) return ['service: is stopping']
      const late = workers().filter(isLate)
      return [
        ...(await storeProblems(store)),
        ...(await objectProblems(store)),
        ...late.map(({ name }) => `workers: ${name} is late`),
      ]
    },
  }
}

async function objectProblems({ objects }: ReadinessParts['store']): Promise<string[]> {
  if (!objects) return []
  const answers = objects.ping().then(
    () => true,
    () => false,
  )
  const isThere = await Promise.race([answers, pause(PATIENCE_MS, false, { ref: false })])
  return isThere ? [] : ['documents: the object storage does not answer']
}

async function storeProblems(store: ReadinessParts['store']): Promise<string[]> {
  const answer = await Promise.race([store.isUpToDate().catch(() => null), pause(PATIENCE_MS, null, { ref: false })])
  if (answer === null) return ['store: does not answer']
  return answer ? [] : ['store: its schema is older than this version; restart the service']
}
