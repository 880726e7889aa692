/**
 * The door to everything that reads or writes documents: worker threads, so that the service answers while a document is
 * read, and limits, so that a hostile one hurts nobody. A bad document is an answer; only a fault of ours is an exception.
 */
import { availableParallelism, constants, platform } from 'node:os'
import { Piscina } from 'piscina'
import type { Annotations } from '../../../lib/contract/task/document.ts'
import { isHopelesslyLong, tooLarge } from '../../../lib/pdf/guard/attachment.ts'
import { defaultLimits, type PdfLimits } from '../../../lib/pdf/guard/limits.ts'
import type { Field, Placed } from '../../../lib/pdf/placement/placement.ts'
import { type ActiveContentPolicy, defaultActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import type { Completion } from '../completion.ts'
import type { Verdict } from '../seal/verify.ts'
import {
  type CompleteAnswer,
  createProgress,
  type InspectAnswer,
  type JobName,
  type Jobs,
  type Outcome,
} from './jobs.ts'
import { createTurns, type House } from './turns.ts'
import { type Ended, watchJob } from './watch.ts'

export type { Completion } from '../completion.ts'

export interface PdfPool {
  /**
   * Is this Base64 text a PDF that we accept? The answer holds it as it is to be shown and sealed, with its form and what
   * is active in it treated. A bad document is an answer, never an exception. `tooLarge` is set when the decoded size is
   * over the limit, which is 413 instead of 400. Problems never quote the document.
   */
  inspect(attachment: string, policy?: ActiveContentPolicy): Promise<InspectAnswer>
  /**
   * Where the fields of these annotations stand. `templateFields` are those of the chosen template, [] when there is none.
   * A problem names the annotation by its path, never the text of the document (choice: Text that is not found; the reason of a failed
   * placement becomes the task's statusReason).
   */
  place(pdf: Uint8Array, annotations: Annotations, templateFields: readonly Field[]): Promise<Placed>
  /**
   * Stamps the filled-in fields, appends the certificate page and seals, when the result is what was shown and the ink on
   * it. Throws when the seal key is unusable.
   */
  complete(pdf: Uint8Array, completion: Completion): Promise<CompleteAnswer>
  /** `verifySealed` in a worker. A guest's pool takes the bytes away. @param expectedCertificates PEM, one or several after another. */
  verify(pdf: Uint8Array, expectedCertificates?: string): Promise<{ ok: true; verdict: Verdict } | Refused>
  /** Starts a worker ahead, so that the first document does not wait for it. */
  warm(): Promise<void>
  /** Ends the workers. Jobs under way are rejected: a document is not at fault when the service stops. */
  close(): Promise<void>
}

export interface Refused {
  ok: false
  problem: string
  /** Maybe no fault of the document, but of what ran beside it: another try may go well. */
  isForNow?: true
}

export interface PdfPoolOptions {
  limits?: Partial<PdfLimits>
  /** Documents worked on at once. */
  threads?: number
  /** The pools whose memory cannot be told apart. */
  house?: House
  /** Goes last: its threads step back, and the jobs of other pools never wait for one of its own. */
  isGuest?: boolean
}

const CLOSED = 'The PDF pool is closed'
const IDLE_MS = 300_000
const MAX_HEAP_MB = 512

export function createPdfPool({ limits: given = {}, threads, house, isGuest = false }: PdfPoolOptions = {}): PdfPool {
  const limits = { ...defaultLimits, ...given }
  const count = threads ?? Math.max(1, Math.min(2, availableParallelism() - 1))
  // The extension of this file tells whether sources or the compiled package run.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const workers = new Piscina({
    filename: new URL(`./worker.${extension}`, import.meta.url).href,
    minThreads: 0,
    maxThreads: count,
    idleTimeout: IDLE_MS,
    // Elsewhere the priority would be that of the whole process.
    niceIncrement: isGuest && platform() === 'linux' ? constants.priority.PRIORITY_LOW : 0,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  const turns = createTurns(count, house)
  let isClosed = false

  async function once<N extends JobName>(name: N, question: Jobs[N]['question'], timeoutMs: number, isAlone: boolean) {
    const turn = await turns.take(isAlone)
    const progress = createProgress()
    // A guest's document is given away: to copy a large one would hold up the thread that serves everybody.
    const transferList = isGuest && 'pdf' in question ? [question.pdf.buffer as ArrayBuffer] : []
    const run = (signal: AbortSignal): Promise<Outcome<N>> =>
      workers.run({ name, question, progress }, { signal, transferList })
    try {
      if (isClosed) throw new Error(CLOSED)
      const watched = await watchJob(run, progress, { ...limits, timeoutMs })
      if ('ended' in watched && isClosed) throw new Error(CLOSED)
      return { ...watched, hadCompany: turn.hadCompany() }
    } finally {
      turn.giveBack()
    }
  }

  async function ask<N extends JobName>(
    name: N,
    question: Jobs[N]['question'],
    timeoutMs = limits.readTimeoutMs,
  ): Promise<{ answer: Jobs[N]['answer'] } | Refused> {
    const first = await once(name, question, timeoutMs, false)
    // The memory may have been a neighbour's: only a job that runs alone is to blame for it.
    const isDoubtful = 'ended' in first && first.ended === 'too large' && first.hadCompany
    if (isDoubtful && isGuest) return { ok: false, problem: problems['too large'](timeoutMs), isForNow: true }
    const last = isDoubtful ? await once(name, question, timeoutMs, true) : first
    if ('ended' in last) return { ok: false, problem: problems[last.ended](timeoutMs) }
    if ('fault' in last.handedBack) throw new Error(last.handedBack.fault)
    return last.handedBack
  }

  return {
    inspect: async (attachment, policy = defaultActiveContentPolicy) => {
      if (isHopelesslyLong(attachment, limits.maxBytes)) return tooLarge(limits.maxBytes)
      const asked = await ask('inspect', { attachment, limits, policy })
      return 'answer' in asked ? asked.answer : asked
    },
    place: async (pdf, annotations, templateFields) => {
      const asked = await ask('place', { pdf: onlyItself(pdf), annotations, templateFields })
      return 'answer' in asked ? asked.answer : { ...asked, problem: `document.attachment: ${asked.problem}` }
    },
    complete: async (pdf, completion) => {
      const asked = await ask('complete', { pdf: onlyItself(pdf), completion, limits }, limits.completeTimeoutMs)
      return 'answer' in asked ? asked.answer : asked
    },
    verify: async (pdf, expectedCertificates = '') => {
      const asked = await ask('verify', { pdf: onlyItself(pdf), expectedCertificates })
      return 'answer' in asked ? { ok: true, verdict: asked.answer } : asked
    },
    warm: async () => {
      await ask('inspect', { attachment: '', limits, policy: defaultActiveContentPolicy })
    },
    close: async () => {
      isClosed = true
      await workers.destroy()
    },
  }
}

/** A view would be copied together with everything else in its buffer. */
const onlyItself = (pdf: Uint8Array): Uint8Array =>
  pdf.byteLength === pdf.buffer.byteLength ? pdf : new Uint8Array(pdf)

const problems: Readonly<Record<Ended, (timeoutMs: number) => string>> = {
  'too slow': (timeoutMs) => `takes more than ${timeoutMs / 1000} s to read; print it to PDF again`,
  'too large': () => 'takes too much memory to read; print it to PDF again',
  crashed: () => 'cannot be read: it broke the reader; print it to PDF again',
}
