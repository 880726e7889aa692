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

/** Sizes of the pictures that stand in the content itself. */
export function inlineImageSizes(content: Buffer): ImageSize[] {
  if (!content.includes('BI', 0, 'latin1')) return []
  const heads = content.toString('latin1').matchAll(/\bBI\b([\s\S]{0,2000}?)\bID\b/g)
  return [...heads].map(([, head]) => ({ width: sideIn(head!, WIDTH), height: sideIn(head!, HEIGHT) }))
}

const WIDTH = /\/W(?:idth)?\s+\+?(\d+)/
const HEIGHT = /\/H(?:eight)?\s+\+?(\d+)/
const sideIn = (head: string, side: RegExp): number => Number(side.exec(head)?.[1] ?? 0)

/** The frame header of a JPEG, or the size of a JPEG 2000; null for all else. */
function codedSize(image: PDFRawStream): ImageSize | null {
  const filter = String(image.dict.lookup(PDFName.of('Filter')) ?? '')
  const { buffer, byteOffset, byteLength } = image.getContents()
  const data = Buffer.from(buffer, byteOffset, byteLength)
  if (/DCT/.test(filter)) return sizeOfJpeg(data)
  return /JPX/.test(filter) ? sizeOfJpeg2000(data) : null
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
