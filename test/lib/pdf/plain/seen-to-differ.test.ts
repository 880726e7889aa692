/** What viewers were seen to draw differently within an earlier grammar, each beside the same thing done in a way that they share. */
import { expect } from 'chai'
import { defaultLimits } from '../../../../lib/pdf/guard/limits.ts'
import { inspectPdf } from '../../../../lib/pdf/guard/source.ts'
import { plainProblem } from '../../../../lib/pdf/plain/plain-problem.ts'
import { encodeJpeg } from '../../../../server/pdf/draw/jpeg.ts'
import { type Bodies, order, stream, text, writtenPdf } from '../../../support/pdf/written-pdf.ts'

const onPage = (content: string, resources = '', more: Bodies = {}): Bodies => ({
  ...order(),
  3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> ${resources} >> >>`,
  5: stream(`${text('Morphine 5 mg')}\n${content}\n`),
  ...more,
})
const inText = (operators: string) => onPage(`BT /F1 18 Tf 72 600 Td ${operators} ET`)
const inState = (state: string, content: string) => onPage(`q /G gs ${content} Q`, `/ExtGState << /G << ${state} >> >>`)
const withPicture = (width: string, side: number, before = '') =>
  onPage(`${before} q ${side} 0 0 ${side} 60 500 cm /I Do Q`, '/XObject << /I 10 0 R >>', {
    10: stream(
      '\xff\x00\x00\xff',
      `/Type /XObject /Subtype /Image /Width ${width} /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8`,
    ),
  })
const stencil = stream('\x40', '/Type /XObject /Subtype /Image /Width 2 /Height 1 /ImageMask true /BitsPerComponent 1')
const TWO_PIXELS = '/Type /XObject /Subtype /Image /Width 2 /Height 1 /BitsPerComponent 8'
const withGray = (entries: string) =>
  onPage('q 4 0 0 4 60 500 cm /I Do Q', '/XObject << /I 10 0 R >>', {
    10: stream('\x20\x40', `${TWO_PIXELS} /ColorSpace /DeviceGray ${entries}`),
  })
const jpeg = Buffer.from(encodeJpeg({ width: 2, height: 1, channels: 1, data: Uint8Array.of(32, 64) }, 90)).toString(
  'latin1',
)
const hex = (data: string) => Buffer.from(data, 'latin1').toString('hex')
const withJpeg = (filter: string, data: string) =>
  onPage('q 4 0 0 4 60 500 cm /I Do Q', '/XObject << /I 10 0 R >>', {
    10: stream(data, `${TWO_PIXELS} /ColorSpace /DeviceGray ${filter}`),
  })
const OWN_FONT = '/Resources << /Font << /F1 4 0 R >> >>'
const withForm = (content: string, drawn: string, group = '', resources = '', own = OWN_FONT) =>
  onPage(content, `/XObject << /A 10 0 R >> ${resources}`, {
    10: stream(drawn, `/Type /XObject /Subtype /Form /BBox [0 0 300 200] ${own} ${group}`),
  })
const separation = (name: string, power = '/N 1', ends = '[1 1 1] /C1 [0 0 0]', space = '/DeviceRGB', amount = '0.8') =>
  onPage(
    `/C cs ${amount} scn 60 500 90 30 re f`,
    `/ColorSpace << /C [/Separation /${name} ${space} << /FunctionType 2 /Domain [0 1] /C0 ${ends} ${power} >>] >>`,
  )
const GROUP = '/Group << /S /Transparency /I true >>'
const NEXT = "BT /F1 18 Tf 72 100 Td (500) ' ET"
const CURVE = '100 100 m 150 180 180 110 200 100 c S'

/** A font that says what its letters are as text. */
const readAs = (map: string, encoding = '/WinAnsiEncoding'): Bodies => ({
  ...order(),
  4: `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding ${encoding} /ToUnicode 10 0 R >>`,
  10: stream(`begincmap ${map} endcmap`, ''),
})

/** A picture of two pixels that its mask mixed with the color of `matte`. */
const mixed = (levels: string, matte: string) =>
  onPage('q 4 0 0 2 60 500 cm /I Do Q', '/XObject << /I 10 0 R >>', {
    10: stream(levels, `${TWO_PIXELS} /ColorSpace /DeviceGray /SMask 11 0 R`),
    11: stream('\xff\x40', `${TWO_PIXELS} /ColorSpace /DeviceGray /Matte ${matte}`),
  })

/** The signature of another with this appearance. */
const signed = (content: string, resources: string): Bodies => ({
  ...order(),
  1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [20 0 R] /SigFlags 3 >> >>',
  3: order()[3]!.replace('/Contents', '/Annots [20 0 R] /Contents'),
  20: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (S) /F 132 /Rect [60 500 260 560] /V 21 0 R /AP << /N 22 0 R >> >>',
  21: '<< /Type /Sig /Filter /Adobe.PPKLite /Name (Another) >>',
  22: stream(content, `/Type /XObject /Subtype /Form /BBox [0 0 200 60] ${resources}`),
})

/** Text in a font that is not in the file. */
const named = (font: string, letters = '12', text = 'ab'): Bodies => ({
  ...order(),
  4: `<< /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding ${font} >>`,
  5: stream(`BT /F1 ${letters} Tf 72 600 Td (${text}) Tj ET`),
})
const widths = (name: string, ...list: number[]) =>
  `/BaseFont /${name} /FirstChar 97 /LastChar 98 /Widths [${list.join(' ')}]`

/** By what differs: the document that is drawn, what its problem says, and the one that is plain. */
const cases: Readonly<Record<string, readonly [drawn: Bodies, problem: RegExp, plain: Bodies]>> = {
  'a mode of text with a point': [inText('3. Tr (500) Tj'), /operands/, inText('3 Tr (500) Tj')],
  'an end of lines with a point': [onPage(`1.0 J ${CURVE}`), /operands/, onPage(`1 J ${CURVE}`)],
  'a width of pixels with a point': [withPicture('2.0', 4), /numbers that only some readers/, withPicture('2', 4)],
  'a width of pixels with a point, as sizes of a layout have': [
    withPicture('2.0 /O /Layout', 4),
    /of a kind/,
    onPage('', '/Properties << /P << /O /Layout /Width 9.07 /Height 5.102 >> >>'),
  ],
  'a large letter of a font that is not in the file': [
    named('/BaseFont /Helvetica-Bold', '19'),
    /large letters/,
    named('/BaseFont /Helvetica-Bold', '18'),
  ],
  'a large letter by its matrices': [
    onPage('q 2 0 0 2 0 0 cm BT /F1 5 Tf 2 0 0 2 30 200 Tm (a) Tj ET Q'),
    /large letters/,
    onPage('q 2 0 0 2 0 0 cm BT /F1 4 Tf 2 0 0 2 30 200 Tm (a) Tj ET BT /F1 9 Tf 30 200 Td (a) Tj ET Q'),
  ],
  'a stretched letter': [
    inText('200 Tz /F1 10 Tf (5) Tj'),
    /large letters/,
    inText('200 Tz /F1 9 Tf (5) Tj 50 Tz /F1 18 Tf (5) Tj'),
  ],
  'a font whose letters poppler squeezes into their widths': [
    named(widths('Helvetica', 400, 556)),
    /viewers replace/,
    named(widths('ArialMT', 556, 560)),
  ],
  'a font that each viewer takes another one for': [
    named(widths('Verdana', 601, 623)),
    /viewers replace/,
    named(widths('TimesNewRomanPS-BoldItalicMT', 500, 500)),
  ],
  'a letter that is a blank for screen readers': [
    readAs('1 beginbfchar <30> <0020> endbfchar'),
    /another for screen readers/,
    readAs('1 beginbfchar <30> <0030> endbfchar'),
  ],
  'a letter of a range that is another for screen readers': [
    readAs('1 beginbfrange <30> <39> <0031> endbfrange'),
    /another for screen readers/,
    readAs('2 beginbfrange <30> <39> <0030> <41> <42> [<0041> <0042>] endbfrange'),
  ],
  'a letter by its name that is another for screen readers': [
    readAs('1 beginbfchar <80> <0035> endbfchar', '<< /Differences [128 /zero] >>'),
    /another for screen readers/,
    readAs('2 beginbfchar <80> <0030> <81> <FB01> endbfchar', '<< /Differences [128 /zero /fi] >>'),
  ],
  'a text that is told from another map': [
    readAs('/Adobe-Identity-UCS usecmap'),
    /another for screen readers/,
    readAs('1 beginbfrange <20> <20> <00A0> endbfrange % usecmap'),
  ],
  'large pixels': [withPicture('2', 200), /large pixels/, withPicture('2', 6)],
  'wide lines around a curve': [onPage(`5 w ${CURVE}`), /wide lines/, onPage(`3 w ${CURVE}`)],
  'corners with long spikes': [onPage(`100 M 3 w ${CURVE}`), /operands/, onPage(`10 M 3 w ${CURVE}`)],
  'wide lines that are scaled': [
    onPage(`q 3 0 0 3 0 0 cm 3 w ${CURVE} Q`),
    /wide lines/,
    onPage('20 w 9 9 m 90 9 l S'),
  ],
  'edges and areas that show what is below': [
    inState('/CA 0.5', '60 500 90 30 re B'),
    /an edge that show/,
    inState('/CA 0.5', '60 500 90 30 re f 60 500 90 30 re S'),
  ],
  'letters of which only the edges are drawn': [inText('1 Tr (500) Tj'), /only the edges/, inText('2 Tr (500) Tj')],
  'letters with dashed edges': [inText('[1] 0 d 2 Tr (500) Tj'), /dashed/, inText('[] 0 d 2 Tr (500) Tj')],
  'a distance of lines for a form': [
    withForm('200 TL /A Do', NEXT),
    /places of text/,
    withForm('200 TL 0 TL /A Do', NEXT),
  ],
  'a rise of text for a form that sets another': [
    withForm('50 Ts 200 TL /A Do', `0 Ts ${NEXT}`),
    /places of text/,
    withForm('50 Ts 200 TL /A Do', `0 Ts 0 TL ${NEXT}`),
  ],
  'a form in a group of gray': [
    withForm('/A Do', `1 0 0 rg 60 60 90 30 re f ${NEXT}`, '/Group << /S /Transparency /CS /DeviceGray >>'),
    /mix differently/,
    withForm('/A Do', `1 0 0 rg 60 60 90 30 re f ${NEXT}`, '/Group << /S /Transparency /CS /DeviceRGB >>'),
  ],
  'a group in a color from outside': [
    withForm('0.2 g /A Do', '60 60 90 30 re f', GROUP),
    /never set/,
    withForm('0.2 g /A Do', '0.2 g 60 60 90 30 re f', GROUP),
  ],
  'a part that shows nothing': [
    withForm('q /G gs /A Do Q', NEXT, '', '/ExtGState << /G << /ca 0 >> >>'),
    /show nothing/,
    inState('/ca 0 /CA 0', '60 500 90 30 re f 60 500 m 60 500 l S'),
  ],
  'an opacity that only some viewers show': [
    inState('/ca 0.01', '60 500 90 30 re f'),
    /mix differently/,
    inState('/ca 0.02', '60 500 90 30 re f'),
  ],
  'inks over others': [
    inState('/OP true', '0 0 0 0.5 k 60 500 90 30 re f'),
    /inks that leave/,
    inState('/OP true', '0 0 0 1 k 60 500 90 30 re f 0 g 60 500 90 30 re f'),
  ],
  'dark grays of inks': [
    onPage('0 0 0 0.8 k 60 500 90 30 re f'),
    /convert differently/,
    onPage('0 0 0 0.5 k 60 500 90 30 re f 0 0 0 1 k 60 500 90 30 re f'),
  ],
  'an ink of a name that some viewers know': [separation('Magenta'), /convert differently/, separation('All')],
  'an ink that is not in even steps': [separation('Black', '/N 2'), /convert differently/, separation('Black')],
  'an ink that darkens the other way around': [
    separation('Black', '/N 1', '[0 0 0] /C1 [1 1 1]'),
    /convert differently/,
    separation('Black', '/N 1 /Range [0 1 0 1 0 1]'),
  ],
  'an ink that is red': [
    separation('Black', '/N 1', '[1 1 1] /C1 [1 0 0]'),
    /convert differently/,
    separation('Black'),
  ],
  'a dark gray of an ink': [
    separation('Black', '/N 1', '[0 0 0 0] /C1 [0 0 0 1]', '/DeviceCMYK', '0.8'),
    /convert differently/,
    separation('Black', '/N 1', '[0 0 0 0] /C1 [0 0 0 1]', '/DeviceCMYK', '0.5'),
  ],
  'a color in a space that a form has from outside': [
    withForm('/DeviceGray cs 0 sc /A Do', '0.2 sc 60 60 90 30 re f'),
    /more or fewer/,
    withForm('/DeviceGray cs 0 sc /A Do', '/DeviceGray cs 0.2 sc 60 60 90 30 re f'),
  ],
  'a line to where it begins': [
    onPage('60 500 m 60 500 l S'),
    /without length/,
    onPage('60 500 m S 60 520 m 90 520 l 60 500 m S'),
  ],
  'a point that is closed, with round ends of lines': [
    onPage('1 J 60 500 m h S'),
    /without length/,
    onPage('1 J 60 500 m S'),
  ],
  'a form that may take the names of its page': [
    withForm('/A Do', NEXT, '', '', ''),
    /damaged|only some viewers find/,
    withForm('/A Do', '60 60 90 30 re f', '', '', ''),
  ],
  'one dash that begins after its length': [
    onPage('[20] 30 d 60 500 m 500 500 l S'),
    /begin differently/,
    onPage('[20] 10 d [20 20] 30 d 60 500 m 500 500 l S'),
  ],
  'a group that is turned': [
    withForm('q 0.98 0.2 -0.2 0.98 200 100 cm /A Do Q', NEXT, GROUP),
    /turned/,
    withForm('q 0 1 -1 0 400 100 cm /A Do Q', NEXT, GROUP),
  ],
  'curves drawn as polygons': [onPage(`100 i ${CURVE}`), /operands/, onPage(`1 i ${CURVE}`)],
  'an odd number of dashes and gaps': [
    onPage('[20 5 2] 0 d 60 500 m 500 500 l S'),
    /operands/,
    onPage('[20 5 2 20 5 2] 0 d [20] 0 d 60 500 m 500 500 l S'),
  ],
  'a picture mixed with white': [mixed('\xff\x20', '[1]'), /of a kind/, mixed('\xff\x20', '[0]')],
  'a picture brighter than its mask lets it be': [mixed('\xff\x50', '[0]'), /of a kind/, mixed('\xff\x40', '[0]')],
  'a signature that draws with names of its page': [
    signed('BT /F1 18 Tf 9 9 Td (500) Tj ET', '/Resources << >>'),
    /damaged|only some viewers/,
    signed('BT /F1 18 Tf 9 9 Td (500) Tj ET', OWN_FONT),
  ],
  'a signature in colors that viewers mix': [
    signed('/G gs 0 0 99 40 re f', '/Resources << /ExtGState << /G << /BM /Difference >> >> >>'),
    /mix differently/,
    signed('/G gs 0 0 99 40 re f', '/Resources << /ExtGState << /G << /BM /Normal >> >> >>'),
  ],
  'a signature with a slanted frame': [
    signed('0 0 99 40 re f', '/Resources << >> /Matrix [0.5 0 0.2 0.5 0 0]'),
    /notes or markings/,
    signed('0 0 99 40 re f', '/Resources << >> /Matrix [0 1 -1 0 0 0]'),
  ],
  'a matrix within a path': [
    onPage('60 500 m 90 500 l q 90 530 l Q f'),
    /in a place/,
    onPage('60 500 m 90 500 l 0.5 g /DeviceRGB CS 1 0 0 SC 2 w 90 530 l B S f n'),
  ],
  'an area without width beside another': [
    onPage('60 500 90 0 re 60 501 90 5 re f'),
    /without width/,
    onPage(
      '60 500 90 0 re 90 503 20 0 re 60 500 90 5 re f* 60 505 m 150 505 l 60 505 m 150 505 l 150 500 l 60 500 l f',
    ),
  ],
  'a thin line that is filled, too': [
    onPage('0.3 w 60 500 m 90 500 l B'),
    /without width/,
    onPage('0.5 w 60 500 m 90 500 l B 60 500 m 90 520 l 90 530 l h 60 500 m B*'),
  ],
  'a closed line that is filled, too': [
    onPage('9 w 60 500 m 90 500 l b'),
    /without width/,
    onPage('9 w 60 500 m 90 500 l B*'),
  ],
  'a wide line that is filled, too, as a clip': [
    onPage('60 500 m 90 500 l W B'),
    /without width/,
    onPage('60 500 m 90 500 l B'),
  ],
  'a color that only a picture would not need': [
    onPage('/DeviceRGB cs q 4 0 0 4 60 500 cm /I Do Q', '/XObject << /I 10 0 R >>', { 10: stencil }),
    /never set/,
    withPicture('2', 4, '/DeviceRGB cs /DeviceRGB CS'),
  ],
  'text in hexadecimal digits, of which one is missing': [
    { ...order(), 5: stream('3020670>', '/Filter /ASCIIHexDecode') },
    /unpack differently/,
    { ...order(), 5: stream('30 2067\n2020>', '/Filter /ASCIIHexDecode') },
  ],
  'a profile for the colors of a screen': [
    onPage('60 500 90 30 re f', '/ColorSpace << /DefaultGray /DeviceRGB >>'),
    /convert differently/,
    onPage('60 500 90 30 re f', '/ColorSpace << /Gray /DeviceRGB >>'),
  ],
  'levels of gray that are turned around halfway': [
    withGray('/Decode [1 0.5]'),
    /of a kind/,
    withGray('/Decode [1 0]'),
  ],
  'a picture in JPEG that says how its colors are converted': [
    withJpeg('/Filter /DCTDecode /DecodeParms << /ColorTransform 0 >>', jpeg),
    /of a kind/,
    withJpeg('/Filter [/ASCIIHexDecode /DCTDecode] /DecodeParms [null << /Quality 80 >>]', `${hex(jpeg)}>`),
  ],
  'points far away': [
    onPage('q 0.001 0 0 0.001 0 0 cm 60000 500000 m 1000001 500000 l 60000 520000 l f Q'),
    /operands/,
    onPage('q 0.001 0 0 0.001 0 0 cm 60000 500000 m 1000000 500000 l 60000 520000 l f Q'),
  ],
  'dashes from before their beginning': [onPage(`[3 2] -2 d ${CURVE}`), /operands/, onPage(`[3 2] 2 d ${CURVE}`)],
}

async function problemOf(bodies: Bodies): Promise<string | null> {
  const inspected = await inspectPdf(writtenPdf(bodies).pdf, defaultLimits)
  return inspected.ok ? plainProblem(inspected.doc) : inspected.problem
}

describe('what viewers were seen to draw differently', () => {
  for (const [name, [drawn, problem, plain]] of Object.entries(cases))
    it(`is not plain: ${name}`, async () => {
      expect(await problemOf(drawn)).to.match(problem)
      expect(await problemOf(plain)).to.equal(null)
    })
})
