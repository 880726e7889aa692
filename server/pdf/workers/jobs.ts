/** The jobs of the PDF workers, and the messages to and from them. Everything here can be copied between threads. */
import type { Annotations } from '../../../lib/contract/task/document.ts'
import type { PageSize } from '../../../lib/pdf/geometry.ts'
import type { PdfLimits } from '../../../lib/pdf/guard/limits.ts'
import type { EarlyPlacement } from '../../../lib/pdf/placement/early-placement.ts'
import type { Field, Placed } from '../../../lib/pdf/placement/placement.ts'
import type { Preparation } from '../../../lib/pdf/prepare/preparation.ts'
import type { TokenProblem } from '../../../lib/pdf/seal/timestamp/timestamp.ts'
import type { Verdict, VerifyOptions } from '../../../lib/pdf/seal/verify.ts'
import type { Completion, Ink, NotSealed, Signature, ToSign } from '../completion.ts'
import type { NotShown, PageRequest, ShownPage } from '../draw/shown-page.ts'
import type { InkPreview } from '../preview.ts'
import type { Reception } from '../receive.ts'
import type { Rehearsal, Rehearsed } from '../rehearse.ts'
import type { Answered } from '../seal/timestamp/attach.ts'
import type { Progress } from './progress.ts'

export interface Jobs {
  inspect: {
    question: Reception & { attachment: string | Uint8Array }
    answer: InspectAnswer
  }
  draw: { question: { pdf: Uint8Array; limits: PdfLimits; dpi: number }; answer: DrawAnswer }
  place: {
    question: {
      pdf: Uint8Array
      annotations: Annotations
      templateFields: readonly Field[]
      tokens: readonly string[]
    }
    answer: Placed
  }
  rehearse: { question: { pdf: Uint8Array; rehearsal: Rehearsal; limits: PdfLimits }; answer: Rehearsed }
  complete: { question: { pdf: Uint8Array; completion: Completion; limits: PdfLimits }; answer: CompleteAnswer }
  addSignature: { question: { pdf: Uint8Array; signature: Signature }; answer: SealedAnswer }
  timestamp: { question: { pdf: Uint8Array; answered: Answered }; answer: TimestampAnswer }
  preview: { question: { pdf: Uint8Array; ink: Ink }; answer: PreviewAnswer }
  sizes: { question: { pdf: Uint8Array }; answer: Pages }
  show: { question: { pdf: Uint8Array; request: PageRequest }; answer: ShownPage | NotShown }
  verify: {
    question: { pdf: Uint8Array; expectedCertificates: string; options: VerifyOptions }
    answer: Verdict
  }
}

export type InspectAnswer =
  | {
      ok: true
      /** The prepared document: the one that is shown, gets its fields and is sealed; as received where it is to be drawn. */
      pdf: Uint8Array
      pages: PageSize[]
      /** The digest of `pdf`, hexadecimal. */
      sha256: string
      /** The digest of the document as received, hexadecimal. */
      receivedSha256: string
      preparations: readonly Preparation[]
      /** Null where nothing was wanted, or ingestion has to place the fields. */
      placedEarly: EarlyPlacement | null
    }
  | { ok: false; problem: string; tooLarge?: true; isForNow?: true }

/** The pages of a document as they are shown, in points, with the digest of the document, hexadecimal. */
export interface Pages {
  sha256: string
  pages: PageSize[]
}

export type DrawAnswer = { ok: true; pdf: Uint8Array; sha256: string } | { ok: false; problem: string }

export type CompleteAnswer =
  | { ok: true; pdf: Uint8Array; sha256: string; timestampQuery?: Uint8Array }
  | { ok: true; pdf: Uint8Array; sha256: string; toSign: ToSign }
  | { ok: false; problem: string; notSealed?: NotSealed; isUnlikePreview?: true; crowded?: number[]; isForNow?: true }

/** The same where the key was here, or has signed. */
export type SealedAnswer = Exclude<CompleteAnswer, { toSign: ToSign }>

export type TimestampAnswer = { ok: true; pdf: Uint8Array; sha256: string } | { ok: false; problem: TokenProblem }

export type PreviewAnswer = InkPreview | { ok: false; problem: string; isForNow?: true }

export type JobName = keyof Jobs

/** The result of a job: its answer, or the message of an error that is not the document's. */
export type JobOutcome<N extends JobName> = { answer: Jobs[N]['answer'] } | { fault: string }

export interface JobRequest<N extends JobName = JobName> {
  name: N
  question: Jobs[N]['question']
  progress: Progress
}
