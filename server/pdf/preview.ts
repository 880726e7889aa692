/** Shows a signer the ink before it is sealed: the same code draws it, and nothing else is added. Keeps nothing. */
import type { Ink } from './completion.ts'
import { crowdedFields } from './ink/crowded.ts'
import { inkDocument, UNSTAMPED } from './ink/ink-document.ts'
import { signatureImageProblem } from './ink/signature-image.ts'

export type InkPreview =
  | {
      ok: true
      /** The digest of the stamped document, hexadecimal. */
      sha256: string
      /** Indexes of the fields whose texts are too long to be read in their boxes, regardless of their author. */
      crowded: number[]
    }
  | { ok: false; problem: string }

/** @param pdf the document as it was accepted and shown */
export async function previewInk(pdf: Uint8Array, ink: Ink): Promise<InkPreview> {
  const imageProblem = ink.signatureImage && (await signatureImageProblem(ink.signatureImage))
  if (imageProblem) return { ok: false, problem: imageProblem }
  const inked = await inkDocument(pdf, ink).catch(() => null)
  if (!inked) return { ok: false, problem: UNSTAMPED }
  return { ok: true, sha256: inked.sha256, crowded: crowdedFields(inked.drawn) }
}
