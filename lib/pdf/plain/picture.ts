/** The pictures of a plain document: of a few kinds, with exactly as much data as they say. ISO 32000-1, 8.9. */
import { PDFArray, PDFBool, type PDFDict, PDFName, type PDFRawStream } from 'pdf-lib'
import type { Matrix } from '../matrix.ts'
import { type ColorSpace, pictureSpace } from './color-space.ts'
import { entry, keys, numberIn, numbersIn, onlyKeys, streamIn, wholeIn } from './entries.ts'
import { isWholeFax } from './fax-picture.ts'
import { plainJpeg } from './jpeg-picture.ts'
import { NotPlain } from './not-plain.ts'
import { filtersOf, parametersOf, unfiltered } from './stream.ts'

const KEYS =
  keys(`Type Subtype Width Height ColorSpace BitsPerComponent Filter DecodeParms Length Interpolate SMask Decode Name
  Intent Metadata StructParent ID ImageMask LastModified DL PieceInfo Matte`)
/** In pixels. */
const MOST_SIDE = 16_384
const MOST_BYTES = 64 * 1024 * 1024

const KIND = 'pictures of a kind that viewers draw differently'
const DATA = 'pictures with other data than they say'

/** Throws a `NotPlain` at what is outside of the grammar. */
export function checkPicture(picture: PDFRawStream): void {
  const { dict } = picture
  const mask = entry(dict, 'SMask')
  checkPixels(picture, false)
  const soft = streamIn(dict, 'SMask')
  if (mask === undefined) return
  if (!soft || isStencil(dict) || soft.dict.has(PDFName.of('SMask'))) throw new NotPlain(KIND)
  checkPixels(soft, true)
  if (soft.dict.has(PDFName.of('Matte')) && !isDarkened(picture, soft)) throw new NotPlain(KIND)
}

/**
 * Whether the colors were mixed with black by the mask, as Word writes them. Viewers mix others back differently, and a color that
 * is brighter than its mask allows cannot be mixed back.
 */
function isDarkened(picture: PDFRawStream, soft: PDFRawStream): boolean {
  const matte = soft.dict.lookup(PDFName.of('Matte'))
  const isBlack =
    matte instanceof PDFArray && numbersIn(soft.dict, 'Matte', matte.size())?.every((level) => level === 0)
  const isBytes = [picture, soft].every(
    (one) => wholeIn(one.dict, 'BitsPerComponent', 8, 8) && !parametersOf(one) && !filtersOf(one).includes('DCTDecode'),
  )
  const isSameSize = ['Width', 'Height'].every((key) => numberIn(picture.dict, key) === numberIn(soft.dict, key))
  if (!isBlack || !isBytes || !isSameSize) return false
  const { components, colors } = pictureSpace(entry(picture.dict, 'ColorSpace'))
  const [levels, opacities] = [unfiltered(picture, MOST_BYTES), unfiltered(soft, MOST_BYTES)]
  const isWithin = opacities.every((opacity, i) => {
    for (let n = 0; n < components; n++) if (levels[components * i + n]! > opacity) return false
    return true
  })
  return !colors && (matte as PDFArray).size() === components && isWithin
}

export const isStencil = (dict: PDFDict) => entry(dict, 'ImageMask') === PDFBool.True

function checkPixels(picture: PDFRawStream, isMask: boolean): void {
  const { dict } = picture
  onlyKeys(dict, KEYS, KIND)
  const [width, height] = [wholeIn(dict, 'Width', 1, MOST_SIDE), wholeIn(dict, 'Height', 1, MOST_SIDE)]
  const stencil = isStencil(dict)
  const bits = entry(dict, 'BitsPerComponent') === undefined && stencil ? 1 : wholeIn(dict, 'BitsPerComponent', 1, 8)
  if (!width || !height || !bits || ![1, 2, 4, 8].includes(bits)) throw new NotPlain(KIND)
  if (!isMask && dict.has(PDFName.of('Matte'))) throw new NotPlain(KIND)
  if (stencil && (bits !== 1 || isMask || dict.has(PDFName.of('ColorSpace')))) throw new NotPlain(KIND)
  const space: ColorSpace = stencil ? { components: 1 } : pictureSpace(entry(dict, 'ColorSpace'))
  if (space.components === 4 || (isMask && (space.components !== 1 || space.colors))) throw new NotPlain(KIND)
  const filters = filtersOf(picture)
  checkDecode(dict, space, bits, space.components === 1 && !space.colors && filters.at(-1) !== 'DCTDecode')
  const size = { width, height, bits, components: space.components }
  if (filters.at(-1) === 'DCTDecode') {
    if (bits !== 8 || space.colors) throw new NotPlain(KIND)
    onlyKeys(parametersOf(picture) ?? dict.context.obj({}), JPEG_NOTES, KIND)
    const found = plainJpeg(unfiltered(picture, MOST_BYTES, filters.slice(0, -1)))
    const isSame = found?.width === width && found.height === height && found.components === space.components
    if (!isSame) throw new NotPlain(DATA)
    return
  }
  if (filters.at(-1) === 'CCITTFaxDecode') {
    if (filters.length > 1 || bits !== 1 || space.components !== 1 || (space.colors ?? 2) < 2) throw new NotPlain(KIND)
    checkFaxParameters(picture, width, height)
    if (!isWholeFax(Buffer.from(picture.getContents()), width, height)) throw new NotPlain(DATA)
    return
  }
  const data = unfiltered(picture, MOST_BYTES)
  const row = Math.ceil((width * bits * space.components) / 8)
  const expected = height * (row + (predictedBy(picture, size) === 'png' ? 1 : 0))
  // A line end before the word `endstream` may count as data that was not compressed.
  const rest = filters.length === 0 ? data.length - expected : 0
  if ((data.length !== expected && rest !== 1 && rest !== 2) || !isWithinPalette(data, space, size, picture))
    throw new NotPlain(DATA)
}

/** With how little loss it was packed, which scanners note for those who pack it again. */
const JPEG_NOTES = keys('Quality')

/** Of the kind that has no marks between its rows. ISO 32000-1, table 11. */
function checkFaxParameters(picture: PDFRawStream, width: number, height: number): void {
  const parameters = parametersOf(picture)
  if (!parameters) throw new NotPlain(KIND)
  onlyKeys(parameters, FAX_PARAMETERS, KIND)
  const is = (key: string, value: PDFBool) => !parameters.has(PDFName.of(key)) || entry(parameters, key) === value
  const isEither = is('BlackIs1', PDFBool.True) || is('BlackIs1', PDFBool.False)
  const isUnmarked =
    is('EndOfLine', PDFBool.False) && is('EncodedByteAlign', PDFBool.False) && is('EndOfBlock', PDFBool.True)
  const isOfTwoDimensions = wholeIn(parameters, 'K', -1, -1) !== null
  const isSize =
    numberIn(parameters, 'Columns') === width &&
    (!parameters.has(PDFName.of('Rows')) || numberIn(parameters, 'Rows') === height)
  if (!isEither || !isUnmarked || !isOfTwoDimensions || !isSize) throw new NotPlain(KIND)
}

const FAX_PARAMETERS = keys('K Columns Rows BlackIs1 EndOfLine EncodedByteAlign EndOfBlock')

/** The usual order of levels, or that of grays the other way around. @param bits those of a level */
function checkDecode(dict: PDFDict, { components, colors }: ColorSpace, bits: number, mayTurn: boolean): void {
  if (!dict.has(PDFName.of('Decode'))) return
  const decode = numbersIn(dict, 'Decode', 2 * components)
  const most = colors ? 2 ** bits - 1 : 1
  const isUsual = decode?.every((number, i) => number === (i % 2) * most)
  const isTurned = mayTurn && decode?.[0] === 1 && decode[1] === 0
  if (!(isUsual || isTurned)) throw new NotPlain(KIND)
}

interface Size {
  width: number
  height: number
  bits: number
  components: number
}

/** Of the parameters of Flate. PNG prediction puts a byte before each row. */
function predictedBy(picture: PDFRawStream, { width, bits, components }: Size): 'png' | 'tiff' | null {
  const parameters = parametersOf(picture)
  if (!parameters) return null
  onlyKeys(parameters, PARAMETERS, KIND)
  const whole = (key: string, otherwise: number) =>
    parameters.has(PDFName.of(key)) ? wholeIn(parameters, key, 1, 65_536) : otherwise
  const predictor = whole('Predictor', 1)
  if (predictor === 1) return null
  const isAsStated =
    whole('Columns', 1) === width && whole('Colors', 1) === components && whole('BitsPerComponent', 8) === bits
  if (!isAsStated || predictor === null) throw new NotPlain(DATA)
  if (predictor === 2 && bits === 8) return 'tiff'
  if (predictor >= 10 && predictor <= 15) return 'png'
  throw new NotPlain(KIND)
}

const PARAMETERS = keys('Predictor Columns Colors BitsPerComponent')

/** Viewers take numbers beyond the palette for different colors. */
function isWithinPalette(data: Buffer, { colors }: ColorSpace, size: Size, picture: PDFRawStream): boolean {
  if (!colors || colors >= 1 << size.bits) return true
  return size.bits === 8 && predictedBy(picture, size) === null && data.every((index) => index < colors)
}

/** In points. Some viewers smooth larger pixels, others draw each as a rectangle. */
const LARGEST_PIXEL = 3

export function checkPixelSize(picture: PDFDict, [a, b, c, d]: Matrix): void {
  const mask = streamIn(picture, 'SMask')?.dict
  for (const dict of mask ? [picture, mask] : [picture]) {
    const sides = [
      [Math.hypot(a, b), numberIn(dict, 'Width') ?? 1],
      [Math.hypot(c, d), numberIn(dict, 'Height') ?? 1],
    ] as const
    if (sides.some(([length, pixels]) => pixels > 1 && length / pixels > LARGEST_PIXEL))
      throw new NotPlain('pictures with large pixels, which some viewers smooth')
  }
}
