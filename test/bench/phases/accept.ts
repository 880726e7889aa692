/** Where the time of an accepted document goes: what `acceptDocument` and `placeEarly` do, part by part. */
import { writeSpecimen } from '../../../lib/pdf/fonts/specimen.ts'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { nestedDrawingsProblem } from '../../../lib/pdf/guard/nested-drawings.ts'
import { parsedBudgetProblem } from '../../../lib/pdf/guard/parsed-budget.ts'
import { rawBudgetProblem } from '../../../lib/pdf/guard/raw-budget.ts'
import { openStructure } from '../../../lib/pdf/guard/structure.ts'
import { surveyDocument } from '../../../lib/pdf/guard/survey.ts'
import { readFile, readingProblem } from '../../../lib/pdf/one-reading/one-reading.ts'
import { placeInOpened } from '../../../lib/pdf/placement/place-in-pdf.ts'
import { ownTokens } from '../../../lib/pdf/placement/placement.ts'
import { readPlain } from '../../../lib/pdf/plain/plain-problem.ts'
import { defaultActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import { prepareOpened } from '../../../lib/pdf/prepare/prepare.ts'
import { countPages } from '../../../lib/pdf/text/text.ts'
import { pageCountInViewer } from '../../../server/pdf/compare/pictures.ts'
import { drawsSameLetters } from '../../../server/pdf/compare/same-letters.ts'
import type { PhaseClock } from './phase-clock.ts'

export async function acceptInPhases(pdf: Buffer, { phase }: PhaseClock): Promise<void> {
  const read = await phase('Read strictly', () => {
    rawBudgetProblem(pdf, defaultLimits)
    return sound(readFile(pdf))
  })
  const { doc } = await phase('Open the structure (pdf-lib)', async () => sound(await openStructure(pdf)))
  const fonts = await phase('Compare the two, and read all content', () => {
    const survey = surveyDocument(doc)
    parsedBudgetProblem(doc, survey, defaultLimits)
    nestedDrawingsProblem(doc, defaultLimits)
    readingProblem(read, doc)
    const reading = readPlain(doc)
    return reading.ok ? reading.fonts : []
  })
  await phase('Count the pages (pdf.js, PDFium)', async () => [await countPages(pdf), await pageCountInViewer(pdf)])
  await phase('Look for what has to be prepared', () => prepareOpened(pdf, doc, defaultActiveContentPolicy))
  if (fonts.length > 0) {
    const specimen = await phase('Write the specimen of its letters', () => writeSpecimen(fonts, doc))
    await phase('Draw the letters by pdf.js and PDFium, and compare', () => drawsSameLetters(specimen))
  }
  const wanted = { type: 'SmartAnnotations' } as const
  await phase('Find the places of the fields (pdf.js)', () =>
    placeInOpened(pdf, doc, wanted, [], { tokens: ownTokens }),
  )
}

/** The parts of a document without faults. */
function sound<T extends object>(outcome: T): Exclude<T, { problem: string }> {
  if ('problem' in outcome) throw new Error(String(outcome.problem))
  return outcome as Exclude<T, { problem: string }>
}
