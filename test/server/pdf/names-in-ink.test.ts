/** Names in the stamp of a signature: the longest ones in the smallest boxes stay legible, or are left out. */
import { expect } from 'chai'
import { fieldKind } from '../../../lib/contract/task/field-kinds.ts'
import type { Box } from '../../../lib/pdf/geometry.ts'
import { openStructure } from '../../../lib/pdf/guard/structure.ts'
import { fontExtents } from '../../../lib/pdf/text/font-extents.ts'
import type { Glyph } from '../../../lib/pdf/text/glyphs/glyph.ts'
import { locate } from '../../../lib/pdf/text/text.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { aCompletion, aField } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { aPng } from '../../support/pdf/a-png.ts'
import { renderPage } from '../../support/seen/render-page.ts'

/** As long as the name of a provider may be. */
const LONGEST = 'Maximiliana Konstantinopoulou-Featherstonehaugh '.repeat(5).slice(0, 200)
const DAY = '2026-01-15'

const { size, smallest } = fieldKind('VisibleSignature')
/** Width and height in points: of tokens and phrases, and what senders may ask for with coordinates. */
const SIZES = [size, smallest, [60, 12], [40, 20], [30, 10]] as const
/** One below the other, with room between them. */
const fields = SIZES.map(([width, height], index) =>
  aField({ box: { left: 100, top: 100 + 60 * index, right: 100 + width, bottom: 100 + 60 * index + height } }),
)

/** Half a step of shrinking. */
const ROUNDING = 0.98

describe('the longest name in the stamp of a signature', function () {
  this.timeout(60_000)

  for (const [what, image, isOnBehalf] of [
    ['typed', null, false],
    ['typed on behalf of another', null, true],
    ['drawn', aPng(300, 60, [200, 30, 30]), false],
    ['drawn on behalf of another', aPng(300, 60, [200, 30, 30]), true],
  ] as const)
    it(`is legible in boxes of all sizes, with the date below: ${what}`, async () => {
      const person = { name: LONGEST, npi: '9999900019' }
      const signer = { ...person, organization: null, onBehalfOf: isOnBehalf ? person : null }
      const completed = await completeDocument(
        await aPdf({}),
        await aCompletion({ fields, signer, signatureImage: image }),
      )
      if (!completed.ok) throw new Error(completed.problem)
      const page = await renderPage(completed.pdf, 1)
      const glyphs = await glyphsOf(completed.pdf)
      for (const { box } of fields) {
        const height = box.bottom - box.top
        const inside = glyphs.filter(({ origin: [, y] }) => y >= box.top && y <= box.bottom)
        const caption = inside.filter(({ origin: [, y] }) => y > box.bottom - 0.3 * height)
        const name = inside.filter((glyph) => !caption.includes(glyph))
        expect(textOf(caption)).to.contain(DAY)
        expect(emOf(caption)).to.be.at.least(ROUNDING * Math.min(4, (0.3 * height) / 1.2))
        if (!image) expect(emOf(name)).to.be.at.least(ROUNDING * Math.min(6, (0.7 * height) / 1.2))
        const around = { left: 0, top: box.top - 10, right: 612, bottom: box.bottom + 10 }
        expect(isInside(page.inkBox(around)!, box)).to.equal(true)
      }
    })
})

/** Of the first page. */
async function glyphsOf(pdf: Uint8Array): Promise<readonly Glyph[]> {
  const opened = await openStructure(pdf)
  if (!opened.ok) throw new Error(opened.problem)
  let glyphs: readonly Glyph[] = []
  const onFound = (_page: number, found: readonly Glyph[]) => {
    glyphs = found
  }
  await locate(pdf, [DAY], { kind: 'phrase', extents: fontExtents(opened.doc), pages: [1], onFound })
  return glyphs
}

const textOf = (glyphs: readonly Glyph[]) => glyphs.map(({ text }) => text).join('')
const emOf = (glyphs: readonly Glyph[]) => Math.min(...glyphs.map(({ em }) => em))

/** With half a pixel at the edge. */
const isInside = (ink: Box, box: Box) =>
  ink.left >= box.left - 0.5 &&
  ink.top >= box.top - 0.5 &&
  ink.right <= box.right + 0.5 &&
  ink.bottom <= box.bottom + 0.5
