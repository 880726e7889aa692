/** Runs jobs in worker threads, each within its limits. Knows nothing of what a job does. */
import { constants, platform } from 'node:os'
import { Piscina } from 'piscina'
import type { PdfLimits } from '../../../lib/pdf/guard/limits.ts'
import { createProgress, type JobName, type JobOutcome, type Jobs } from './jobs.ts'
import { createTurns, type QueueGroup } from './turns.ts'
import { type Ended, watchJob } from './watch.ts'

export interface Refused {
  ok: false
  problem: string
  /** The document may not be at fault, but what ran beside it: another try may go well. */
  isForNow?: true
}

export interface JobRunner {
  /** The answer, or why the job was ended. Throws when the fault is ours and not the document's. */
  run<N extends JobName>(
    name: N,
    question: Jobs[N]['question'],
    timeoutMs?: number,
  ): Promise<{ answer: Jobs[N]['answer'] } | Refused>
  /** Ends the threads. Jobs under way are rejected. */
  close(): Promise<void>
}

export interface JobRunnerOptions {
  limits: PdfLimits
  threads: number
  group: QueueGroup | undefined
  isGuest: boolean
}

const CLOSED = 'The PDF pool is closed'
const IDLE_MS = 300_000
const MAX_HEAP_MB = 512

export function createJobRunner({ limits, threads, group, isGuest }: JobRunnerOptions): JobRunner {
  const workers = createThreads(threads, isGuest)
  const turns = createTurns(threads, group)
  let isClosed = false

  async function once<N extends JobName>(name: N, question: Jobs[N]['question'], timeoutMs: number, isAlone: boolean) {
    const turn = await turns.take(isAlone)
    const progress = createProgress()
    // A guest's document is given away: to copy a large one would hold up the thread that serves everybody.
    const transferList = isGuest && 'pdf' in question ? [question.pdf.buffer as ArrayBuffer] : []
    const job = (signal: AbortSignal): Promise<JobOutcome<N>> =>
      workers.run({ name, question, progress }, { signal, transferList })
    try {
      if (isClosed) throw new Error(CLOSED)
      const watched = await watchJob(job, progress, { ...limits, timeoutMs })
      if ('ended' in watched && isClosed) throw new Error(CLOSED)
      return { ...watched, hadCompany: turn.hadCompany() }
    } finally {
      turn.giveBack()
    }
  }

  return {
    async run(name, question, timeoutMs = limits.readTimeoutMs) {
      const first = await once(name, question, timeoutMs, false)
      // The memory may have been used by another job: only one that runs alone is surely to blame.
      const isDoubtful = 'ended' in first && first.ended === 'too large' && first.hadCompany
      if (isDoubtful && isGuest) return { ok: false, problem: PROBLEMS['too large'](timeoutMs), isForNow: true }
      const last = isDoubtful ? await once(name, question, timeoutMs, true) : first
      if ('ended' in last) return { ok: false, problem: PROBLEMS[last.ended](timeoutMs) }
      if ('fault' in last.handedBack) throw new Error(last.handedBack.fault)
      return last.handedBack
    },
    async close() {
      isClosed = true
      await workers.destroy()
    },
  }
}

function createThreads(count: number, isGuest: boolean): Piscina {
  // The extension of this file tells whether sources or the compiled package run.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new Piscina({
    filename: new URL(`./worker.${extension}`, import.meta.url).href,
    minThreads: 0,
    maxThreads: count,
    idleTimeout: IDLE_MS,
    // Elsewhere the priority would be that of the whole process.
    niceIncrement: isGuest && platform() === 'linux' ? constants.priority.PRIORITY_LOW : 0,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
}

const PROBLEMS: Readonly<Record<Ended, (timeoutMs: number) => string>> = {
  'too slow': (timeoutMs) => `takes more than ${timeoutMs / 1000} s to read; print it to PDF again`,
  'too large': () => 'takes too much memory to read; print it to PDF again',
  crashed: () => 'cannot be read: it broke the reader; print it to PDF again',
}
