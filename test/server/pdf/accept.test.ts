import { expect } from 'chai'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { defaultActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import { acceptDocument } from '../../../server/pdf/accept.ts'
import { showsTheSame } from '../../../server/pdf/compare/same-as-received.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { fixture, fixtureNames } from '../../support/fixtures.ts'
import { formMutants, formMutationKinds } from '../../support/mutants/form-mutants.ts'
import { aCompletion, aField } from '../../support/pdf/a-completion.ts'
import { aDocument, aPdf } from '../../support/pdf/a-pdf.ts'
import { order, stream, writtenPdf } from '../../support/pdf/written-pdf.ts'
import { installed, installedViewers } from '../../support/seen/external-checks.ts'
import { createPainters, distance } from '../../support/seen/pictures.ts'
import { viewers, viewersThatDiffer } from '../../support/seen/seen-by-others.ts'

const accept = (pdf: Uint8Array) => acceptDocument(pdf, defaultLimits, defaultActiveContentPolicy)

async function accepted(pdf: Uint8Array): Promise<Uint8Array> {
  const answer = await accept(pdf)
  if (!answer.ok) throw new Error(answer.problem)
  return answer.pdf
}

const field = aField()

async function sealed(pdf: Uint8Array): Promise<Uint8Array> {
  const result = await completeDocument(pdf, await aCompletion({ fields: [field] }))
  if (!result.ok) throw new Error(result.problem)
  return result.pdf
}

describe(`a document with a form, as ${viewers.join(' and ')} see it`, () => {
  const forms = fixtureNames('pdf/forms').filter((name) => name.endsWith('.pdf'))
  for (const name of forms) {
    it(`${name} looks the same as received, as shown and as sealed`, async function () {
      this.timeout(20_000)
      const received = fixture(name)
      const shown = await accepted(received)
      // Poppler does draw the fields anew when it is asked to, in a font of its own.
      const isDrawnAnew = Buffer.from(received).includes('NeedAppearances true')
      const differing = isDrawnAnew ? [] : await viewersThatDiffer(received, shown, 1)
      // Where a font was only named, poppler took one of its own, as large letters show.
      const hasGotFonts = !Buffer.from(received).includes('STDFNT+') && Buffer.from(shown).includes('STDFNT+')
      expect(differing.filter((viewer) => viewer !== 'poppler' || !hasGotFonts)).to.deep.equal([])
      expect(await viewersThatDiffer(shown, await sealed(shown), 1, [field.box])).to.deep.equal([])
    })
  }

  it('would be told from one that looks different', async () => {
    const [one, other] = ['5', '500'].map((dose) =>
      aPdf({ content: `BT /F1 12 Tf 72 700 Td (Morphine ${dose} mg) Tj ET` }),
    )
    expect(await viewersThatDiffer(await one!, await other!, 1)).to.deep.equal(viewers)
  })
})

describe('forms whose appearance and value part', () => {
  it('are refused, or shown and sealed as their appearance says', async function () {
    this.timeout(120_000)
    for (const { kind, pdf } of await formMutants(2 * formMutationKinds.length, 11)) {
      const answer = await accept(pdf)
      if (!answer.ok) continue
      expect(await viewersThatDiffer(answer.pdf, await sealed(answer.pdf), 1, [field.box]), kind).to.deep.equal([])
    }
  })

  it('are refused with a reason when viewers are asked to draw them', async () => {
    expect(await accept(fixture('pdf/attacks/needs-appearances.pdf'))).to.deep.equal({
      ok: false,
      problem:
        'has a form whose fields show something else than they hold, so that viewers differ; print it to PDF again',
      drawn: 'drawnForForm',
    })
  })
})

describe('what a prepared document shows', () => {
  const page = (text: string, x = 72) => aPdf({ content: `BT /F1 12 Tf ${x} 700 Td (${text}) Tj ET` })
  const plain = { redrawn: [], changedPages: new Set<number>() }
  const box = (content: string) => aPdf({ content })

  it('is what it showed as received', async () => {
    expect(await showsTheSame(await page('5 mg'), { ...plain, pdf: await page('5 mg') })).to.equal(true)
  })

  for (const [what, received, prepared] of [
    ['other letters', page('5 mg'), page('50 mg')],
    ['a point less', page('0.5 mg'), page('05 mg')],
    ['letters elsewhere', page('5 mg'), page('5 mg', 73)],
    ['another line', box('72 700 100 1 re f'), box('72 700 100 1 re n')],
    ['another colour', box('1 0 0 rg 72 700 9 9 re f'), box('0 0 1 rg 72 700 9 9 re f')],
    ['another number of pages', page('5 mg'), aPdf({}, {})],
  ] as const) {
    it(`is told from ${what}`, async () => {
      expect(await showsTheSame(await received, { ...plain, pdf: await prepared })).to.equal(false)
    })
  }

  it('may differ where fields were drawn anew, and only there', async () => {
    const [received, pdf] = [await page('5 mg'), await page('50 mg')]
    const place = { left: 60, top: 70, right: 160, bottom: 110 }
    expect(await showsTheSame(received, { ...plain, pdf, redrawn: [[place]] })).to.equal(true)
    expect(await showsTheSame(received, { ...plain, pdf, redrawn: [[{ ...place, right: 75 }]] })).to.equal(false)
  })
})

describe('a page that cannot be drawn to be compared', () => {
  it('is refused on arrival, not once somebody has signed', async () => {
    const doc = await aDocument({})
    const pdf = Buffer.from(await doc.save({ useObjectStreams: false }))
    const broken = Buffer.from(pdf.toString('latin1').replace('/Type /Pages', '/Type /Sages'), 'latin1')
    expect((await accept(new Uint8Array(broken))).ok).to.equal(false)
  })
})

/** A color profile for gray with this exponent. ICC.1, clauses 7 to 10. */
function grayProfile(gamma: number): string {
  const profile = Buffer.alloc(200)
  profile.writeUInt32BE(profile.length, 0)
  profile.writeUInt32BE(0x0210_0000, 8)
  profile.write('mntrGRAYXYZ ', 12, 'latin1')
  profile.write('acsp', 36, 'latin1')
  const white = [0xf6d6, 0x1_0000, 0xd32d]
  for (const [i, value] of white.entries()) profile.writeUInt32BE(value, 68 + 4 * i)
  profile.writeUInt32BE(2, 128)
  profile.write('kTRC', 132, 'latin1')
  profile.writeUInt32BE(156, 136)
  profile.writeUInt32BE(14, 140)
  profile.write('wtpt', 144, 'latin1')
  profile.writeUInt32BE(172, 148)
  profile.writeUInt32BE(20, 152)
  profile.write('curv', 156, 'latin1')
  profile.writeUInt32BE(1, 164)
  profile.writeUInt16BE(Math.round(gamma * 256), 168)
  profile.write('XYZ ', 172, 'latin1')
  for (const [i, value] of white.entries()) profile.writeUInt32BE(value, 180 + 4 * i)
  return profile.toString('latin1')
}

describe('a document that only names its fonts', () => {
  const draw = createPainters(installed.pdftoppm && installed.standardFonts, installedViewers)
  after(() => draw.close())
  const LETTERS = ['Big 500 mg', 'a\\267\\223\\251\\344%']
  const named = (font: string, size = 60) =>
    writtenPdf({
      ...order(),
      4: `<< /Type /Font ${font} >>`,
      5: stream(LETTERS.map((text, i) => `BT /F1 ${size} Tf 40 ${600 - 100 * i} Td (${text}) Tj ET`).join(' ')),
    }).pdf
  const LATIN = '/Subtype /Type1 /Encoding /WinAnsiEncoding'
  const fonts = {
    Helvetica: `${LATIN} /BaseFont /Helvetica`,
    'Arial as TrueType': '/Subtype /TrueType /Encoding /WinAnsiEncoding /BaseFont /Arial,Bold',
    'Times with other names': `${LATIN.replace('/WinAnsiEncoding', '<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [97 /eacute] >>')} /BaseFont /Times-Bold`,
    Courier: `${LATIN} /BaseFont /CourierNewPSMT`,
  }
  for (const [name, font] of Object.entries(fonts)) {
    it(`gets them where its letters are large: ${name}`, async function () {
      this.timeout(30_000)
      const answer = await accept(named(font))
      if (!answer.ok) throw new Error(answer.problem)
      expect(answer.preparations).to.deep.equal(['fontsEmbedded'])
      const [shown] = await draw.others.pdfium!(answer.pdf)
      for (const [viewer, paint] of Object.entries({ reader: draw.reader, ...draw.others })) {
        const [picture] = await paint(answer.pdf)
        expect(distance(shown!, picture!, []), viewer).to.be.below(32)
      }
    })
  }

  it('gets colors of a screen in place of a profile', async function () {
    this.timeout(30_000)
    const pdf = writtenPdf({
      ...order(),
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> /ColorSpace << /C [/ICCBased 6 0 R] >> >> >>',
      5: stream('/C cs 0.3 sc BT /F1 18 Tf 72 700 Td (Morphine 5 mg) Tj ET 0.6 sc 72 500 200 90 re f'),
      6: stream(grayProfile(1.8), '/N 1 /Alternate /DeviceGray'),
    }).pdf
    const answer = await accept(pdf)
    if (!answer.ok) throw new Error(answer.problem)
    expect(answer.preparations).to.include('colorsConverted')
    const [shown] = await draw.others.pdfium!(answer.pdf)
    for (const [viewer, paint] of Object.entries({ reader: draw.reader, ...draw.others }))
      expect(distance(shown!, (await paint(answer.pdf))[0]!, []), viewer).to.be.below(32)
  })

  it('stays as it is where its letters are small', async () => {
    const pdf = named(fonts.Helvetica, 12)
    const answer = await accept(pdf)
    expect(answer.ok && answer.preparations).to.deep.equal([])
    expect(answer.ok && Buffer.from(answer.pdf).equals(pdf)).to.equal(true)
  })

  it('is drawn where no viewer has them', async () => {
    const answer = await accept(named(`${LATIN} /BaseFont /Verdana /FirstChar 32 /Widths [${'600 '.repeat(224)}]`))
    expect(!answer.ok && answer.drawn).to.equal('drawnForLetters')
  })
})
