/**
 * Turns the picture of a page into what is stored: letters and lines without loss in as few levels as they have, photographs and
 * scans as JPEG. What is stored is what the signer sees and what is sealed.
 */
import { deflateSync } from 'node:zlib'
import type { Picture } from '../compare/pictures.ts'
import { encodeJpeg } from './jpeg.ts'

export interface PageImage {
  width: number
  height: number
  /** Colors by number where there is a palette: red, green, and blue of each. */
  color: 'DeviceGray' | 'DeviceRGB' | { palette: Uint8Array }
  /** The bits of each pixel and channel. */
  bits: 1 | 4 | 8
  filter: 'FlateDecode' | 'DCTDecode'
  data: Uint8Array
}

/** A picture that takes more bytes for each pixel without loss is a photograph or a scan. A page full of text takes 0.03. */
const MOST_BYTES_FOR_PIXEL = 0.05
const JPEG_QUALITY = 90

export function pageImage(picture: Picture): PageImage {
  const { width, height } = picture
  const { isGray, palette } = colorsOf(picture)
  const image = isGray ? inGray(picture) : inColors(picture, palette)
  // An image of one bit was scanned in black and white; gray levels would only take space.
  if (image.bits === 1 || image.data.length <= MOST_BYTES_FOR_PIXEL * width * height) return image
  const data = encodeJpeg({ width, height, channels: isGray ? 1 : 3, data: channels(picture, isGray) }, JPEG_QUALITY)
  const color = isGray ? 'DeviceGray' : 'DeviceRGB'
  return data.length < 2 * image.data.length ? { width, height, color, bits: 8, filter: 'DCTDecode', data } : image
}

/** The most that the channels of a gray pixel may differ, of 255. */
const GRAY = 2
const MOST_COLORS = 256

/** The palette has each color in 32 levels of a channel; null where there are more than 256. */
function colorsOf(picture: Picture): { isGray: boolean; palette: ReadonlyMap<number, number> | null } {
  const pixels = pixelsOf(picture)
  let isGray = true
  let palette: Map<number, number> | null = new Map()
  let last: number | undefined
  // By index, because iterating over millions of pixels takes several times as long.
  for (let i = 0; i < pixels.length; i++) {
    const pixel = pixels[i]!
    // Most pixels are like their neighbor.
    if (pixel === last) continue
    last = pixel
    const [r, g, b] = [pixel & 0xff, (pixel >> 8) & 0xff, (pixel >> 16) & 0xff]
    isGray &&= Math.abs(r - g) <= GRAY && Math.abs(g - b) <= GRAY
    const color = inLevels(pixel)
    if (palette && !palette.has(color)) palette.set(color, palette.size)
    if (palette && palette.size > MOST_COLORS) palette = null
    if (!isGray && !palette) break
  }
  return { isGray, palette }
}

/** Five bits of each channel. */
const inLevels = (pixel: number): number =>
  ((pixel >> 3) & 0x1f) | (((pixel >> 11) & 0x1f) << 5) | (((pixel >> 19) & 0x1f) << 10)

/** Returns the channel of the color, from 0 to 255. */
const channelOf = (color: number, channel: number): number => Math.round((((color >> (5 * channel)) & 0x1f) * 255) / 31)

const pixelsOf = ({ data, width, height }: Picture): Uint32Array =>
  new Uint32Array(data.buffer, data.byteOffset, width * height)

/** Sixteen levels of gray, or two where there are no others. */
function inGray(picture: Picture): PageImage {
  const { width, height } = picture
  const pixels = pixelsOf(picture)
  const row = (width + 1) >> 1
  const packed = new Uint8Array(row * height).fill(0xff)
  let isBilevel = true
  for (let y = 0; y < height; y++) {
    const from = y * width
    for (let x = 0; x < width; x++) {
      const pixel = pixels[from + x]!
      // Most of a page is paper.
      if (pixel === WHITE) continue
      const level = LEVELS[(pixel >> 8) & 0xff]!
      if (level > 0 && level < 15) isBilevel = false
      packed[y * row + (x >> 1)]! &= x & 1 ? 0xf0 | level : (level << 4) | 0x0f
    }
  }
  const common = { width, height, color: 'DeviceGray', filter: 'FlateDecode' } as const
  if (isBilevel) return { ...common, bits: 1, data: deflateSync(bitsOf(packed, width, height)) }
  return { ...common, bits: 4, data: deflateSync(packed) }
}

const WHITE = 0xffffffff
/** The level of each brightness. */
const LEVELS = Uint8Array.from({ length: 256 }, (_, brightness) => Math.floor((brightness + 8) / 17))

/** @param levels two of four bits in each byte, all of them 0 or 15 */
function bitsOf(levels: Uint8Array, width: number, height: number): Uint8Array {
  const [from, to] = [(width + 1) >> 1, (width + 7) >> 3]
  const packed = new Uint8Array(to * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (levels[y * from + (x >> 1)]! & (x & 1 ? 0x0f : 0xf0)) packed[y * to + (x >> 3)]! |= 0x80 >> (x & 7)
    }
  }
  return packed
}

function inColors(picture: Picture, palette: ReadonlyMap<number, number> | null): PageImage {
  const { width, height } = picture
  const common = { width, height, bits: 8, filter: 'FlateDecode' } as const
  const pixels = pixelsOf(picture)
  if (palette) {
    const table = new Uint8Array(3 * MOST_COLORS)
    for (const [color, index] of palette) for (const c of [0, 1, 2]) table[3 * index + c] = channelOf(color, c)
    const data = deflateSync(Uint8Array.from(pixels, (pixel) => palette.get(inLevels(pixel))!))
    return { ...common, color: { palette: table }, data }
  }
  const samples = new Uint8Array(3 * pixels.length)
  for (let i = 0; i < pixels.length; i++) {
    const color = inLevels(pixels[i]!)
    for (let c = 0; c < 3; c++) samples[3 * i + c] = channelOf(color, c)
  }
  return { ...common, color: 'DeviceRGB', data: deflateSync(samples) }
}

function channels({ data, width, height }: Picture, isGray: boolean): Uint8Array {
  const count = isGray ? 1 : 3
  const samples = new Uint8Array(count * width * height)
  for (let i = 0; i < width * height; i++) {
    if (isGray) samples[i] = data[4 * i + 1]!
    else for (let c = 0; c < 3; c++) samples[3 * i + c] = data[4 * i + c]!
  }
  return samples
}
