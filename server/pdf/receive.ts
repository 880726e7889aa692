/**
 * Receives a document: a plain one is accepted as it is, another is to be drawn, so that it continues as pictures of its pages and
 * looks alike in every viewer. Places its fields while it can be read. Drawing it is left to ingestion, because it takes long.
 */

import type { PageSize } from '../../lib/pdf/geometry.ts'
import type { PdfLimits } from '../../lib/pdf/guard/limits.ts'
import { inspectPdf } from '../../lib/pdf/guard/source.ts'
import { openStructure } from '../../lib/pdf/guard/structure.ts'
import { unsignableProblem, WRAPPER } from '../../lib/pdf/guard/unsignable.ts'
import type { EarlyPlacement, Wanted } from '../../lib/pdf/placement/early-placement.ts'
import { fromTopLeft } from '../../lib/pdf/placement/origin.ts'
import { placeInReceived } from '../../lib/pdf/placement/place-in-received.ts'
import type { DocumentRule } from '../../lib/pdf/plain/document-rules.ts'
import type { ActiveContentPolicy } from '../../lib/pdf/prepare/active-content.ts'
import type { DrawnBecause, Preparation } from '../../lib/pdf/prepare/preparation.ts'
import { treatActiveContent } from '../../lib/pdf/prepare/treat-active-content.ts'
import { documentFacts } from '../../lib/pdf/text/document-facts.ts'
import { pageWorkProblem } from '../../lib/pdf/work/page-work.ts'
import { acceptDocument } from './accept.ts'
import { measureDocument } from './draw/draw-document.ts'
import { placeEarly } from './place-early.ts'

export interface Reception {
  limits: PdfLimits
  policy: ActiveContentPolicy
  documents: DocumentRule
  /** Fields to place immediately; null for none. */
  wanted: Wanted | null
  tokens: readonly string[]
}

export type Received =
  | {
      ok: true
      /** The PDF as it is to be shown and sealed; as it was received where it is to be drawn, which its preparations say. */
      pdf: Uint8Array
      pages: PageSize[]
      /** Changes made to it; empty when it is as it was received. */
      preparations: readonly Preparation[]
      placedEarly: EarlyPlacement | null
    }
  /** `problem` continues a sentence about the document and never quotes it. */
  | { ok: false; problem: string }

/** @param onPageCount called with how many pages have to be read, because many may take longer */
export async function receiveDocument(
  received: Uint8Array,
  reception: Reception,
  onPageCount: (count: number) => void = () => {},
): Promise<Received> {
  const { limits, policy, documents, wanted, tokens } = reception
  if (documents === 'draw') {
    const inspected = await inspectPdf(received, limits, onPageCount)
    if (!inspected.ok && inspected.isFinal) return { ok: false, problem: inspected.problem }
    return toBeDrawn(received, 'drawnBySetting', reception)
  }
  const accepted = await acceptDocument(received, limits, policy, onPageCount)
  if (accepted.ok) {
    const { pdf, pages, preparations } = accepted
    const placedEarly = wanted && (await placeEarly(accepted, wanted, tokens))
    return { ok: true, pdf, pages, preparations, placedEarly }
  }
  const { problem, drawn: because } = accepted
  return because === null || documents === 'refuse' ? { ok: false, problem } : toBeDrawn(received, because, reception)
}

async function toBeDrawn(received: Uint8Array, because: DrawnBecause, reception: Reception): Promise<Received> {
  const { limits, wanted, tokens } = reception
  const problem = await undrawableProblem(received, reception)
  if (problem) return { ok: false, problem }
  const measured = await measureDocument(received, limits)
  if (!measured.ok) return measured
  const { pages } = measured
  const isWanted = wanted && wanted.annotations.type !== 'Template'
  const placedEarly = isWanted
    ? {
        tokens,
        outcome: await placeInReceived(received, fromTopLeft(wanted.annotations, wanted.origin, pages), pages, tokens),
        isFinal: true as const,
      }
    : null
  return { ok: true, pdf: received, pages, preparations: [because], placedEarly }
}

/** Returns why the document must not be drawn, or null. Its structure may be damaged. */
async function undrawableProblem(received: Uint8Array, { policy, limits }: Reception): Promise<string | null> {
  const opened = await openStructure(received)
  if (opened.ok) {
    try {
      const treated = treatActiveContent(opened.doc, policy)
      if (!treated.ok) return treated.problem
      return unsignableProblem(opened.doc) ?? pageWorkProblem(opened.doc, limits, true)
    } catch {
      // Its dictionaries are damaged, too: another reader is asked.
    }
  }
  if (Object.values(policy).includes('refuse')) return UNKNOWN_CONTENT
  const { isCollection } = await documentFacts(received)
  return isCollection ? WRAPPER : null
}

const UNKNOWN_CONTENT =
  'damaged, so that it is unknown whether it has active content, which the settings of the organization refuse; print it to PDF again'
