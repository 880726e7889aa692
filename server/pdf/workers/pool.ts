/**
 * The door to everything that reads or writes documents: worker threads, so that the service answers while a document is
 * read, and limits, so that a hostile one hurts no one. A bad document is an answer; only a fault of ours is an exception.
 */
import { availableParallelism } from 'node:os'
import type { Annotations } from '../../../lib/contract/task/document.ts'
import { isHopelesslyLong, tooLarge } from '../../../lib/pdf/guard/attachment.ts'
import { defaultLimits, type PdfLimits } from '../../../lib/pdf/guard/limits.ts'
import type { Wanted } from '../../../lib/pdf/placement/early-placement.ts'
import { type Field, ownTokens, type Placed } from '../../../lib/pdf/placement/placement.ts'
import type { DocumentRule } from '../../../lib/pdf/plain/document-rules.ts'
import { type ActiveContentPolicy, defaultActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import type { Verdict, VerifyOptions } from '../../../lib/pdf/seal/verify.ts'
import type { Completion, Ink, Signature } from '../completion.ts'
import { USUAL_DPI } from '../draw/draw-document.ts'
import type { NotShown, PageRequest, ShownPage } from '../draw/shown-page.ts'
import type { Rehearsal, Rehearsed } from '../rehearse.ts'
import type { Answered } from '../seal/timestamp/attach.ts'
import { createJobRunner, type Refused } from './job-runner.ts'
import type {
  CompleteAnswer,
  DrawAnswer,
  InspectAnswer,
  Pages,
  PreviewAnswer,
  SealedAnswer,
  TimestampAnswer,
} from './jobs.ts'
import type { QueueGroup } from './turns.ts'

export type { Completion } from '../completion.ts'

export interface InspectOptions {
  policy?: ActiveContentPolicy
  /** The treatment of documents by whether they are plain; `auto` by default. */
  documents?: DocumentRule
  /** The fields to place while the document is open; optional, none by default. */
  wanted?: Wanted | null
  /** Asked when its turn comes: what no one waits for any more is not read. */
  isAwaited?: () => boolean
}

/** Works on documents away from the thread that serves everybody. */
export interface PdfPool {
  /** The tokens that request fields in a document. */
  readonly tokens: readonly string[]
  /**
   * Is this Base64 text a PDF that we accept? As bytes it is what stood between the quotes of a JSON string. The answer holds the document prepared to be shown and sealed: its form part
   * of its pages, its active content treated as `policy` says, or as it was received where it is not plain and is to be drawn. `tooLarge` is set when the decoded size is over the limit,
   * which is 413 instead of 400; `isForNow` when another try may go well. Problems never quote the document.
   */
  inspect(attachment: string | Uint8Array, options?: InspectOptions): Promise<InspectAnswer>
  /**
   * Draws a document that `inspect` accepted to be drawn: returns it as pictures of its pages.
   * A problem is a sentence that never quotes the document, because it becomes the task's statusReason.
   * Throws when the machine is too busy to tell.
   */
  draw(pdf: Uint8Array): Promise<DrawAnswer>
  /**
   * Where the fields of these annotations stand. `templateFields` are those of the chosen template, [] when there is none.
   * A problem names the annotation by its path and never quotes the document, because it becomes the task's statusReason.
   * Throws when the machine is too busy to tell.
   * choice: Text that is not found
   */
  place(pdf: Uint8Array, annotations: Annotations, templateFields: readonly Field[]): Promise<Placed>
  /**
   * Can this document be signed, and shown to its signer? Signs it with sample ink, under stricter limits than `complete` has.
   * A problem is a sentence that never quotes the document, because it becomes the task's statusReason.
   * Throws when the machine is too busy to tell.
   * choice: Rehearsal of signing
   */
  rehearse(pdf: Uint8Array, rehearsal: Rehearsal): Promise<Rehearsed>
  /**
   * Stamps the filled-in fields, appends the certificate page, and seals the result if it is what was shown with the ink on
   * it. The answer has `toSign` in place of the seal when the key is elsewhere. Throws when the seal key is unusable.
   */
  complete(pdf: Uint8Array, completion: Completion): Promise<CompleteAnswer>
  /**
   * Adds the signature of a key elsewhere to a document that `complete` returned, which is taken away from the caller.
   * Throws when the machine is too busy.
   */
  addSignature(pdf: Uint8Array, signature: Signature): Promise<SealedAnswer>
  /**
   * Checks the answer of an authority and adds its timestamp to the seal of a completed document, which is taken away from the
   * caller. Throws when the machine is too busy.
   */
  timestamp(pdf: Uint8Array, answered: Answered): Promise<TimestampAnswer>
  /** The ink alone, under the limits of `complete`: what the signer looks at before signing. */
  preview(pdf: Uint8Array, ink: Ink): Promise<PreviewAnswer>
  /** Returns the sizes of the pages of an accepted or completed document. */
  sizes(pdf: Uint8Array): Promise<({ ok: true } & Pages) | Refused>
  /** Draws one page of an accepted or completed document for a screen, and reads its text. */
  show(pdf: Uint8Array, request: PageRequest): Promise<ShownPage | NotShown | Refused>
  /**
   * `verifySealed` in a worker. A guest's pool takes the bytes away from the caller.
   * @param expectedCertificates PEM, one or several after another
   */
  verify(
    pdf: Uint8Array,
    expectedCertificates?: string,
    options?: VerifyOptions,
  ): Promise<{ ok: true; verdict: Verdict } | Refused>
  /** Starts a worker, so that the first document does not have to wait for that. */
  warm(): Promise<void>
  /** Ends the workers. Jobs under way are rejected: a document is not at fault when the service stops. */
  close(): Promise<void>
}

/** How much a pool may do at once, and under which limits. */
export interface PdfPoolOptions {
  limits?: Partial<PdfLimits>
  /** The tokens that request fields in a document, one for each of `fieldTypes`; optional, those of the interface by default. */
  tokens?: readonly string[]
  /** Dots per inch of pages that are drawn. Optional; 200 by default. */
  drawingDpi?: number
  /** Documents worked on at once. */
  threads?: number
  /** Shared by the pools of a process, whose memory cannot be distinguished. */
  group?: QueueGroup
  /** Works for people whom no one knows: its threads have low priority, and no job of another pool waits for one of its jobs. */
  isGuest?: boolean
  /** A thread that has nothing to do for this long ends, and gives its memory back. Optional; 20 s by default. */
  idleMs?: number
}

/**
 * No connection waits for what ingestion does. So it gives a document up for what the document takes, and hardly ever because the
 * machine is busy.
 */
const UNAWAITED_MS = 30 * 60_000
/** A new thread takes less than a second. */
const IDLE_MS = 20_000

export function createPdfPool(options: PdfPoolOptions = {}): PdfPool {
  const {
    threads = defaultThreads(),
    tokens = ownTokens,
    drawingDpi = USUAL_DPI,
    group,
    isGuest = false,
    idleMs = IDLE_MS,
  } = options
  const limits = { ...defaultLimits, ...options.limits }
  const runner = createJobRunner({ limits, threads, group, isGuest, idleMs })
  const toComplete = { timeoutMs: limits.completeTimeoutMs, maxGrowthBytes: limits.maxGrowthToCompleteBytes }
  const toDraw = {
    timeoutMs: limits.drawTimeoutMs,
    maxGrowthBytes: limits.maxGrowthToRehearseBytes,
    starvedAfterMs: UNAWAITED_MS,
  }
  const toRehearse = {
    timeoutMs: limits.rehearseTimeoutMs,
    pageTimeoutMs: limits.rehearsePageTimeoutMs,
    maxGrowthBytes: limits.maxGrowthToRehearseBytes,
    starvedAfterMs: UNAWAITED_MS,
  }
  return {
    tokens,
    async inspect(
      attachment,
      { policy = defaultActiveContentPolicy, documents = 'auto', wanted = null, isAwaited } = {},
    ) {
      if (isHopelesslyLong(attachment, limits.maxBytes)) return tooLarge(limits.maxBytes)
      const result = await runner.run(
        'inspect',
        { attachment, limits, policy, documents, wanted, tokens },
        { isAwaited },
      )
      return 'answer' in result ? result.answer : result
    },
    async draw(pdf) {
      const result = await runner.run('draw', { pdf: onlyItself(pdf), limits, dpi: drawingDpi }, toDraw)
      if ('isForNow' in result) throw new Error(`The document ${result.problem}.`)
      const drawn = 'answer' in result ? result.answer : result
      return drawn.ok ? drawn : { ok: false, problem: `document.attachment: ${drawn.problem}.` }
    },
    async place(pdf, annotations, templateFields) {
      const result = await runner.run('place', { pdf: onlyItself(pdf), annotations, templateFields, tokens })
      if ('isForNow' in result) throw new Error(`The document ${result.problem}.`)
      return 'answer' in result ? result.answer : { ...result, problem: `document.attachment: ${result.problem}` }
    },
    async rehearse(pdf, rehearsal) {
      const result = await runner.run('rehearse', { pdf: onlyItself(pdf), rehearsal, limits }, toRehearse)
      if ('isForNow' in result) throw new Error(`The document ${result.problem}.`)
      const rehearsed = 'answer' in result ? result.answer : result
      return rehearsed.ok ? rehearsed : { ok: false, problem: `document.attachment: ${rehearsed.problem}.` }
    },
    async complete(pdf, completion) {
      const result = await runner.run('complete', { pdf: onlyItself(pdf), completion, limits }, toComplete)
      return 'answer' in result ? result.answer : result
    },
    async addSignature(pdf, signature) {
      const result = await runner.run('addSignature', { pdf: onlyItself(pdf), signature }, toComplete)
      if ('answer' in result) return result.answer
      throw new Error(`The document ${result.problem}.`)
    },
    async timestamp(pdf, answered) {
      const result = await runner.run('timestamp', { pdf: onlyItself(pdf), answered }, toComplete)
      if ('answer' in result) return result.answer
      throw new Error(`The document ${result.problem}.`)
    },
    async preview(pdf, ink) {
      const result = await runner.run('preview', { pdf: onlyItself(pdf), ink }, toComplete)
      return 'answer' in result ? result.answer : result
    },
    async sizes(pdf) {
      const result = await runner.run('sizes', { pdf: onlyItself(pdf) }, toComplete)
      return 'answer' in result ? { ok: true, ...result.answer } : result
    },
    async show(pdf, request) {
      const result = await runner.run('show', { pdf: onlyItself(pdf), request }, toComplete)
      return 'answer' in result ? result.answer : result
    },
    async verify(pdf, expectedCertificates = '', options = {}) {
      const result = await runner.run('verify', { pdf: onlyItself(pdf), expectedCertificates, options })
      return 'answer' in result ? { ok: true, verdict: result.answer } : result
    },
    async warm() {
      const policy = defaultActiveContentPolicy
      await runner.run('inspect', { attachment: '', limits, policy, documents: 'auto', wanted: null, tokens })
    },
    close: runner.close,
  }
}

/** One for each processor, as far as memory goes. They give way to the thread that serves everybody. */
const defaultThreads = (): number => Math.min(4, availableParallelism())

/** The document alone: a view would be copied together with everything else in its buffer. */
const onlyItself = (pdf: Uint8Array): Uint8Array =>
  pdf.byteLength === pdf.buffer.byteLength ? pdf : new Uint8Array(pdf)
