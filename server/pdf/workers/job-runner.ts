/** Runs jobs in worker threads, each within its limits. Knows nothing of what a job does. */
import { constants, platform } from 'node:os'
import pLimit from 'p-limit'
import type { Piscina } from 'piscina'
import { type MemoryAtRest, memoryAtRest } from '../../../lib/at-rest.ts'
import { copyLarge, isLarge } from '../../../lib/memory.ts'
import type { PdfLimits } from '../../../lib/pdf/guard/limits.ts'
import { moduleAt } from '../../../lib/places.ts'
import type { JobName, JobOutcome, Jobs } from './jobs.ts'
import { createProgress } from './progress.ts'
import { createTurns, type QueueGroup } from './turns.ts'
import { type Ended, type WatchLimits, watchJob } from './watch.ts'

export interface Refused {
  ok: false
  problem: string
  /** The document may not be at fault, but what ran alongside it, here or on the machine: another try may go well. */
  isForNow?: true
}

/** The terms of a job; omitted ones are those of a document that is read. */
export interface Terms
  extends Partial<Pick<WatchLimits, 'timeoutMs' | 'pageTimeoutMs' | 'maxGrowthBytes' | 'starvedAfterMs'>> {
  /** Asked when the job's turn comes. A job that no one waits for any more is not begun. */
  isAwaited?: (() => boolean) | undefined
}

export interface JobRunner {
  /** The answer, or why the job was ended. Throws when the fault is ours and not the document's. */
  run<N extends JobName>(
    name: N,
    question: Jobs[N]['question'],
    terms?: Terms,
  ): Promise<{ answer: Jobs[N]['answer'] } | Refused>
  /** Ends the threads. Jobs under way are rejected. */
  close(): Promise<void>
}

export interface JobRunnerOptions {
  limits: PdfLimits
  threads: number
  group: QueueGroup | undefined
  isGuest: boolean
  /** A thread that has nothing to do for this long ends. */
  idleMs: number
  /** Gives memory back when there is no more to do. */
  resting?: MemoryAtRest
}

const CLOSED = 'The PDF pool is closed'
/** So long after its threads have ended, a pool at rest has the memory of this thread given back, too. */
const REST_AFTER_MS = 10_000
/** The more there may be, the less often all of it is gone through; `watchJob` ends a job long before it takes that. */
const MAX_HEAP_MB = 1024
/** The limit on young memory; each thread would take 48 MB by itself. */
const MAX_YOUNG_MB = 32
/** Threads that read documents give way to the one that serves everybody, but not to all else on the machine. */
const NICE = 5

export function createJobRunner({ limits, threads, group, isGuest, idleMs, ...options }: JobRunnerOptions): JobRunner {
  const { resting = memoryAtRest(idleMs + REST_AFTER_MS) } = options
  let workers: Promise<Piscina> | undefined
  const turns = createTurns(threads, group)
  const toRead = { timeoutMs: limits.readTimeoutMs, maxGrowthBytes: limits.maxGrowthBytes }
  // Two large documents at once would take twice the memory, and hardly less time.
  const oneByOne = pLimit(1)
  let isClosed = false

  async function once<N extends JobName>(name: N, question: Jobs[N]['question'], terms: Terms, isAlone: boolean) {
    const turn = await turns.take(isAlone)
    const progress = createProgress()
    const { isAwaited, ...own } = { ...toRead, ...terms }
    try {
      if (isAwaited?.() === false) return { ended: 'left' as const, hadCompany: false }
      const { copy, transferList } = isGuest ? givenAway(question) : await copyOf(question)
      workers ??= createThreads(threads, isGuest, idleMs)
      const started = await workers
      const job = (signal: AbortSignal): Promise<JobOutcome<N>> =>
        started.run({ name, question: copy, progress }, { signal, transferList })
      if (isClosed) throw new Error(CLOSED)
      const watched = await watchJob(job, progress, { ...limits, ...own })
      if ('ended' in watched && isClosed) throw new Error(CLOSED)
      return { ...watched, hadCompany: turn.hadCompany() }
    } finally {
      turn.giveBack()
      if (!isClosed) resting.worked()
    }
  }

  return {
    async run(name, question, terms = {}) {
      const { timeoutMs = toRead.timeoutMs } = terms
      const run = () => once(name, question, terms, false)
      const first = await (Object.values(question).some(isLarge) ? oneByOne(run) : run())
      // The memory may have been used by another job: only one that runs alone is surely to blame.
      const isDoubtful = 'ended' in first && first.ended === 'too large' && first.hadCompany
      if (isDoubtful && isGuest) return { ok: false, problem: PROBLEMS['too large'](timeoutMs), isForNow: true }
      const last = isDoubtful ? await once(name, question, terms, true) : first
      if ('ended' in last) return refused(last.ended, timeoutMs)
      if ('fault' in last.handedBack) throw new Error(last.handedBack.fault)
      return last.handedBack
    },
    async close() {
      isClosed = true
      resting.close()
      await (await workers)?.destroy()
    },
  }
}

type Handed<Q> = { copy: Q; transferList: ArrayBuffer[] }

/** A guest's document is given away: another try would be another call. */
function givenAway<Q extends object>(question: Q): Handed<Q> {
  return { copy: question, transferList: 'pdf' in question ? [(question.pdf as Uint8Array<ArrayBuffer>).buffer] : [] }
}

/** Others are kept for another try. */
async function copyOf<Q extends object>(question: Q): Promise<Handed<Q>> {
  const { copies, transferList } = await copyLarge(Object.values(question))
  const names = Object.keys(question)
  return { copy: Object.fromEntries(names.map((name, index) => [name, copies[index]])) as Q, transferList }
}

/** Loaded with the first job. */
async function createThreads(count: number, isGuest: boolean, idleMs: number): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  return new Piscina({
    filename: moduleAt('server/pdf/workers/worker').href,
    minThreads: 0,
    maxThreads: count,
    idleTimeout: idleMs,
    // Elsewhere the priority would be that of the whole process.
    niceIncrement: platform() === 'linux' ? (isGuest ? constants.priority.PRIORITY_LOW : NICE) : 0,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
  })
}

const PROBLEMS: Readonly<Record<Ended | 'left', (timeoutMs: number) => string>> = {
  'too slow': (timeoutMs) => `takes more than ${timeoutMs / 1000} s to read; print it to PDF again`,
  'too large': () => 'takes too much memory to read; print it to PDF again',
  crashed: () => 'cannot be read: it broke the reader; print it to PDF again',
  starved: () => 'could not be read in time, because the machine is busy; send it again',
  left: () => 'was not read, because the request was aborted; send it again',
}

function refused(ended: Ended | 'left', timeoutMs: number): Refused {
  const problem = PROBLEMS[ended](timeoutMs)
  return ended === 'starved' || ended === 'left' ? { ok: false, problem, isForNow: true } : { ok: false, problem }
}
