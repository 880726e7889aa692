/** Where the time of a signature goes: what `completeDocument` does, part by part as far as its parts can be called. */
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { inspectPdf } from '../../../lib/pdf/guard/source.ts'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { withContent } from '../../../lib/pdf/text/content-reader.ts'
import { contentOf } from '../../../lib/pdf/text/page-content.ts'
import { comparedContent } from '../../../lib/pdf/text/same-content.ts'
import { withPictures } from '../../../server/pdf/compare/pictures.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import type { Completion } from '../../../server/pdf/completion.ts'
import { inkDocument } from '../../../server/pdf/ink/ink-document.ts'
import { stampFields } from '../../../server/pdf/ink/stamp.ts'
import type { PhaseClock } from './phase-clock.ts'

export const ALL_OF_SIGNING = 'All of it'

export async function signInPhases(pdf: Buffer, completion: Completion, { phase }: PhaseClock): Promise<void> {
  const completed = await phase(ALL_OF_SIGNING, () => completeDocument(pdf, completion))
  if (!completed.ok) throw new Error(completed.problem)
  await phase('Inspect the document on record', () => inspectPdf(pdf, defaultLimits))
  await phase('Draw the ink', () => inkDocument(pdf, completion, stampFields))
  await phase('Read the operators of both (pdf.js)', () =>
    withContent(pdf, (shown) =>
      withContent(completed.pdf, async (sealed) => {
        const [before, after] = [await contentOf(await shown.getPage(1)), await contentOf(await sealed.getPage(1))]
        const { isSame } = comparedContent(before, after)
        // Below the ink stands a save more than before.
        return before.operations.every((one, i) => isSame(one, after.operations[i + 1]!))
      }),
    ),
  )
  await phase('Draw the pages of both (PDFium)', () =>
    withPictures([pdf, completed.pdf], async (documents) => {
      for (const each of documents) await each.ofPage(1, 1)
    }),
  )
  await phase('Verify the seal', () => verifySealed(completed.pdf, completion.seal.certificatePem))
}
