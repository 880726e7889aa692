/** How many pixels a picture has: by its dictionary, and by its own data, which viewers believe more. Decodes nothing. */
import { PDFName, PDFNumber, PDFRawStream, type PDFStream } from 'pdf-lib'

export interface ImageSize {
  width: number
  height: number
}

/** Returns the larger of what is stated in each place. */
export function imageSize(image: PDFStream): ImageSize {
  const stated = (key: string): number => {
    const value = image.dict.lookup(PDFName.of(key))
    return value instanceof PDFNumber ? value.asNumber() : 0
  }
  const coded = image instanceof PDFRawStream ? codedSize(image) : null
  return {
    width: Math.max(stated('Width'), stated('W'), coded?.width ?? 0),
    height: Math.max(stated('Height'), stated('H'), coded?.height ?? 0),
  }
}

/** Sizes of the pictures that are in the content itself. */
export function inlineImageSizes(content: Buffer): ImageSize[] {
  if (!content.includes('BI', 0, 'latin1')) return []
  const heads = content.toString('latin1').matchAll(/\bBI\b([\s\S]{0,2000}?)\bID\b/g)
  return [...heads].map(([, head]) => ({ width: sideIn(head!, WIDTH), height: sideIn(head!, HEIGHT) }))
}

const WIDTH = /\/W(?:idth)?\s+\+?(\d+)/
const HEIGHT = /\/H(?:eight)?\s+\+?(\d+)/
const sideIn = (head: string, side: RegExp): number => Number(side.exec(head)?.[1] ?? 0)

/** The frame header of a JPEG, or the size in a JPEG 2000 or JBIG2; null for all else. */
function codedSize(image: PDFRawStream): ImageSize | null {
  const filter = String(image.dict.lookup(PDFName.of('Filter')) ?? '')
  const { buffer, byteOffset, byteLength } = image.getContents()
  const data = Buffer.from(buffer, byteOffset, byteLength)
  if (/DCT/.test(filter)) return sizeOfJpeg(data)
  if (/JPX/.test(filter)) return sizeOfJpeg2000(data)
  return /JBIG2/.test(filter) ? sizeOfJbig2(data) : null
}

function sizeOfJpeg(data: Buffer): ImageSize | null {
  let at = 2
  while (at + 9 <= data.length) {
    const marker = data[at + 1]!
    if (data[at] !== 0xff || marker === 0xff) at++
    else if (FRAMES.has(marker)) return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) }
    else at += 2 + Math.max(2, data.readUInt16BE(at + 2))
  }
  return null
}

const FRAMES = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])

/** The start of the code stream, and the first segment in it. */
const SIZE_SEGMENT = Buffer.from([0xff, 0x4f, 0xff, 0x51])

function sizeOfJpeg2000(data: Buffer): ImageSize | null {
  const at = data.indexOf(SIZE_SEGMENT)
  if (at < 0 || at + 16 > data.length) return null
  return { width: data.readUInt32BE(at + 8), height: data.readUInt32BE(at + 12) }
}

/** The largest of its page and regions. Segments come one after the other, each with its length (ISO/IEC 14492, 7.2). */
function sizeOfJbig2(data: Buffer): ImageSize {
  const size = { width: 0, height: 0 }
  for (let at = 0; at + SHORTEST_SEGMENT <= data.length; ) {
    const [number, flags, references] = [data.readUInt32BE(at), data[at + 4]!, data[at + 5]! >> 5]
    // More than four references take another form, which pictures of pages have no need of.
    const bytesOfReference = number <= 256 ? 1 : number <= 65536 ? 2 : 4
    const start = at + 6 + references * bytesOfReference + (flags & HAS_LONG_PAGE ? 4 : 1)
    if (references > 4 || start + 12 > data.length) break
    const type = flags & 63
    if (type === PAGE || (type >= FIRST_REGION && type <= LAST_REGION && type !== PATTERNS)) {
      const [width, height] = [data.readUInt32BE(start + 4), data.readUInt32BE(start + 8)]
      size.width = Math.max(size.width, width)
      size.height = Math.max(size.height, height === UNKNOWN ? 0 : height)
    }
    at = start + 4 + data.readUInt32BE(start)
  }
  return size
}

const SHORTEST_SEGMENT = 11
const HAS_LONG_PAGE = 0x40
const FIRST_REGION = 4
const LAST_REGION = 43
const PATTERNS = 16
const PAGE = 48
const UNKNOWN = 0xffffffff
