/**
 * Orders that were crafted so that viewers show different doses, by what they do. Each is a whole and well-formed file; what viewers
 * take differently is one entry, one operand, or one name in it.
 */
import { deflateSync } from 'node:zlib'
import { type Bodies, order, stream, text, writtenPdf } from '../pdf/written-pdf.ts'
import type { Random } from '../random.ts'

const FONT = '/Font << /F1 4 0 R >>'
const SHOWN = text('Morphine 5 mg')
/** Another dose over the first. */
const COVER = '1 g 60 690 500 30 re f 0 g'
const OTHER = `${COVER} ${text('Morphine 500 mg')}`

interface Page {
  /** Drawn after the dose. */
  content: string
  resources?: string
  /** Bodies of further objects, from number 10 on. */
  more?: readonly string[]
  /** Other entries of the page. */
  page?: string
  /** In place of the dose. */
  first?: string
}

function crafted({
  content,
  resources = '',
  more = [],
  page = '/MediaBox [0 0 612 792]',
  first = SHOWN,
}: Page): Bodies {
  const bodies = more.map((body, i): [number, string] => [10 + i, body])
  return {
    ...order(),
    3: `<< /Type /Page /Parent 2 0 R ${page} /Contents 5 0 R /Resources << ${FONT} ${resources} >> >>`,
    5: stream(`${first}\n${content}\n`),
    ...Object.fromEntries(bodies),
  }
}

const form = (content: string, entries = '/Resources << >>', box = '/BBox [0 0 612 792]') =>
  stream(content, `/Type /XObject /Subtype /Form ${box} ${entries}`)
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const image = (entries: string, data: Uint8Array) => stream(latin1(data), `/Type /XObject /Subtype /Image ${entries}`)
const packed = (bytes: Uint8Array) => deflateSync(bytes)

/** A form that asks for a name that only its page has. */
const borrowed = (kind: string, content: string, entry: string, more: readonly string[]) =>
  crafted({
    content: '/A Do',
    resources: `/XObject << /A 10 0 R ${kind === 'XObject' ? entry : ''} >> ${kind === 'XObject' ? '' : `/${kind} << ${entry} >>`}`,
    more: [form(content, `/Resources << ${kind === 'Font' ? '' : FONT} >>`), ...more],
  })

const inState = (state: string, content = OTHER, more: readonly string[] = []) =>
  crafted({ content: `q /G gs ${content} Q`, resources: `/ExtGState << /G << ${state} >> >>`, more })

const inSpace = (space: string, operands: string, more: readonly string[] = [], resources = '') =>
  crafted({
    content: `q /C cs ${operands} 60 690 500 30 re f Q`,
    resources: `/ColorSpace << /C ${space} ${resources} >>`,
    more,
  })

const inFrame = (box: string, entries = '') =>
  crafted({
    content: '/A Do',
    resources: '/XObject << /A 10 0 R >>',
    more: [form(OTHER, `/Resources << ${FONT} >> ${entries}`, box)],
  })

const withImage = (entries: string, data: Uint8Array, more: readonly string[] = []) =>
  crafted({
    content: 'q 500 0 0 30 60 690 cm /I Do Q',
    resources: '/XObject << /I 10 0 R >>',
    more: [image(entries, data), ...more],
  })

const GRAY = '/ColorSpace /DeviceGray /BitsPerComponent 8'
const sized = (width: number, height: number) => `/Width ${width} /Height ${height}`

const nested = (levels: number) =>
  crafted({
    content: '/A Do',
    resources: '/XObject << /A 10 0 R >>',
    more: Array.from({ length: levels }, (_, i) =>
      i === levels - 1
        ? form(OTHER, `/Resources << ${FONT} >>`)
        : form('/A Do', `/Resources << /XObject << /A ${11 + i} 0 R >> >>`),
    ),
  })

const shading = (entries: string, content = 'q /S sh Q') =>
  crafted({
    content,
    resources: `/Shading << /S << /ShadingType 2 /ColorSpace /DeviceGray /Coords [60 0 560 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [1] /N 1 >> ${entries} >> >>`,
  })

/** A word in a font whose letters are drawings. */
const drawnLetters = (letter: string, font = '/FontBBox [0 0 1000 1000]') =>
  crafted({
    content: 'BT /T 30 Tf 60 690 Td (a) Tj ET',
    resources: `/ExtGState << /G << /ca 0 >> >>`,
    first: `BT /T 30 Tf 300 600 Td (a) Tj ET ${SHOWN}`,
    more: [
      `<< /Type /Font /Subtype /Type3 ${font} /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << /a 11 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1000] /Resources << /ExtGState << /G << /ca 0 >> >> >> >>`,
      stream(letter),
    ],
    page: '/MediaBox [0 0 612 792]',
  })

/** An ICC profile for gray whose curve turns black into white. */
function invertedProfile(): Buffer {
  const profile = Buffer.alloc(172)
  profile.writeUInt32BE(profile.length, 0)
  profile.write('mntrGRAYXYZ ', 12, 'latin1')
  profile.write('acsp', 36, 'latin1')
  profile.writeUInt32BE(0x02100000, 8)
  profile.writeUInt32BE(1, 128)
  profile.write('kTRC', 132, 'latin1')
  profile.writeUInt32BE(144, 136)
  profile.writeUInt32BE(16, 140)
  profile.write('curv', 144, 'latin1')
  profile.writeUInt32BE(2, 152)
  profile.writeUInt16BE(65_535, 156)
  profile.writeUInt16BE(0, 158)
  return profile
}

const inText = (operators: string) => crafted({ content: `${COVER} BT /F1 18 Tf 72 700 Td ${operators} ET` })

const HUGE = '2147483700'

/** By the kind of what viewers take differently, and what this one does. */
export const craftedOrders: Readonly<Record<string, () => Bodies>> = {
  'names: a form borrows a form': () =>
    borrowed('XObject', '/B Do', '/B 11 0 R', [form(OTHER, `/Resources << ${FONT} >>`)]),
  'names: a form borrows a graphics state': () => borrowed('ExtGState', `/G gs ${OTHER}`, '/G 11 0 R', ['<< /ca 0 >>']),
  'names: a form borrows a color space': () =>
    borrowed('ColorSpace', '/C cs 0 sc 60 690 500 30 re f', '/C 11 0 R', [
      '[/Separation /Black /DeviceGray << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>]',
    ]),
  'names: a form borrows a shading': () =>
    borrowed('Shading', '/S sh', '/S 11 0 R', [
      '<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 612 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [1] /N 1 >> >>',
    ]),
  'names: a form borrows a pattern': () =>
    borrowed('Pattern', '/Pattern cs /P scn 60 690 500 30 re f', '/P 11 0 R', [
      stream(
        '1 g 0 0 9 9 re f',
        '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << >>',
      ),
    ]),
  'names: a form borrows a font': () => borrowed('Font', OTHER.replaceAll('/F1', '/F2'), '/F2 4 0 R', []),
  'names: a form without resources': () =>
    crafted({ content: '/A Do', resources: '/XObject << /A 10 0 R >>', more: [form(OTHER, '')] }),
  'names: a graphics state that is missing': () => crafted({ content: `q /Missing gs ${OTHER} Q` }),
  'numbers: opacity of 2': () => inState('/ca 2'),
  'numbers: opacity of -1': () => inState('/ca -1'),
  'numbers: opacity of lines of 2': () => inState('/CA 2', `${OTHER} 10 w 60 700 m 500 700 l S`),
  'numbers: opacity that is a text': () => inState('/ca (0)'),
  'numbers: text mode 8': () => inText('8 Tr (Morphine 500 mg) Tj'),
  'numbers: text mode 11': () => inText('11 Tr (Morphine 500 mg) Tj'),
  'numbers: text mode -1': () => inText('-1 Tr (Morphine 500 mg) Tj'),
  'numbers: text mode 1.5': () => inText('1.5 Tr (Morphine 500 mg) Tj'),
  'numbers: text that clips what follows': () =>
    crafted({ content: `q BT /F1 18 Tf 72 700 Td 7 Tr (I) Tj ET ${OTHER} Q` }),
  'numbers: a shift of text beyond 2^31': () => inText(`${HUGE} 0 Td -${HUGE} 0 Td (Morphine 500 mg) Tj`),
  'numbers: a shift of letters beyond 2^31': () => inText(`[(Morphine 5) ${HUGE} (00)] TJ`),
  'numbers: a rise of text beyond 2^32': () => inText('4294967396 Ts (Morphine 500 mg) Tj'),
  'numbers: a space between letters beyond 2^31': () => inText(`(Morphine 5) Tj ${HUGE} Tc (00 mg) Tj`),
  'numbers: text of no width': () => inText('0 Tz (Morphine 500 mg) Tj'),
  'numbers: text of a negative size': () => inText('/F1 -18 Tf (Morphine 500 mg) Tj'),
  'numbers: text of size 0': () => inText('/F1 0 Tf (Morphine 500 mg) Tj'),
  'numbers: a matrix without area': () => crafted({ content: `q 0 0 0 0 72 700 cm ${OTHER} Q` }),
  'frames: of three numbers': () => inFrame('/BBox [0 0 612]'),
  'frames: of five numbers': () => inFrame('/BBox [0 0 0 0 792]'),
  'frames: with a text': () => inFrame('/BBox [0 0 (612) 792]'),
  'frames: without area': () => inFrame('/BBox [0 0 0 0]'),
  'frames: a matrix with null': () => inFrame('/BBox [0 0 612 792]', '/Matrix [1 0 0 1 null 0]'),
  'frames: a matrix of seven numbers': () => inFrame('/BBox [0 0 612 792]', '/Matrix [1 0 0 1 0 0 2]'),
  'frames: a matrix of four numbers': () => inFrame('/BBox [0 0 612 792]', '/Matrix [1 0 0 1]'),
  'pages: a frame with a text': () => crafted({ content: '', page: '/MediaBox [0 0 (612) 792]' }),
  'pages: a unit of 3': () => crafted({ content: '', page: '/MediaBox [0 0 612 792] /UserUnit 3' }),
  'pages: a group of inks': () =>
    crafted({
      content: `q /G gs ${OTHER} Q`,
      resources: '/ExtGState << /G << /ca 0.5 >> >>',
      page: '/MediaBox [0 0 612 792] /Group << /S /Transparency /CS /DeviceCMYK >>',
    }),
  'colors: a color space without a color': () => inSpace('[/CalGray << /WhitePoint [0.95 1 1.09] >>]', ''),
  'colors: a default for gray': () =>
    crafted({
      content: `${COVER} ${text('Morphine 500 mg')}`,
      resources:
        '/ColorSpace << /DefaultGray [/Separation /All /DeviceGray << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>] >>',
    }),
  'colors: gray with a huge exponent': () =>
    inSpace('[/CalGray << /WhitePoint [0.95 1 1.09] /Gamma 100000 >>]', '0.99 sc'),
  'colors: a profile that turns black into white': () =>
    inSpace('[/ICCBased 10 0 R]', '0 sc', [stream(latin1(invertedProfile()), '/N 1 /Alternate /DeviceGray')]),
  'colors: a function that is calculated': () =>
    inSpace('[/Separation /Spot /DeviceGray 10 0 R]', '0.5 sc', [
      stream('{ 0.6 gt { 0 } { 1 } ifelse }', '/FunctionType 4 /Domain [0 1] /Range [0 1]'),
    ]),
  'colors: a range that is turned around': () =>
    inSpace('[/Lab << /WhitePoint [0.95 1 1.09] /Range [100 -100 100 -100] >>]', '50 90 90 sc'),
  'colors: a palette asked for half a color': () => inSpace('[/Indexed /DeviceGray 1 <00FF>]', '0.5 sc'),
  'colors: too many operands': () => crafted({ content: `/DeviceGray cs 0 1 1 sc 60 690 500 30 re f` }),
  'colors: too few operands': () => crafted({ content: `/DeviceRGB cs 1 sc 60 690 500 30 re f` }),
  'colors: beyond 1': () => crafted({ content: '1.5 -1 300 rg 60 690 500 30 re f' }),
  'colors: ink on the color that one viewer makes of it': () =>
    crafted({ content: `0 0.678 0.937 rg 60 690 500 30 re f 1 0 0 0 k ${text('Morphine 500 mg')} 0 g`, first: '' }),
  'mixing: a list of modes': () => inState('/BM [/Nonsense /Multiply]'),
  'mixing: an unknown mode': () => inState('/BM /Nonsense'),
  'mixing: Screen over the page': () => inState('/BM /Screen', '0 g 60 690 500 30 re f'),
  'mixing: Difference over the page': () => inState('/BM /Difference', '1 g 60 690 500 30 re f'),
  'mixing: a mask with another name': () => inState('/SMask /Nothing'),
  'mixing: a soft mask': () =>
    inState('/SMask << /S /Luminosity /G 10 0 R >>', OTHER, [
      form('1 g 0 0 300 792 re f', '/Group << /S /Transparency /CS /DeviceGray >> /Resources << >>'),
    ]),
  'mixing: a group that knocks out': () =>
    inFrame('/BBox [0 0 612 792]', '/Group << /S /Transparency /K true /CS /DeviceRGB >>'),
  'mixing: inks over each other': () => inState('/OP true /op true /OPM 1', `0 0 0 0 k 60 690 500 30 re f`),
  'shadings: with a frame': () => shading('/BBox [0 0 100 100] /Extend [true true]'),
  'shadings: with a background': () => shading('/Background [0]'),
  'shadings: without a length': () => shading('/Coords [60 0 60 0] /Extend [true true]'),
  'depth: 12 forms': () => nested(12),
  'depth: 60 forms': () => nested(60),
  'pictures: with too little data': () => withImage(`${sized(10, 10)} ${GRAY}`, Buffer.alloc(5)),
  'pictures: with too much data': () => withImage(`${sized(2, 1)} ${GRAY}`, Buffer.alloc(90, 0xff)),
  'pictures: wider than a canvas': () =>
    withImage(`${sized(70_000, 1)} ${GRAY} /Filter /FlateDecode`, packed(Buffer.alloc(70_000, 0xff))),
  'pictures: a number beyond the palette': () =>
    withImage(`${sized(2, 1)} /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceGray 1 <00FF>]`, Buffer.from([0, 200])),
  'pictures: a palette that is too short': () =>
    withImage(
      `${sized(2, 1)} /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB 255 <00FF00>]`,
      Buffer.from([0, 200]),
    ),
  'pictures: of 3 bits': () =>
    withImage(`${sized(8, 1)} /ColorSpace /DeviceGray /BitsPerComponent 3`, Buffer.alloc(3, 0xaa)),
  'pictures: of 16 bits': () =>
    withImage(`${sized(2, 1)} /ColorSpace /DeviceGray /BitsPerComponent 16`, Buffer.alloc(4, 0xff)),
  'pictures: levels of one number': () => withImage(`${sized(2, 1)} ${GRAY} /Decode [1]`, Buffer.alloc(2)),
  'pictures: levels turned around': () => withImage(`${sized(2, 1)} ${GRAY} /Decode [1 0]`, Buffer.alloc(2)),
  'pictures: a color that is a hole': () => withImage(`${sized(2, 1)} ${GRAY} /Mask [0 0]`, Buffer.from([0, 255])),
  'pictures: Flate data without its end': () =>
    withImage(`${sized(20, 20)} ${GRAY} /Filter /FlateDecode`, packed(Buffer.alloc(400, 0xff)).subarray(0, 8)),
  'pictures: a JPEG without its end': () =>
    withImage(`${sized(8, 8)} ${GRAY} /Filter /DCTDecode`, Buffer.from('ffd8ffc0000b080008000801011100ffd9', 'hex')),
  'pictures: within the content': () =>
    crafted({ content: 'q 500 0 0 30 60 690 cm BI /W 2 /H 1 /CS /G /BPC 8 ID \xff\xff\nEI Q' }),
  'pictures: flat': () =>
    crafted({
      content: 'q 500 0 0 0 60 690 cm /I Do Q',
      resources: '/XObject << /I 10 0 R >>',
      more: [image(`${sized(1, 1)} ${GRAY}`, Buffer.alloc(1))],
    }),
  'letters: a drawing larger than it says': () => drawnLetters('1000 0 0 0 10 10 d1 0 0 1000 1000 re f'),
  'letters: a drawing with a state of its own': () => drawnLetters('1000 0 0 0 1000 1000 d1 /G gs 0 0 1000 1000 re f'),
  'letters: a drawing with another width': () => drawnLetters('9000 0 d0 0 0 1000 1000 re f'),
  'fonts: a standard name, and another in its descriptor': () => ({
    ...order('5 00 mg'),
    4: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FontDescriptor << /Type /FontDescriptor /FontName /ZapfDingbats /Flags 32 /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontBBox [0 0 1000 1000] >> >>',
  }),
  'state: kept within a text': () => inText('q (Morphine 5) Tj 100 0 Td Q (00 mg) Tj'),
  'state: given back more often than it was kept': () => crafted({ content: `Q ${OTHER}` }),
  'state: never given back': () => crafted({ content: `q q ${OTHER}` }),
  'state: a matrix within a path': () =>
    crafted({ content: '1 g 60 690 m 560 690 l q 1 0 0 1 0 -200 cm 560 720 l 60 720 l Q f 0 g' }),
  'state: an operator that some viewers know': () => crafted({ content: `BX /x unknown EX ${OTHER}` }),
  'lines: without length, with round ends': () =>
    crafted({ content: '1 J 30 w 1 G 72 705 m 72 705 l S 150 705 m 150 705 l S' }),
  'lines: a closed point': () => crafted({ content: '1 J 30 w 1 G 120 705 m h S' }),
  'lines: dashes without length': () => crafted({ content: '[0 20] 0 d 1 J 20 w 1 G 60 705 m 560 705 l S' }),
  'lines: dashes that are negative': () => crafted({ content: '[-5 5] 0 d 20 w 1 G 60 705 m 560 705 l S' }),
  'lines: a miter without a limit': () => crafted({ content: '100000 M 9 w 100 100 m 600 101 l 100 102 l S' }),
  'areas: without width': () => crafted({ content: '0 g 150 690 0 30 re f 160 690 0 30 re f' }),
  'areas: a line that turns back': () => crafted({ content: '0 g 100 705 m 400 705 l 100 705 l f' }),
  'areas: a clip without width': () => crafted({ content: `q 0 0 0 0 re W n ${OTHER} Q` }),
  'content: parts that make another number': () => ({
    ...order(),
    3: order()[3]!.replace('/Contents 5 0 R', '/Contents [5 0 R 6 0 R]'),
    5: stream('BT /F1 18 Tf 72 700 Td (Morphine 5 mg) Tj 0 -7'),
    6: stream('00 Td (and 500 mg) Tj ET'),
  }),
  'content: a part that is null': () => ({
    ...order(),
    3: order()[3]!.replace('/Contents 5 0 R', '/Contents [5 0 R 6 0 R 7 0 R]'),
    6: 'null',
    7: stream(OTHER),
  }),
  'content: compressed, without its end': () => {
    const data = latin1(packed(Buffer.from(`${SHOWN}\n${OTHER}\n`, 'latin1')).subarray(0, -6))
    return { ...order(), 5: stream(data, '/Filter /FlateDecode') }
  },
}

export const craftedPdf = (name: string): Buffer => writtenPdf(craftedOrders[name]!()).pdf

/** Numbers that are unusual in most places. */
const ODD = [
  '-1',
  '0',
  '0.0001',
  '1.5',
  '2',
  '3',
  '8',
  '11',
  '255',
  '-500',
  '32768',
  '70000',
  '2147483648',
  '-4294967297',
]

/** Returns a document with another number in one place of its page, its content, or the objects that it draws. */
export function variantPdf(document: Bodies, random: Random): Buffer {
  const bodies: Record<number, string> = { ...document }
  const numbers = Object.keys(bodies)
    .map(Number)
    .filter((number) => number > 2 && isReadable(bodies[number]!))
  const chosen = random.pick(numbers)
  const places = [...bodies[chosen]!.matchAll(/(?<=[\s[])-?\d+(?:\.\d+)?(?=[\s\]])(?! 0 R)(?<! R)/g)]
  if (places.length > 0) {
    const [place, odd] = [random.pick(places), random.pick(ODD)]
    const changed = bodies[chosen]!.slice(0, place.index) + odd + bodies[chosen]!.slice(place.index + place[0].length)
    bodies[chosen] = withLength(changed)
  }
  return writtenPdf(bodies).pdf
}

const isReadable = (body: string) => /^[\s\x20-\x7e]*$/.test(body)

/** With the length that the stream has now. */
const withLength = (body: string) =>
  body.replace(
    /\/Length -?[\d.]+( >>\nstream\n)([\s\S]*)(?=\nendstream)/,
    (_, between: string, data: string) => `/Length ${Buffer.byteLength(data, 'latin1')}${between}${data}`,
  )
