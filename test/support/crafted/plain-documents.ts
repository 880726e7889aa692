/** Random documents that lie within the grammar of plain documents, from fonts of ordinary producers to frames of pages. */
import { deflateSync } from 'node:zlib'
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFObjectCopier,
  PDFRawStream,
  type PDFRef,
  PDFString,
} from 'pdf-lib'
import { textBytes } from '../../../lib/pdf/file/text-bytes.ts'
import type { Value } from '../../../lib/pdf/file/value.ts'
import { unpackedContent } from '../../../lib/pdf/plain/content.ts'
import { plainProblem } from '../../../lib/pdf/plain/plain-problem.ts'
import { readOperators } from '../../../lib/pdf/plain/read-operators.ts'
import { encodeJpeg } from '../../../server/pdf/draw/jpeg.ts'
import { fixture } from '../fixtures.ts'
import { type Random, randomFrom } from '../random.ts'
import { fax } from './fax.ts'
import { type Area, type Names, plainOperations, type UsableFont, writtenContent } from './plain-content.ts'

const WORDS = ['Morphine 5 mg', 'every 4 hours', '500', 'IV', '0.5 ml (2 %)', 'Warfarin 2.5 mg daily', 'Hart, Nora']
const STANDARD = ['Helvetica', 'Helvetica-Bold', 'Times-Roman', 'Times-Italic', 'Courier', 'Courier-BoldOblique']
const DONORS = [
  'chromium.pdf',
  'lo_html.pdf',
  'latex_t1.pdf',
  'chromium__gs.pdf',
  'lo_html__cairo.pdf',
  'latex_t1__mu.pdf',
].map((name) => `pdf/producers/${name}`)

/** A document of another producer, and the texts that it shows in each of its fonts. */
interface Donor {
  doc: PDFDocument
  fonts: { font: PDFDict; texts: string[] }[]
}
const donors = new Map<string, Promise<Donor>>()

async function openDonor(name: string): Promise<Donor> {
  const doc = await PDFDocument.load(fixture(name))
  const texts = new Map<PDFDict, Set<string>>()
  for (const { node } of doc.getPages()) {
    const contents = node.Contents()
    const streams =
      contents instanceof PDFArray ? contents.asArray().map((item) => doc.context.lookup(item)) : [contents]
    const content = Buffer.concat(streams.flatMap((one) => (one instanceof PDFRawStream ? [unpackedContent(one)] : [])))
    const fonts = node.Resources()?.lookup(PDFName.of('Font'))
    if (!(fonts instanceof PDFDict)) continue
    let shown: Set<string> | undefined
    const show = (value: Value) => {
      if (value.kind === 'array') for (const item of value.items) show(item)
      if (value.kind === 'text') shown?.add(`<${textBytes(content, value).toString('hex')}>`)
    }
    readOperators(content, ({ name: operator, values }) => {
      const [value] = values
      if (operator === 'Tf' && value?.kind === 'name') {
        const font = fonts.lookup(PDFName.of(value.name))
        if (!(font instanceof PDFDict)) return
        shown = texts.get(font) ?? new Set()
        texts.set(font, shown)
      } else if (value && /^T[jJ]$/.test(operator)) show(value)
    })
  }
  return {
    doc,
    fonts: [...texts].map(([font, some]) => ({ font, texts: [...some].filter((text) => text.length > 4) })),
  }
}

/**
 * Returns a document that is plain. Some pages have shapes that are too thin for the grammar; another page is made then.
 * @param pageCount each page is as random as a document of one page
 */
export async function plainDocument(random: Random, pageCount = random.isSo(0.1) ? 2 : 1): Promise<Uint8Array> {
  const isSigned = random.isSo(0.1)
  const doc = await newDocument()
  while (doc.getPageCount() < pageCount) {
    const seed = random.below(2 ** 30)
    const alone = await newDocument()
    await addRandomPage(alone, randomFrom(seed), isSigned)
    if (plainProblem(alone) === null) await addRandomPage(doc, randomFrom(seed), isSigned)
  }
  return doc.save({ useObjectStreams: random.isSo(), addDefaultPage: false })
}

const newDocument = () => PDFDocument.create({ updateMetadata: false })

async function addRandomPage(doc: PDFDocument, random: Random, isSigned: boolean): Promise<void> {
  const { context } = doc
  const area = { width: random.pick([612, 595.276, 300, 842]), height: random.pick([792, 841.89, 400]) }
  const page = doc.addPage([area.width, area.height])
  setFrame(page.node, random, area)
  const names = await addResources(context, page.node, random, 0)
  const operations = plainOperations(random, names, area, 2 + random.below(12))
  page.node.set(PDFName.of('Contents'), contents(context, random, operations))
  // A link would lose its border, and the signature with it.
  if (isSigned) await addSignature(doc, page.node, random)
  else if (random.isSo(0.15)) page.node.set(PDFName.of('Annots'), context.obj([link(context, random)]))
  if (random.isSo(0.1)) page.node.set(PDFName.of('Group'), group(context, random))
}

/** A signature of another, which stays as it is. */
async function addSignature({ catalog, context }: PDFDocument, node: PDFDict, random: Random): Promise<void> {
  const rect = random.pick([
    [60, 100, 260, 160],
    [100, 200, 160, 290],
  ])
  const signature = context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      FT: 'Sig',
      T: PDFString.of(`Signature ${context.largestObjectNumber}`),
      F: random.pick([4, 132]),
      Rect: rect,
      V: context.obj({ Type: 'Sig', Filter: 'Adobe.PPKLite', Name: PDFString.of('Another') }),
      ...(random.isSo(0.8) && { AP: context.obj({ N: await aForm(context, random, 2) }) }),
    }),
  )
  node.set(PDFName.of('Annots'), context.obj([signature]))
  const form = catalog.lookupMaybe(PDFName.of('AcroForm'), PDFDict)
  if (form) form.lookup(PDFName.of('Fields'), PDFArray).push(signature)
  else catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [signature], SigFlags: 1 }))
}

function setFrame(node: PDFDict, random: Random, { width, height }: Area): void {
  const { context } = node
  const [x, y] = random.isSo(0.2) ? [random.pick([-50, 20, 100.5]), random.pick([-30, 72])] : [0, 0]
  if (random.isSo(0.2)) node.set(PDFName.of('MediaBox'), context.obj([x, y, x + width, y + height]))
  if (random.isSo(0.2)) node.set(PDFName.of('CropBox'), context.obj([30, 40.5, width - 30, height - 50]))
  if (random.isSo(0.3)) node.set(PDFName.of('Rotate'), context.obj(random.pick([0, 90, 180, 270, -90])))
  if (random.isSo(0.05)) node.set(PDFName.of('UserUnit'), context.obj(1))
}

function contents(context: PDFContext, random: Random, operations: readonly string[]): PDFRef | PDFArray {
  const parts = random.isSo(0.7) ? 1 : 1 + random.below(4)
  const size = Math.ceil(operations.length / parts)
  const streams = Array.from({ length: parts }, (_, i) =>
    stream(context, random, writtenContent(random, operations.slice(i * size, (i + 1) * size)), {}),
  )
  return parts === 1 ? streams[0]! : context.obj(streams)
}

interface Entries {
  [key: string]: Entry
}
type Entry = string | number | boolean | PDFObject | Entry[] | Entries

/** A stream in one of the filters that a plain document may have. */
function stream(context: PDFContext, random: Random, content: string | Uint8Array, entries: Entries): PDFRef {
  let data: Uint8Array = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
  const filters: string[] = []
  if (random.isSo(0.7)) {
    data = deflateSync(data, { level: random.pick([0, 1, 9]) })
    filters.unshift('FlateDecode')
  }
  if (random.isSo(0.3)) {
    const isHex = random.isSo(0.3)
    data = Buffer.from(isHex ? hex(data) : ascii85(data), 'latin1')
    filters.unshift(isHex ? 'ASCIIHexDecode' : 'ASCII85Decode')
  }
  const filter = filters.length === 0 ? {} : { Filter: filters.length === 1 ? filters[0]! : filters }
  return context.register(PDFRawStream.of(context.obj({ ...entries, ...filter }) as PDFDict, data))
}

const hex = (data: Uint8Array) =>
  `${Buffer.from(data)
    .toString('hex')
    .replace(/(.{64})/g, '$1\n')}>`

function ascii85(data: Uint8Array): string {
  let text = ''
  for (let at = 0; at < data.length; at += 4) {
    const group = Buffer.alloc(4)
    const count = Math.min(4, data.length - at)
    group.set(data.subarray(at, at + count))
    let value = group.readUInt32BE()
    const digits = Array.from({ length: 5 }, () => {
      const digit = value % 85
      value = Math.floor(value / 85)
      return String.fromCharCode(33 + digit)
    }).reverse()
    text += value === 0 && count === 4 && group.readUInt32BE() === 0 ? 'z' : digits.slice(0, count + 1).join('')
    if (at % 60 === 56) text += '\n'
  }
  return `${text}~>`
}

async function addResources(context: PDFContext, owner: PDFDict, random: Random, depth: number): Promise<Names> {
  const named = <T>(letter: string, many: number, make: (i: number) => T): [string, T][] =>
    Array.from({ length: many }, (_, i) => [`${letter}${i}`, make(i)])
  const fonts: [UsableFont, PDFRef][] = []
  for (let i = 1 + random.below(3); i > 0; i--) fonts.push(await aFont(context, random, `F${i}`))
  const pictures = named('I', random.below(3), () => aPicture(context, random))
  const forms: [string, PDFRef][] = []
  if (depth < 3)
    for (let i = random.below(2 - Math.min(1, depth)); i >= 0; i--)
      forms.push([`X ${i}`, await aForm(context, random, depth)])
  const states = named('G', random.below(3), () => aState(context, random))
  const spaces = [
    ...(random.isSo(0.3) ? [['C0', aSpace(context, random)] as const] : []),
    ...(random.isSo(0.3) ? [['Black', blackInk(context, random)] as const] : []),
  ]
  const properties = named('P', random.below(2), () => context.obj({ MCID: 3 }))
  owner.set(
    PDFName.of('Resources'),
    context.obj({
      Font: Object.fromEntries(fonts.map(([{ name }, font]) => [name, font])),
      XObject: Object.fromEntries([...pictures, ...forms]),
      ExtGState: Object.fromEntries(states),
      ColorSpace: Object.fromEntries(spaces),
      Properties: Object.fromEntries(properties),
      ProcSet: ['PDF', 'Text'],
    }),
  )
  const keysOf = (some: readonly (readonly [string, unknown])[]) => some.map(([name]) => name)
  return {
    fonts: fonts.map(([font]) => font),
    pictures: keysOf(pictures),
    forms: keysOf(forms),
    states: keysOf(states),
    spaces: keysOf(spaces).map((name) => [name, 1] as const),
    properties: keysOf(properties),
  }
}

async function aFont(context: PDFContext, random: Random, name: string): Promise<[UsableFont, PDFRef]> {
  if (random.isSo(0.5)) {
    const base = random.pick([...STANDARD, ...STANDARD, 'ZapfDingbats'])
    const encoding = base === 'ZapfDingbats' ? {} : random.pick([{}, { Encoding: 'WinAnsiEncoding' }, differences()])
    const font = context.register(context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: base, ...encoding }))
    return [{ name, texts: base === 'ZapfDingbats' ? ['4', '44'] : WORDS, isSimple: true }, font]
  }
  const donorName = random.pick(DONORS)
  const donor = donors.get(donorName) ?? openDonor(donorName)
  donors.set(donorName, donor)
  const { doc, fonts } = await donor
  const { font, texts } = random.pick(fonts.filter((one) => one.texts.length > 0))
  const copied = PDFObjectCopier.for(doc.context, context).copy(font)
  return [{ name, texts, isSimple: false }, context.register(copied)]
}

/** The same letters under their names. */
const differences = () => ({
  Encoding: { Type: 'Encoding', BaseEncoding: 'WinAnsiEncoding', Differences: [65, 'A', 'B', 53, 'five'] },
})

function aState(context: PDFContext, random: Random): PDFDict {
  const share = () => random.pick([0, 0.02, 0.3, 0.5, 1, 1, 1])
  const all: Entries[] = [
    { CA: share(), ca: share() },
    { LW: random.pick([0, 0.5, 3]), LC: random.below(3), LJ: random.below(3), ML: random.pick([1, 10]) },
    { BM: random.pick(['Normal', 'Compatible']), SMask: 'None', AIS: false },
    { OP: random.isSo(), op: random.isSo(), OPM: random.below(2), SA: random.isSo(), TK: true },
    { FL: random.pick([0, 1]), SM: random.pick([0, 1]), RI: 'Saturation' },
    { TR: 'Identity', TR2: 'Default', BG2: 'Default', UCR2: 'Default', HT: 'Default' },
  ]
  const entries: Entries = Object.assign({ Type: 'ExtGState' }, ...random.some(all, 1 + random.below(3)))
  return context.obj(entries)
}

const group = (context: PDFContext, random: Random) =>
  context.obj({
    Type: 'Group',
    S: 'Transparency',
    ...(random.isSo() && { CS: 'DeviceRGB' }),
    ...(random.isSo() && { I: random.isSo() }),
    ...(random.isSo() && { K: false }),
  })

async function aForm(context: PDFContext, random: Random, depth: number): Promise<PDFRef> {
  const area = { width: 100 + random.below(300), height: 80 + random.below(200) }
  const dict = context.obj({
    Type: 'XObject',
    Subtype: 'Form',
    BBox: random.pick([
      [0, 0, area.width, area.height],
      [10, 20, area.width - 30, area.height],
      [0, area.height, area.width, 0],
    ]),
    ...(random.isSo(0.4) && {
      Matrix: random.pick([
        [1, 0, 0, 1, 30, 10],
        [0, 1, -1, 0, 200, 0],
        [0.5, 0, 0.2, 0.5, 0, 0],
      ]),
    }),
  }) as PDFDict
  if (random.isSo(0.4)) dict.set(PDFName.of('Group'), group(context, random))
  const names = await addResources(context, dict, random, depth + 1)
  const operations = plainOperations(random, names, area, 1 + random.below(5))
  const data = Buffer.from(writtenContent(random, operations), 'latin1')
  if (random.isSo()) return context.register(PDFRawStream.of(dict, data))
  dict.set(PDFName.of('Filter'), PDFName.of('FlateDecode'))
  return context.register(PDFRawStream.of(dict, deflateSync(data)))
}

/** A separation from white to black. */
function blackInk(context: PDFContext, random: Random): PDFArray {
  const [alternate, white, black] = random.pick([
    ['DeviceRGB', [1, 1, 1], [0, 0, 0]],
    ['DeviceGray', [1], [0]],
    ['DeviceCMYK', [0, 0, 0, 0], [0, 0, 0, 1]],
  ] as const)
  const tint = context.obj({ FunctionType: 2, Domain: [0, 1], N: 1, C0: [...white], C1: [...black] })
  return context.obj(['Separation', random.pick(['All', 'Black']), alternate, context.register(tint)])
}

/** Gray with the curve of a screen. */
function aSpace(context: PDFContext, random: Random): PDFArray {
  const profile = Buffer.alloc(156 + 2 * 256)
  profile.writeUInt32BE(profile.length, 0)
  profile.writeUInt32BE(0x02100000, 8)
  profile.write('mntrGRAYXYZ ', 12, 'latin1')
  profile.write('acsp', 36, 'latin1')
  const white = [0.9642, 1, 0.8249]
  for (const [i, part] of white.entries()) profile.writeInt32BE(Math.round(part * 65_536), 68 + 4 * i)
  profile.writeUInt32BE(1, 128)
  profile.write('kTRC', 132, 'latin1')
  profile.writeUInt32BE(144, 136)
  profile.writeUInt32BE(profile.length - 144, 140)
  profile.write('curv', 144, 'latin1')
  profile.writeUInt32BE(256, 152)
  for (let i = 0; i < 256; i++) profile.writeUInt16BE(Math.round((i / 255) ** 2.2 * 65_535), 156 + 2 * i)
  return context.obj(['ICCBased', stream(context, random, profile, { N: 1, Alternate: 'DeviceGray' })])
}

function aPicture(context: PDFContext, random: Random): PDFRef {
  const [width, height] = [1 + random.below(40), 1 + random.below(30)]
  const size = { Type: 'XObject', Subtype: 'Image', Width: width, Height: height }
  const common = { ...size, ...(random.isSo(0.3) && { Interpolate: random.isSo() }) }
  const soft = random.isSo(0.2) ? { SMask: aGray(context, random, 1 + random.below(20), 1 + random.below(20), {}) } : {}
  const noise = (count: number) =>
    Buffer.from(random.bytes(count).map((byte, i) => (random.isSo(0.3) ? byte : (i >> 4) * 17)))
  switch (random.below(8)) {
    case 7:
      return faxed(context, random, width, height)
    case 6:
      return darkened(context, random, width, height)
    case 0:
      return stream(context, random, noise(Math.ceil(width / 8) * height), {
        ...common,
        ImageMask: true,
        BitsPerComponent: 1,
        ...(random.isSo() && {
          Decode: random.pick([
            [0, 1],
            [1, 0],
          ]),
        }),
      })
    case 1: {
      const bits = random.pick([1, 2, 4, 8])
      const colors = 1 << Math.min(bits, 4)
      const row = Math.ceil((width * bits) / 8)
      const data = bits === 8 ? random.bytes(width * height).map((byte) => byte % colors) : random.bytes(row * height)
      const palette = context.register(context.stream(random.bytes(3 * colors)))
      return stream(context, random, data, {
        ...common,
        ...soft,
        ColorSpace: ['Indexed', 'DeviceRGB', colors - 1, palette],
        BitsPerComponent: bits,
        ...(random.isSo(0.3) && { Decode: [0, 2 ** bits - 1] }),
      })
    }
    case 2: {
      const channels = random.pick([1, 3] as const)
      const isText = random.isSo(0.3)
      const data = encodeJpeg({ width, height, channels, data: noise(width * height * channels) }, 90)
      const dict = context.obj({
        ...common,
        ...soft,
        ColorSpace: channels === 1 ? 'DeviceGray' : 'DeviceRGB',
        BitsPerComponent: 8,
        Filter: isText ? ['ASCII85Decode', 'DCTDecode'] : 'DCTDecode',
      })
      const written = isText ? Buffer.from(ascii85(data), 'latin1') : data
      return context.register(PDFRawStream.of(dict as PDFDict, written))
    }
    case 3: {
      const row = 3 * width
      const rows = Array.from({ length: height }, () => Buffer.concat([Buffer.from([random.below(5)]), noise(row)]))
      const dict = context.obj({
        ...common,
        ...soft,
        ColorSpace: 'DeviceRGB',
        BitsPerComponent: 8,
        Filter: 'FlateDecode',
        DecodeParms: { Predictor: 10 + random.below(6), Columns: width, Colors: 3 },
      })
      return context.register(PDFRawStream.of(dict as PDFDict, deflateSync(Buffer.concat(rows))))
    }
    case 4: {
      const bits = random.pick([1, 2, 4, 8])
      return stream(context, random, noise(Math.ceil((3 * width * bits) / 8) * height), {
        ...common,
        ...soft,
        ColorSpace: 'DeviceRGB',
        BitsPerComponent: bits,
      })
    }
    default:
      return aGray(context, random, width, height, { ...common, ...soft })
  }
}

/** Black and white, as a fax sends it. */
function faxed(context: PDFContext, random: Random, width: number, height: number): PDFRef {
  const rows: number[][] = []
  for (let y = 0; y < height; y++)
    rows.push(
      Array.from({ length: width }, (_, x) =>
        random.isSo(0.85) ? (rows[y - 1]?.[x] ?? (x >> 3) & 1) : random.below(2),
      ),
    )
  const isMask = random.isSo(0.3)
  const dict = context.obj({
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    BitsPerComponent: 1,
    Filter: 'CCITTFaxDecode',
    DecodeParms: {
      K: -1,
      Columns: width,
      ...(random.isSo() && { Rows: height }),
      ...(random.isSo() && { BlackIs1: random.isSo() }),
    },
    ...(isMask ? { ImageMask: true } : { ColorSpace: 'DeviceGray' }),
    ...(random.isSo(0.3) && { Decode: random.isSo() ? [0, 1] : [1, 0] }),
  })
  return context.register(PDFRawStream.of(dict as PDFDict, fax(rows, random)))
}

/** Mixed with black by its mask, as Word writes pictures. */
function darkened(context: PDFContext, random: Random, width: number, height: number): PDFRef {
  const opacities = random.bytes(width * height).map((byte) => (random.isSo(0.3) ? byte : 255))
  const levels = Buffer.alloc(3 * width * height)
  for (let i = 0; i < levels.length; i++)
    levels[i] = Math.floor((opacities[Math.floor(i / 3)]! * random.below(256)) / 255)
  const bytes = { Type: 'XObject', Subtype: 'Image', Width: width, Height: height, BitsPerComponent: 8 }
  const mask = stream(context, random, opacities, { ...bytes, ColorSpace: 'DeviceGray', Matte: [0, 0, 0] })
  return stream(context, random, levels, { ...bytes, ColorSpace: 'DeviceRGB', SMask: mask })
}

function aGray(context: PDFContext, random: Random, width: number, height: number, entries: Entries): PDFRef {
  const bits = random.pick([1, 2, 4, 8])
  const turned = random.isSo(0.3) ? { Decode: [1, 0] } : {}
  return stream(context, random, random.bytes(Math.ceil((width * bits) / 8) * height), {
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: 'DeviceGray',
    BitsPerComponent: bits,
    ...turned,
    ...entries,
  })
}

const link = (context: PDFContext, random: Random) =>
  context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Link',
      Rect: [100, 100, 250, 130],
      Border: random.pick([
        [0, 0, 0],
        [0, 0, 1],
      ]),
      Dest: ['0', 'Fit'],
    }),
  )
