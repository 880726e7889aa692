/** Small orders that are more work to draw than a viewer or a signature can afford, by what they ask for. */
import { deflateSync } from 'node:zlib'
import { type Bodies, order, stream, text, writtenPdf } from './written-pdf.ts'

const FONTS = '/Font << /F1 4 0 R >>'

/** The order, with this drawn below its words. Further objects have numbers from 10. */
function drawing(content: string, resources = '', more: readonly string[] = [], page = ''): Buffer {
  const bodies: Bodies = {
    ...order(),
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << ${FONTS} ${resources} >> ${page} >>`,
    5: stream(`${text('Morphine 5 mg')}\n${content}\n`),
    ...Object.fromEntries(more.map((body, index) => [10 + index, body])),
  }
  return writtenPdf(bodies).pdf
}

const form = (content: string, entries = '/Resources << >>') =>
  stream(content, `/Type /XObject /Subtype /Form /BBox [0 0 612 792] ${entries}`)

/** Each level draws the next this often, under names that only the page has. */
function borrowing(levels: number, times: number): Buffer {
  const names = Array.from({ length: levels + 1 }, (_, i) => `/A${i} ${10 + i} 0 R`).join(' ')
  const forms = Array.from({ length: levels }, (_, i) => form(`/A${i + 1} Do `.repeat(times), ''))
  return drawing('/A0 Do', `/XObject << ${names} >>`, [...forms, form('0 0 1 1 re f', '')])
}

const cell = (steps: string, content = '0 g 0 0 10 10 re f', resources = '', box = '0 0 10 10') =>
  stream(content, `/PatternType 1 /PaintType 1 /TilingType 1 /BBox [${box}] ${steps} /Resources << ${resources} >>`)

const tiled = (steps: string, times = 1): Buffer =>
  drawing(`q /Pattern cs /P scn ${'0 0 612 792 re f '.repeat(times)}Q`, '/Pattern << /P 10 0 R >>', [cell(steps)])

const nestedPatterns = (levels: number): Buffer =>
  drawing(
    'q /Pattern cs /P scn 0 0 612 792 re f Q',
    '/Pattern << /P 10 0 R >>',
    Array.from({ length: levels }, (_, i) =>
      i === levels - 1
        ? cell('/XStep 100 /YStep 100')
        : cell(
            '/XStep 100 /YStep 100',
            '/Pattern cs /P scn 0 0 612 792 re f',
            `/Pattern << /P ${11 + i} 0 R >>`,
            '0 0 612 792',
          ),
    ),
  )

const nestedMasks = (levels: number, times: number): Buffer =>
  drawing(
    'q /G gs 0 0 612 792 re f Q',
    '/ExtGState << /G << /SMask << /S /Luminosity /G 10 0 R >> >> >>',
    Array.from({ length: levels }, (_, i) =>
      form(
        '/G gs 0 0 612 792 re f '.repeat(times),
        `/Group << /S /Transparency /CS /DeviceRGB >> /Resources << /ExtGState << /G << /SMask << /S /Luminosity /G ${11 + Math.min(i, levels - 2)} 0 R >> >> >> >>`,
      ),
    ),
  )

const inForms = (levels: number): Buffer =>
  drawing(
    '/A Do',
    '/XObject << /A 10 0 R >>',
    Array.from({ length: levels }, (_, i) =>
      i === levels - 1 ? form('0 0 1 1 re f') : form('/A Do', `/Resources << /XObject << /A ${11 + i} 0 R >> >>`),
    ),
  )

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const GRAY = '/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode'

const picture = (width: number, height: number, data: Uint8Array, entries: string, times = 1): Buffer =>
  drawing('q 400 0 0 400 100 100 cm /I Do Q '.repeat(times), '/XObject << /I 10 0 R >>', [
    stream(latin1(data), `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${entries}`),
  ])

const blank = (bytes: number) => deflateSync(Buffer.alloc(bytes))

/** A JBIG2 page of this size, which its dictionary does not tell. */
function jbig2(side: number): Buffer {
  const segment = Buffer.alloc(30)
  segment[4] = 48
  segment[6] = 1
  segment.writeUInt32BE(19, 7)
  segment.writeUInt32BE(side, 11)
  segment.writeUInt32BE(side, 15)
  return segment
}

/** The frame header of a JPEG of this size. */
const jpeg = (side: number): Buffer =>
  Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xc0,
    0,
    11,
    8,
    side >> 8,
    side & 255,
    side >> 8,
    side & 255,
    1,
    1,
    0x11,
    0,
    0xff,
    0xd9,
  ])

/** A font whose letter is drawn by this content. */
const drawnFont = (letter: number, resources: string) =>
  `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << /a ${letter} 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1000] /Resources << ${resources} >> >>`

/** The order, and below it a text in the font. */
const inFont = (font: Bodies, shown: string): Buffer =>
  writtenPdf({
    ...order(),
    3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 4 0 R /T 10 0 R >> >> >>',
    5: stream(`${text('Morphine 5 mg')} BT /T 20 Tf 100 300 Td (${shown}) Tj ET`),
    ...font,
  }).pdf

const lettersOfForms = (times: number): Buffer =>
  inFont({ 10: drawnFont(11, ''), 11: stream(`1000 0 d0 ${'0 0 9 9 re f '.repeat(times)}`) }, 'a'.repeat(times))

const lettersOfLetters = (): Buffer =>
  inFont(
    {
      10: drawnFont(11, '/Font << /U 12 0 R >>'),
      11: stream('1000 0 d0 BT /U 1000 Tf (a) Tj ET'),
      12: drawnFont(13, ''),
      13: stream('1000 0 d0 0 0 500 500 re f'),
    },
    'a',
  )

const sized = (media: string, page = ''): Buffer =>
  writtenPdf({
    ...order(),
    3: `<< /Type /Page /Parent 2 0 R /MediaBox ${media} /Resources << ${FONTS} >> /Contents 5 0 R ${page} >>`,
  }).pdf

const OFTEN = 'draws its parts too often'
const TILES = 'has a pattern that would repeat more than 200000 times on it'
const SIDE = 'has a picture of more than 32767 pixels in width or height'
const PIXELS = 'has pictures or shadings of more than 250 million pixels in all'
const SIZE = 'is not between 1 and 14400 points wide and high'

/** Told by counting, without drawing: how to make each, and what is wrong with its page. */
export const countedPages: Readonly<Record<string, [make: () => Buffer, problem: string]>> = {
  'a million forms that borrow from the page': [() => borrowing(6, 10), OFTEN],
  'a billion forms that borrow from the page': [() => borrowing(9, 10), OFTEN],
  'soft masks in soft masks': [() => nestedMasks(9, 6), OFTEN],
  'letters that are drawings, very often': [() => lettersOfForms(3_000), OFTEN],
  'a pattern without a step': [() => tiled('/XStep 0 /YStep 0'), TILES],
  'a pattern with one step of nothing': [() => tiled('/XStep 0 /YStep 10'), TILES],
  'a pattern whose steps are missing': [() => tiled(''), TILES],
  'a pattern with tiny steps': [() => tiled('/XStep 0.0001 /YStep 0.0001'), TILES],
  'a pattern with small steps backwards': [() => tiled('/XStep -1 /YStep -1'), TILES],
  'patterns in patterns': [() => nestedPatterns(6), TILES],
  'forms in forms, sixty deep': [() => inForms(60), 'draws parts inside each other too deeply'],
  'a picture of 60,000 × 60,000': [() => picture(60_000, 60_000, blank(1e6), GRAY), SIDE],
  'a JBIG2 picture that is larger than it says': [
    () => picture(100, 100, jbig2(60_000), '/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode'),
    SIDE,
  ],
  'a JPEG that is larger than it says': [
    () => picture(100, 100, jpeg(60_000), '/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode'),
    SIDE,
  ],
  'a picture in the text of 60,000 × 60,000': [
    () => drawing(`q 9 0 0 9 9 9 cm BI /W 60000 /H 60000 /CS /G /BPC 8 /F /Fl ID ${latin1(blank(1e5))}\nEI Q`),
    SIDE,
  ],
  'a picture of 900 million pixels': [() => picture(30_000, 30_000, blank(1e6), GRAY), PIXELS],
  'one picture, five hundred times': [() => picture(3_000, 3_000, blank(9e6), GRAY, 500), PIXELS],
  'thousands of groups as large as the page': [
    () =>
      drawing('/A Do '.repeat(5_000), '/XObject << /A 10 0 R >>', [
        form('0 0 1 1 re f', '/Group << /S /Transparency >> /Resources << >>'),
      ]),
    PIXELS,
  ],
  'a page of three miles': [() => sized('[0 0 14400000 14400000]'), SIZE],
  'a page whose unit is a mile': [() => sized('[0 0 612 792]', '/UserUnit 100000000'), SIZE],
  'a page whose unit is nothing': [() => sized('[0 0 612 792]', '/UserUnit 0.0000001'), SIZE],
}

/** Found out where signing is rehearsed: what is wrong with each. */
export const unsignablePages: Readonly<Record<string, [make: () => Buffer, problem: RegExp]>> = {
  'a shading that is calculated at a billion places': [
    () =>
      drawing(
        '/S sh',
        '/Shading << /S << /ShadingType 1 /ColorSpace /DeviceRGB /Domain [0 100000 0 100000] /Matrix [0.01 0 0 0.01 0 0] /Function 10 0 R >> >>',
        [
          stream(
            `{ ${'sin cos sin '.repeat(800)} dup }`,
            '/FunctionType 4 /Domain [0 100000 0 100000] /Range [0 1 0 1 0 1]',
          ),
        ],
      ),
    /^cannot be signed: it has drawing operators that only some viewers know/,
  ],
  'a page whose box holds a text': [
    () => sized('[0 0 (612) 792]'),
    /^cannot be signed: it has pages whose size viewers take differently/,
  ],
  'a pattern that is missing': [
    () => drawing('q /Pattern cs /P scn 100 100 100 100 re f Q'),
    /^cannot be signed: it has color spaces that viewers convert differently/,
  ],
  'letters that are drawn by letters': [lettersOfLetters, /^cannot be signed: it has letters that are drawings/],
  'resources that are no dictionary': [() => drawing('', '/XObject [1 2]'), /^cannot be signed: /],
}
