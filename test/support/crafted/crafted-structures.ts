/**
 * Orders whose structure, layers, notes, or filters viewers take differently, by what they do: the objects of a document rather than
 * the operands of its content, which `crafted-orders.ts` has.
 */
import { deflateSync } from 'node:zlib'
import { type Bodies, order, stream, text } from '../pdf/written-pdf.ts'

const SHOWN = text('Morphine 5 mg')
const OTHER = `1 g 60 690 500 30 re f 0 g ${text('Morphine 500 mg')}`
const FONT = '/Font << /F1 4 0 R >>'
const form = (content: string, entries = '') =>
  stream(content, `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << ${FONT} >> ${entries}`)

interface Parts {
  content?: string
  resources?: string
  page?: string
  catalog?: string
  more?: Bodies
}

function built({ content = '', resources = '', page = '', catalog = '', more = {} }: Parts): Bodies {
  return {
    ...order(),
    1: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${page} /Contents 5 0 R /Resources << ${FONT} ${resources} >> >>`,
    5: stream(`${SHOWN}\n${content}\n`),
    ...more,
  }
}

/** The other dose in a layer that this configuration shows or hides. */
const layered = (configuration: string, layer = '', membership = '10 0 R') =>
  built({
    content: `/OC /L BDC ${OTHER} EMC`,
    resources: `/Properties << /L ${membership} >>`,
    catalog: `/OCProperties << /OCGs [10 0 R] /D << ${configuration} >> >>`,
    more: { 10: `<< /Type /OCG /Name (Dose) ${layer} >>`, 11: '<< /Type /OCMD /OCGs [10 0 R] /P /AllOff >>' },
  })

const annotated = (entries: string, more: Bodies = {}, catalog = '') =>
  built({
    page: '/Annots [10 0 R]',
    catalog,
    more: { 10: `<< /Type /Annot /Rect [60 690 560 720] ${entries} >>`, ...more },
  })

const appearance = (entries = '') =>
  form('1 g 0 0 500 30 re f 0 g BT /F1 18 Tf 10 10 Td (Morphine 500 mg) Tj ET', entries)
const FRAME = '/BBox [0 0 500 30]'

const pattern = (entries: string, kind = 1) =>
  built({
    content: '/Pattern cs /P scn 60 690 500 30 re f',
    resources: '/Pattern << /P 10 0 R >>',
    more: {
      10:
        kind === 1
          ? stream('1 g 0 0 9 9 re f', `/PatternType 1 /TilingType 1 /BBox [0 0 9 9] /Resources << >> ${entries}`)
          : `<< /PatternType 2 ${entries} >>`,
    },
  })

const masked = (mask: string, group = '/Group << /S /Transparency /CS /DeviceGray >>') =>
  built({
    content: `q /G gs ${OTHER} Q`,
    resources: `/ExtGState << /G << /SMask << ${mask} /G 10 0 R >> >> >>`,
    more: { 10: form('1 g 0 0 250 792 re f', group) },
  })

const inFont = (font: string, shown: string, more: Bodies = {}, size = 18): Bodies => ({
  ...built({ content: `1 g 60 690 500 30 re f 0 g BT /F2 ${size} Tf 72 700 Td ${shown} Tj ET` }),
  3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 4 0 R /F2 ${font} >> >> >>`,
  ...more,
})

/** A font that is only named, whose digits have this width. */
const narrow = (name: string, width: number, more = '') =>
  `<< /Type /Font /Subtype /TrueType /BaseFont /${name} /FirstChar 48 /LastChar 57 /Widths [${`${width} `.repeat(10)}] /Encoding /WinAnsiEncoding ${more} >>`

const inline = (entries: string, data: string) =>
  built({ content: `q 500 0 0 30 60 690 cm BI ${entries} ID ${data}\nEI Q` })

const image = (entries: string, data: Buffer | string) =>
  built({
    content: 'q 500 0 0 30 60 690 cm /I Do Q',
    resources: '/XObject << /I 10 0 R >>',
    more: { 10: stream(data.toString('latin1'), `/Type /XObject /Subtype /Image ${entries}`) },
  })

const state = (entries: string, content = OTHER) =>
  built({ content: `q /G gs ${content} Q`, resources: `/ExtGState << /G << ${entries} >> >>` })

const pages = (tree: string, more: Bodies) => ({ ...order(), 2: tree, 6: stream(`${SHOWN} ${OTHER}`), ...more })
const OTHER_PAGE =
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> >> /Contents 6 0 R >>'

export const craftedStructures: Readonly<Record<string, () => Bodies>> = {
  'layers: off at first': () => layered('/OFF [10 0 R]'),
  'layers: all off, then on': () => layered('/BaseState /OFF /ON [10 0 R]'),
  'layers: unchanged': () => layered('/BaseState /Unchanged /OFF [10 0 R]'),
  'layers: printed, not shown': () =>
    layered(
      '/AS [<< /Event /View /OCGs [10 0 R] /Category [/View] >> << /Event /Print /OCGs [10 0 R] /Category [/Print] >>]',
      '/Usage << /View << /ViewState /OFF >> /Print << /PrintState /ON >> >>',
    ),
  'layers: shown when another is off': () => layered('/OFF [10 0 R]', '', '11 0 R'),
  'layers: by an expression': () => layered('', '', '<< /Type /OCMD /VE [/Not 10 0 R] >>'),
  'layers: that nothing lists': () => ({ ...layered(''), 1: '<< /Type /Catalog /Pages 2 0 R >>' }),
  'layers: of a part': () => ({
    ...layered('/OFF [10 0 R]'),
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << ${FONT} /XObject << /A 12 0 R >> >> >>`,
    5: stream(`${SHOWN} /A Do`),
    12: form(OTHER, '/OC 10 0 R'),
  }),
  'masks: of alpha': () => masked('/S /Alpha'),
  'masks: with a backdrop': () => masked('/S /Luminosity /BC [1]'),
  'masks: with a function': () => masked('/S /Luminosity /TR << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>'),
  'masks: without a group': () => masked('/S /Luminosity', ''),
  'states: black generation and transfer': () =>
    state('/TR /Identity /BG2 /Default /TR2 << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>'),
  'states: a font': () => state('/Font [4 0 R 40]', '1 g 60 690 500 30 re f 0 g BT 72 700 Td (500) Tj ET'),
  'states: dashes': () => state('/D [[0 20] 0] /LC 1 /LW 20', '1 G 60 705 m 560 705 l S'),
  'states: overprint of no ink': () => state('/OP true /op true /OPM 1', '0 0 0 0 k 60 690 500 30 re f'),
  'states: edges and areas half opaque': () => state('/CA 0.5 /ca 0.5', '1 g 1 G 20 w 60 690 500 30 re B'),
  'states: edges that do not show': () => state('/CA 0 /ca 1', '1 g 1 G 40 w 60 690 500 10 re B*'),
  'state: a mode with a point': () =>
    built({ content: `1 g 60 690 500 30 re f 0 g BT /F1 18 Tf 72 700 Td 3. Tr (Morphine 500 mg) Tj ET` }),
  'state: leading kept for a part': () =>
    built({
      content: '200 TL /A Do',
      resources: '/XObject << /A 10 0 R >>',
      more: { 10: form("1 g 60 690 500 30 re f 0 g BT /F1 18 Tf 72 900 Td (Morphine 500 mg) ' ET") },
    }),
  'state: a part that is turned, with a group': () =>
    built({
      content: 'q 0.98 0.2 -0.2 0.98 295 137 cm /A Do Q',
      resources: '/XObject << /A 10 0 R >>',
      more: {
        10: stream(
          '30 w 299 67 m 434 67 l S',
          `/Type /XObject /Subtype /Form /BBox [0 0 291 224] /Resources << >> /Group << /S /Transparency /I true >>`,
        ),
      },
    }),
  'patterns: of tiles far apart': () => pattern('/PaintType 1 /XStep 9 /YStep 9'),
  'patterns: with negative steps': () => pattern('/PaintType 1 /XStep -9 /YStep -9'),
  'patterns: without a color of its own': () => pattern('/PaintType 2 /XStep 9 /YStep 9'),
  'patterns: with a matrix': () => pattern('/PaintType 1 /XStep 3 /YStep 3 /Matrix [0 4 -4 0 0 0]'),
  'patterns: a shading': () =>
    pattern(
      '/Shading << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 1 0] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [1] /N 1 >> >>',
      2,
    ),
  'fonts: by number, not in the file': () =>
    inFont('10 0 R', '<0014001500160017>', {
      10: '<< /Type /Font /Subtype /Type0 /BaseFont /Arial /Encoding /Identity-H /DescendantFonts [11 0 R] >>',
      11: '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Arial /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 /FontDescriptor << /Type /FontDescriptor /FontName /Arial /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>',
    }),
  'fonts: of a language, not in the file': () =>
    inFont('10 0 R', '<00350030>', {
      10: '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UCS2-H /DescendantFonts [11 0 R] >>',
      11: '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>',
    }),
  'fonts: other names for digits': () =>
    inFont(
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [53 /five /uni0030 /g30 /zero.alt] >> >>',
      '(5678)',
    ),
  'fonts: codes with a point': () =>
    inFont('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [53.0 /zero] >> >>', '(5)'),
  'fonts: a first code with a point': () =>
    inFont(
      '<< /Type /Font /Subtype /TrueType /BaseFont /Arial /FirstChar 48.0 /LastChar 57.0 /Widths [900 900 900 900 900 900 900 900 900 900] /Encoding /WinAnsiEncoding >>',
      '(500)',
    ),
  'fonts: large letters of one that is only named': () =>
    inFont('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>', '(500)', {}, 72),
  'fonts: large letters of one that is only named, in italics of two weights': () =>
    inFont('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-BoldOblique >>', '(500)', {}, 40),
  'fonts: only named, with digits without width': () => inFont(narrow('Helvetica', 0), '(500)'),
  'fonts: only named, with narrow digits': () => inFont(narrow('Arial,Bold', 200), '(500)'),
  'fonts: only named, with narrow digits, and large': () => inFont(narrow('TimesNewRoman', 250), '(500)', {}, 50),
  'fonts: only named, by a name with more words': () => inFont(narrow('Arial-Black', 667), '(500)'),
  'fonts: only named, bold in the descriptor': () =>
    inFont(
      narrow(
        'Verdana',
        600,
        '/FontDescriptor << /Type /FontDescriptor /FontName /Verdana /Flags 262176 /FontWeight 900 /StemV 200 /FontBBox [0 0 1000 1000] /ItalicAngle -20 /Ascent 800 /Descent -200 /CapHeight 700 >>',
      ),
      '(500)',
    ),
  'inline pictures: with EI in their data': () => inline('/W 9 /H 1 /CS /G /BPC 8', '\xff EI Q \xff'),
  'inline pictures: with a length': () => inline('/W 2 /H 1 /CS /G /BPC 8 /L 90', '\xff\xff'),
  'inline pictures: in hexadecimal': () => inline('/W 2 /H 1 /CS /G /BPC 8 /F /AHx', 'FFF>'),
  'inline pictures: with two filters': () => inline('/W 2 /H 1 /CS /G /BPC 8 /F [/A85 /AHx]', '<~~>'),
  'filters: LZW': () =>
    image(
      '/Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /LZWDecode',
      Buffer.from('803fe020', 'hex'),
    ),
  'filters: run length': () =>
    image(
      '/Width 4 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /RunLengthDecode',
      Buffer.from('fdff80', 'hex'),
    ),
  'filters: fax': () =>
    image(
      '/Width 32 /Height 4 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 32 /Rows 4 >>',
      Buffer.from('26a01001', 'hex'),
    ),
  'filters: JBIG2 without a page': () =>
    image(
      '/Width 8 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode',
      Buffer.from('0000000030000100000013000000080000000100000000000000000000000000', 'hex'),
    ),
  'filters: JPX without colors': () =>
    image('/Width 1 /Height 1 /Filter /JPXDecode', Buffer.from('0000000c6a5020200d0a870a', 'hex')),
  'filters: a key': () =>
    image(
      '/Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter [/Crypt] /DecodeParms [<< /Name /Identity >>]',
      '\xff\xff',
    ),
  'filters: a width with a point': () =>
    image('/Width 2.0 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8', '\xff\xff'),
  'filters: large pixels': () =>
    image('/Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 /Interpolate true', '\xff\x00\x00\xff'),
  'filters: Flate within Flate': () =>
    image(
      '/Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter [/FlateDecode /FlateDecode] /DecodeParms null',
      deflateSync(deflateSync(Buffer.from('ffff', 'hex'))),
    ),
  'notes: a stamp with states': () =>
    annotated('/Subtype /Stamp /AP << /N << /On 11 0 R /Off 12 0 R >> >> /AS /On', {
      11: appearance(FRAME),
      12: form(''),
    }),
  'notes: a state that is missing': () =>
    annotated('/Subtype /Stamp /AP << /N << /On 11 0 R >> >> /AS /Other', { 11: appearance(FRAME) }),
  'notes: hidden': () => annotated('/Subtype /Stamp /F 2 /AP << /N 11 0 R >>', { 11: appearance(FRAME) }),
  'notes: printed alone': () => annotated('/Subtype /Stamp /F 36 /AP << /N 11 0 R >>', { 11: appearance(FRAME) }),
  'notes: not turned': () =>
    annotated('/Subtype /Stamp /F 20 /AP << /N 11 0 R >>', { 11: appearance(`${FRAME} /Matrix [0 1 -1 0 0 0]`) }),
  'notes: free text without an appearance': () =>
    annotated('/Subtype /FreeText /DA (/F1 18 Tf 0 g) /Contents (Morphine 500 mg)'),
  'notes: a redaction': () => annotated('/Subtype /Redact /IC [1 1 1] /OverlayText (500 mg)'),
  'notes: a line': () => annotated('/Subtype /Line /L [60 705 560 705] /C [1 1 1] /BS << /W 30 >>'),
  'notes: a link with an appearance': () =>
    annotated('/Subtype /Link /Border [0 0 0] /AP << /N 11 0 R >>', { 11: appearance(FRAME) }),
  'notes: of an unknown kind': () => annotated('/Subtype /Unknown /AP << /N 11 0 R >>', { 11: appearance(FRAME) }),
  'fields: a text without an appearance': () =>
    annotated(
      '/Subtype /Widget /FT /Tx /T (dose) /V (500 mg) /DA (/F1 18 Tf 0 g)',
      {},
      '/AcroForm << /Fields [10 0 R] /DR << /Font << /F1 4 0 R >> >> >>',
    ),
  'fields: drawn again by some': () =>
    annotated(
      '/Subtype /Widget /FT /Tx /T (dose) /V (5 mg) /DA (/F1 18 Tf 0 g) /AP << /N 11 0 R >>',
      { 11: appearance(FRAME) },
      '/AcroForm << /NeedAppearances true /Fields [10 0 R] /DR << /Font << /F1 4 0 R >> >> >>',
    ),
  'fields: XFA': () =>
    annotated(
      '/Subtype /Widget /FT /Tx /T (dose) /V (5 mg) /DA (/F1 18 Tf 0 g) /AP << /N 11 0 R >>',
      { 11: appearance(FRAME), 12: stream('<xdp/>') },
      '/AcroForm << /XFA 12 0 R /Fields [10 0 R] >>',
    ),
  'scripts: that set a field': () =>
    built({ catalog: '/OpenAction << /S /JavaScript /JS (this.getField\\("dose"\\).value = "500 mg") >>' }),
  'pages: a count that is too small': () => pages('<< /Type /Pages /Kids [3 0 R 7 0 R] /Count 1 >>', { 7: OTHER_PAGE }),
  'pages: one of them twice': () => pages('<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>', {}),
  'pages: turned by their parent': () => pages('<< /Type /Pages /Kids [3 0 R] /Count 1 /Rotate 180 >>', {}),
  'pages: turned by 45': () => built({ page: '/Rotate 45' }),
  'pages: turned by a number with a point': () => built({ page: '/Rotate 90.0' }),
  'pages: a frame outside of the other': () => built({ page: '/CropBox [700 700 900 900]' }),
  'pages: a frame that is turned around': () => built({ page: '/CropBox [612 792 0 0]' }),
  'pages: resources of their parent': () => ({
    ...pages('<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F1 4 0 R >> >> >>', {}),
    3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R >>',
  }),
  'pages: a parent that is another': () => ({
    ...order(),
    3: `<< /Type /Page /Parent 7 0 R /MediaBox [0 0 612 792] /Resources << ${FONT} >> /Contents 5 0 R >>`,
    7: '<< /Type /Pages /Kids [3 0 R] /Count 1 /Rotate 180 >>',
  }),
  'objects: a key twice': () => ({
    ...order(),
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << ${FONT} >> /Contents 5 0 R /Contents 6 0 R >>`,
    6: stream(`${SHOWN} ${OTHER}`),
  }),
  'objects: a key written in two ways': () => ({
    ...order(),
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << ${FONT} >> /Contents 5 0 R /C#6fntents 6 0 R >>`,
    6: stream(`${SHOWN} ${OTHER}`),
  }),
  'objects: a length that is too small': () => ({
    ...order(),
    5: stream(`${SHOWN}\n${OTHER}`).replace(/Length \d+/, `Length ${SHOWN.length + 1}`),
  }),
  'objects: content that ends twice': () => ({ ...order(), 5: stream(`${SHOWN}\nendstream endobj\n${OTHER}`) }),
  'objects: content in another file': () => ({ ...order(), 5: stream(SHOWN, '/F (other.bin) /FFilter /FlateDecode') }),
}
