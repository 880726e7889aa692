/** Writes pictures as PNG, without loss: gray in one byte a pixel, up to 256 colors by number, others in three bytes. */
import { crc32, deflateSync } from 'node:zlib'
import type { Picture } from '../compare/pictures.ts'

export interface Png {
  bytes: Uint8Array
  isGray: boolean
}

export function encodePng(picture: Picture): Png {
  const { width, height } = picture
  const pixels = new Uint32Array(picture.data.buffer, picture.data.byteOffset, width * height)
  const palette = paletteOf(pixels)
  const isGray = palette === 'gray'
  const [colorType, channels] = isGray ? [0, 1] : palette ? [3, 1] : [2, 3]
  const row = 1 + width * channels
  // The first byte of each row, 0, says that it is not filtered: flat paper and letters compress better so.
  const rows = new Uint8Array(row * height)
  for (let y = 0; y < height; y++) {
    const [from, to] = [y * width, y * row + 1]
    if (isGray) for (let x = 0; x < width; x++) rows[to + x] = pixels[from + x]!
    else if (palette) numberColors(rows.subarray(to, to + width), pixels.subarray(from, from + width), palette)
    else for (let x = 0; x < width; x++) setColor(rows, to + 3 * x, pixels[from + x]!)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colorType], 8)
  const bytes = Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...(palette instanceof Map ? [chunk('PLTE', tableOf(palette))] : []),
    chunk('IDAT', deflateSync(rows, { level: LEVEL })),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return { bytes, isGray }
}

function setColor(rows: Uint8Array, at: number, pixel: number): void {
  rows[at] = pixel
  rows[at + 1] = pixel >> 8
  rows[at + 2] = pixel >> 16
}

function numberColors(row: Uint8Array, pixels: Uint32Array, palette: ReadonlyMap<number, number>): void {
  let last: number | undefined
  let number = 0
  for (let x = 0; x < pixels.length; x++) {
    const color = pixels[x]! & COLOR
    if (color !== last) number = palette.get(color)!
    last = color
    row[x] = number
  }
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** A higher one takes longer and saves little on pages. */
const LEVEL = 4
const MOST_COLORS = 256
/** Without the opacity. */
const COLOR = 0xffffff

/** Returns `gray` where all pixels are, the colors with their numbers where there are few, and null otherwise. */
function paletteOf(pixels: Uint32Array): 'gray' | ReadonlyMap<number, number> | null {
  const palette = new Map<number, number>()
  let isGray = true
  let last: number | undefined
  // By index, because iterating over millions of pixels takes several times as long.
  for (let i = 0; i < pixels.length; i++) {
    const pixel = pixels[i]!
    // Most pixels are like their neighbor.
    if (pixel === last) continue
    last = pixel
    const color = pixel & COLOR
    isGray &&= (color & 0xff) === ((color >> 8) & 0xff) && (color & 0xff) === color >> 16
    if (palette.size <= MOST_COLORS && !palette.has(color)) palette.set(color, palette.size)
    if (!isGray && palette.size > MOST_COLORS) return null
  }
  return isGray ? 'gray' : palette
}

const tableOf = (palette: ReadonlyMap<number, number>): Buffer =>
  Buffer.from([...palette.keys()].flatMap((color) => [color & 0xff, (color >> 8) & 0xff, color >> 16]))

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
