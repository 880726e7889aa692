/** Unpacks the streams of a plain document, whose filters are few and whose data is whole. */
import { inflateSync } from 'node:zlib'
import { decodePDFRawStream, PDFArray, PDFDict, PDFName, PDFNull, type PDFObject, PDFRawStream } from 'pdf-lib'
import { NotPlain } from './not-plain.ts'

const UNPACKED = 'streams that viewers unpack differently'

/** The filters of a stream, without their parameters. */
export function filtersOf({ dict }: PDFRawStream): string[] {
  const value = dict.lookup(PDFName.of('Filter'))
  const items: (PDFObject | undefined)[] =
    value instanceof PDFArray ? Array.from({ length: value.size() }, (_, i) => value.lookup(i)) : value ? [value] : []
  return items.map((item) => {
    if (!(item instanceof PDFName)) throw new NotPlain(UNPACKED)
    return item.decodeText()
  })
}

/** The parameters of the last filter; null where there are none. */
export function parametersOf({ dict }: PDFRawStream): PDFDict | null {
  const value = dict.lookup(PDFName.of('DecodeParms'))
  if (value === undefined || value === PDFNull) return null
  const last = value instanceof PDFArray ? value.lookup(value.size() - 1) : value
  const others = value instanceof PDFArray ? value.asArray().slice(0, -1) : []
  if (!others.every((item) => dict.context.lookup(item) === PDFNull)) throw new NotPlain(UNPACKED)
  if (last === PDFNull || (last instanceof PDFDict && last.keys().length === 0)) return null
  if (!(last instanceof PDFDict)) throw new NotPlain(UNPACKED)
  return last
}

/**
 * Returns all that the stream holds. Throws a `NotPlain` where its filters are others than Flate, ASCII85 and ASCIIHex, or its data does
 * not end as it should, or is larger than `cap`.
 */
export function unpacked(stream: PDFRawStream, cap: number): Buffer {
  if (parametersOf(stream)) throw new NotPlain(UNPACKED)
  return unfiltered(stream, cap)
}

/** The same without a look at the parameters. @param filters those to undo, in their order */
export function unfiltered(stream: PDFRawStream, cap: number, filters = filtersOf(stream)): Buffer {
  let data: Uint8Array = stream.getContents()
  for (const filter of filters) {
    if (filter === 'FlateDecode' || filter === 'Fl') data = inflated(data, cap)
    else if (filter === 'ASCII85Decode' || filter === 'A85') data = fromAscii85(data, stream.dict)
    else if (filter === 'ASCIIHexDecode') data = fromHex(data)
    else throw new NotPlain(UNPACKED)
  }
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

/** Unlike viewers, refuses data that ends too early. */
function inflated(data: Uint8Array, cap: number): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: cap })
  } catch {
    throw new NotPlain(UNPACKED)
  }
}

const ASCII85 = /^(?:[!-uz\s])*~>\s*$/

function fromAscii85(data: Uint8Array, { context }: PDFDict): Uint8Array {
  if (!ASCII85.test(Buffer.from(data).toString('latin1'))) throw new NotPlain(UNPACKED)
  const dict = PDFDict.withContext(context)
  dict.set(PDFName.of('Filter'), PDFName.of('ASCII85Decode'))
  return decodePDFRawStream(PDFRawStream.of(dict, data)).decode()
}

const HEX = /^(?:[\dA-Fa-f]\s*[\dA-Fa-f]\s*)*>\s*$/

function fromHex(data: Uint8Array): Uint8Array {
  const text = Buffer.from(data).toString('latin1')
  if (!HEX.test(text)) throw new NotPlain(UNPACKED)
  return Buffer.from(text.replace(/[^\dA-Fa-f]/g, ''), 'hex')
}
