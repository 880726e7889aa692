import { expect } from 'chai'
import { openStructure } from '../../../lib/pdf/guard/structure.ts'
import { fontExtents } from '../../../lib/pdf/text/font-extents.ts'
import type { Hit, NeedleKind } from '../../../lib/pdf/text/search.ts'
import { locate } from '../../../lib/pdf/text/text.ts'
import { fixture } from '../../support/fixtures.ts'
import { aPdf, type PageOptions } from '../../support/pdf/a-pdf.ts'
import { type ReferencePosition, referencePositions } from '../../support/seen/reference-positions.ts'

const TOKEN = '{SVC-date-owner1}'

async function hitsIn(pdf: Uint8Array, needles: string[], kind: NeedleKind): Promise<Hit[][]> {
  const opened = await openStructure(pdf)
  if (!opened.ok) throw new Error(opened.problem)
  return locate(pdf, needles, { kind, extents: fontExtents(opened.doc) })
}

/** Along the line a tenth of a point; across it a third of the size, for readers disagree about the height of fonts. */
function confirms({ page, left, top }: ReferencePosition, hit: Hit, isTurned: boolean): boolean {
  const [dx, dy] = [Math.abs(hit.box.left - left), Math.abs(hit.box.top - top)]
  const across = 0.35 * hit.em
  return page === hit.page && ((dx <= 0.1 && dy <= across) || (isTurned && dy <= 0.1 && dx <= across))
}

const isNear = ({ page, left, top }: ReferencePosition, { page: on, box, em }: Hit) =>
  page === on && Math.abs(box.left - left) < em && Math.abs(box.top - top) < em

describe('the places of a text', () => {
  describe('in documents of other producers, against the positions recorded from poppler and mupdf', () => {
    for (const [name, expected] of Object.entries(referencePositions())) {
      it(name, async () => {
        const isTurned = /rot(?:90|270)/.test(name)
        const pdf = fixture(`pdf/${name}`)
        const needles = Object.keys(expected)
        const isToken = (needle: string) => needle.startsWith('{')
        const wanted = [needles.filter(isToken), needles.filter((needle) => !isToken(needle))] as const
        const found = [...(await hitsIn(pdf, wanted[0], 'token')), ...(await hitsIn(pdf, wanted[1], 'phrase'))]
        for (const [i, needle] of [...wanted[0], ...wanted[1]].entries()) {
          const [references, hits] = [expected[needle]!, found[i]!]
          for (const hit of hits) {
            const isConfirmed = references.some((reference) => confirms(reference, hit, isTurned))
            expect(isConfirmed, `${needle} at ${JSON.stringify(hit)} is seen there by another reader`).to.equal(true)
          }
          for (const reference of references) {
            const isFound = hits.some((hit) =>
              reference.by === 'poppler' ? confirms(reference, hit, isTurned) : isNear(reference, hit),
            )
            expect(isFound, `${needle} at ${JSON.stringify(reference)} is found`).to.equal(true)
          }
        }
      })
    }
  })

  describe('however they are written', () => {
    const at = (x: number, y: number, text: string, font = '/F1 10 Tf') => `BT ${font} ${x} ${y} Td ${text} ET`
    const whole = `(${TOKEN}) Tj`
    const ways: Record<string, { page: PageOptions; left: number; baseline: number; size?: number; turned?: true }> = {
      plain: { page: { content: at(100, 700, whole) }, left: 100, baseline: 92 },
      kerned: {
        page: { content: at(100, 700, '[({S) 80 (VC-d) -60 (ate-ow) 120 (ner1})] TJ') },
        left: 100,
        baseline: 92,
      },
      'bold in the middle': {
        page: { content: at(100, 700, '({SVC-) Tj /F2 10 Tf (date) Tj /F3 10 Tf (-owner1}) Tj') },
        left: 100,
        baseline: 92,
      },
      'letter-spaced': { page: { content: at(100, 700, `4 Tc ${whole}`) }, left: 100, baseline: 92 },
      'squeezed and raised': {
        page: { content: at(100, 700, `50 Tz 5 Ts ${whole}`) },
        left: 100,
        baseline: 87,
      },
      'two points high': { page: { content: at(100, 700, whole, '/F1 2 Tf') }, left: 100, baseline: 92, size: 2 },
      white: { page: { content: `1 1 1 rg ${at(100, 700, whole)}` }, left: 100, baseline: 92 },
      invisible: { page: { content: at(100, 700, `3 Tr ${whole}`) }, left: 100, baseline: 92 },
      'scaled by the page': {
        page: { content: `2 0 0 2 0 0 cm ${at(50, 350, whole, '/F1 5 Tf')}` },
        left: 100,
        baseline: 92,
      },
      'in a form': {
        page: {
          content: 'q 1 0 0 1 60 0 cm /Fm Do Q',
          form: { matrix: [1, 0, 0, 1, 0, 100], content: at(40, 600, whole) },
        },
        left: 100,
        baseline: 92,
      },
      'in the middle of a line': {
        page: { content: at(72, 700, `(Date: ${TOKEN} today) Tj`, '/F4 10 Tf') },
        left: 108,
        baseline: 92,
      },
      'after widened spaces': {
        page: { content: at(72, 700, `20 Tw (Date: ${TOKEN}) Tj`, '/F4 10 Tf') },
        left: 128,
        baseline: 92,
      },
      'on the third line of a paragraph': {
        page: { content: at(100, 724, `12 TL (one) Tj (two) ' ${whole.replace('Tj', "'")}`) },
        left: 100,
        baseline: 92,
      },
      'with spacing set while it is shown': {
        page: { content: at(100, 712, `12 TL 5 1 (${TOKEN}) "`) },
        left: 100,
        baseline: 92,
      },
      'after a move that sets the leading': {
        page: { content: at(60, 724, `40 -12 TD (one) Tj T* ${whole}`) },
        left: 100,
        baseline: 92,
      },
      'after a state that was saved and restored': {
        page: { content: `q /F1 30 Tf 9 Tc 2 0 0 2 50 50 cm q 3 0 0 3 0 0 cm Q Q ${at(100, 700, whole)}` },
        left: 100,
        baseline: 92,
      },
      'wrapped in a narrow cell': {
        page: { content: at(100, 700, '({SVC-date-) Tj 0 -12 Td (owner1}) Tj') },
        left: 100,
        baseline: 92,
      },
      'written back to front': {
        page: {
          content: `${at(142, 700, '(owner1}) Tj', '/F4 7 Tf')} ${at(100, 700, '({SVC-date-) Tj', '/F4 7 Tf')}`,
        },
        left: 100,
        baseline: 92,
        size: 7,
      },
      'printed twice for boldness': {
        page: { content: `${at(100, 700, whole)} ${at(100.3, 700, whole)}` },
        left: 100,
        baseline: 92,
      },
      'doubled letter by letter': {
        page: {
          content: `BT /F4 10 Tf 1 0 0 1 100 700 Tm ${[...TOKEN]
            .map(
              (letter, i) =>
                `1 0 0 1 ${100 + 6 * i} 700 Tm (${letter}) Tj 1 0 0 1 ${100.3 + 6 * i} 700 Tm (${letter}) Tj`,
            )
            .join(' ')} ET`,
        },
        left: 100,
        baseline: 92,
      },
      'on a cropped page': {
        page: { content: at(100, 700, whole), crop: [36, 40, 540, 710] },
        left: 64,
        baseline: 50,
      },
      'on a page of larger units': { page: { content: at(100, 700, whole), userUnit: 2 }, left: 100, baseline: 92 },
      'with an origin of its own': {
        page: { content: at(50, 600, whole), media: [-50, -100, 612, 792] },
        left: 100,
        baseline: 92,
      },
    }
    for (const [way, { page, left, baseline, size = 10 }] of Object.entries(ways)) {
      it(`${way}: found once, where it begins`, async () => {
        const [hits = []] = await hitsIn(await aPdf(page), [TOKEN], 'token')
        expect(hits).to.have.lengthOf(1)
        expect(hits[0]!.box.left).to.be.closeTo(left, 0.1)
        expect(hits[0]!.box.top).to.be.closeTo(baseline - 0.7 * size, 0.35 * size)
        expect(hits[0]!.em).to.be.closeTo(size, 0.01)
      })
    }

    const turned = [
      ['30 degrees', '0.866 0.5 -0.5 0.866 300 400 Tm'],
      ['90 degrees', '0 1 -1 0 300 400 Tm'],
    ] as const
    for (const [angle, matrix] of turned) {
      it(`turned by ${angle}: found once, in a box around all of it`, async () => {
        const pdf = await aPdf({ content: `BT /F1 10 Tf ${matrix} ${whole} ET` })
        const [hits = []] = await hitsIn(pdf, [TOKEN], 'token')
        expect(hits).to.have.lengthOf(1)
        const { left, top, right, bottom } = hits[0]!.box
        expect([left < 300, right >= 299, top < 392, bottom > 391]).to.deep.equal([true, true, true, true])
        expect(Math.hypot(right - left, bottom - top)).to.be.within(70, 110)
      })
    }

    for (const rotate of [90, 180, 270]) {
      it(`on a page turned by ${rotate} degrees: found as displayed`, async () => {
        // Written so that it reads upright on the turned page, with its baseline 92 below the top and 100 from the left.
        const matrix = { 90: '0 1 -1 0 92 100 Tm', 180: '-1 0 0 -1 512 92 Tm', 270: '0 -1 1 0 520 692 Tm' }[rotate]
        const pdf = await aPdf({ content: `BT /F1 10 Tf ${matrix} ${whole} ET`, rotate })
        const [hits = []] = await hitsIn(pdf, [TOKEN], 'token')
        expect(hits).to.have.lengthOf(1)
        expect(hits[0]!.box.left).to.be.closeTo(100, 0.1)
        expect(hits[0]!.box.top).to.be.closeTo(85, 3.5)
      })
    }

    it('written downwards: found once, each glyph centred on the line and hanging from its origin', async () => {
      const ucs2 = Buffer.from(TOKEN, 'utf16le').swap16().toString('hex')
      const pdf = await aPdf({ content: `BT /F5 10 Tf 300 700 Td <${ucs2}> Tj ET` })
      const [hits = []] = await hitsIn(pdf, [TOKEN], 'token')
      expect(hits).to.have.lengthOf(1)
      const { left, top, right, bottom } = hits[0]!.box
      expect((left + right) / 2).to.be.closeTo(300, 0.1)
      // 880/1000 em from the origin of vertical to that of horizontal writing, 857/1000 up from there.
      expect(top).to.be.closeTo(92 + 8.8 - 8.57, 0.1)
      expect(bottom - top).to.be.closeTo(10 * TOKEN.length, 0.1)
    })

    it('tell "to day" from "today" and prefer what was asked for', async () => {
      const pdf = await aPdf({ content: `${at(72, 700, '(It is today) Tj')} ${at(72, 600, '(It goes to day) Tj')}` })
      const exact = async (needle: string) => {
        const [hits = []] = await hitsIn(pdf, [needle], 'phrase')
        return hits.map(({ box, isExact }) => [Math.round(box.top / 100), isExact])
      }
      expect(await exact('to day')).to.deep.equal([
        [1, false],
        [2, true],
      ])
      expect(await exact('today')).to.deep.equal([
        [1, true],
        [2, false],
      ])
    })

    it('leaves out what stands off the page or outside the crop box', async () => {
      const content = `${at(700, 700, whole)} ${at(100, 900, whole)} ${at(100, 300, whole)}`
      const [hits = []] = await hitsIn(await aPdf({ content, crop: [0, 400, 612, 392] }), [TOKEN], 'token')
      expect(hits).to.deep.equal([])
    })

    it('does not join what merely follows: the next word may be on the other side of the page', async () => {
      const pdf = await aPdf({ content: `${at(100, 700, '({SVC-date-) Tj')} ${at(400, 300, '(owner1}) Tj')}` })
      const [hits = []] = await hitsIn(pdf, [TOKEN], 'token')
      expect(hits).to.deep.equal([])
    })
  })

  it('come in reading order: page, line, left', async () => {
    const word = (x: number, y: number) => `BT /F1 10 Tf ${x} ${y} Td (Here) Tj ET`
    const first = { content: `${word(300, 400)} ${word(300, 701)} ${word(72, 700)}` }
    const [hits = []] = await hitsIn(await aPdf(first, { content: word(72, 750) }), ['Here'], 'phrase')
    expect(hits.map(({ page, box }) => [page, Math.round(box.left)])).to.deep.equal([
      [1, 72],
      [1, 300],
      [1, 300],
      [2, 72],
    ])
    expect(hits[1]!.box.top).to.be.lessThan(hits[2]!.box.top)
  })

  it('match case, and fold white space and ligatures', async () => {
    const pdf = await aPdf({ content: 'BT /F1 10 Tf 72 700 Td (Physician   Signature:) Tj ET' })
    const found = await hitsIn(pdf, ['Physician Signature:', 'physician signature:', 'Signature:'], 'phrase')
    expect(found.map((hits) => hits.length)).to.deep.equal([1, 0, 1])
  })
})
