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
    let at = y * row + 1
    for (let i = y * width; i < (y + 1) * width; i++) {
      const pixel = pixels[i]!
      if (isGray) rows[at++] = pixel & 0xff
      else if (palette) rows[at++] = palette.get(pixel & COLOR)!
      else {
        rows[at++] = pixel & 0xff
        rows[at++] = (pixel >> 8) & 0xff
        rows[at++] = (pixel >> 16) & 0xff
      }
    }
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
  for (const pixel of pixels) {
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
