/** Takes active content out of a document, or refuses the document, as the policy says. */
import type { PDFDocument } from 'pdf-lib'
import { type ActiveContent, type ActiveContentPolicy, activeContentKinds } from './active-content.ts'
import { annotationsOf, MEDIA } from './annotation.ts'
import { findActiveContent } from './find-active-content.ts'

import type { Preparation } from './preparation.ts'

export type Treated = { ok: true; preparations: readonly Preparation[] } | { ok: false; problem: string; isFinal: true }

/** Annotations that carry files are removed with the other annotations; here they are only refused. */
export function treatActiveContent(doc: PDFDocument, policy: ActiveContentPolicy): Treated {
  const pieces = findActiveContent(doc)
  const media = doc.getPages().some((page) => annotationsOf(page).some(({ subtype }) => MEDIA.has(subtype)))
  const found = new Set<ActiveContent>([
    ...pieces.flatMap(({ kinds }) => kinds),
    ...(media ? ['embeddedFiles' as const] : []),
  ])
  const refused = activeContentKinds.find((kind) => found.has(kind) && policy[kind] === 'refuse')
  if (refused) return { ok: false, problem: refusals[refused], isFinal: true }
  const isStripped = (kind: ActiveContent) => policy[kind] === 'strip'
  const stripped = pieces.filter(({ kinds }) => kinds.some(isStripped))
  for (const piece of stripped) piece.remove()
  return {
    ok: true,
    preparations: stripped.flatMap(({ kinds }) => kinds.filter(isStripped).map((kind) => removals[kind])),
  }
}

const removals = {
  javaScript: 'javaScriptRemoved',
  openAction: 'openActionRemoved',
  embeddedFiles: 'embeddedFilesRemoved',
} as const satisfies Readonly<Record<ActiveContent, Preparation>>

const refused = (what: string) => `has ${what}, which the settings of the organization refuse; print it to PDF again`

const refusals: Readonly<Record<ActiveContent, string>> = {
  javaScript: refused('scripts or automatic actions (JavaScript)'),
  openAction: refused('an action that runs when it is opened (OpenAction)'),
  embeddedFiles: refused('attached files or media (embedded files)'),
}
