/** How much work a shading is for each pixel that it fills: those of type 1 compute a function for each. ISO 32000-1, 8.7.4.5.2. */
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream } from 'pdf-lib'
import { dataOfStream } from '../one-reading/contents.ts'

/** Returns how many pixels of a picture take as long as one of the shading. */
export function costOfPixel(shading: PDFObject | undefined): number {
  const dict = shading instanceof PDFRawStream ? shading.dict : shading
  if (!(dict instanceof PDFDict)) return 1
  const type = dict.lookup(PDFName.of('ShadingType'))
  const isComputed = type instanceof PDFNumber && type.asNumber() === 1
  return isComputed ? Math.max(1, bytesOf(dict.lookup(PDFName.of('Function'))) / BYTES_FOR_A_PIXEL) : 1
}

/** A calculator goes through so many bytes of its program in the time that a pixel takes. */
const BYTES_FOR_A_PIXEL = 32
const MOST_DEPTH = 4

/** Returns the length of the programs of functions. Those that look up samples have none. */
function bytesOf(functions: PDFObject | undefined, depth = 0): number {
  if (depth > MOST_DEPTH) return 0
  if (functions instanceof PDFArray)
    return functions.asArray().reduce((sum, _, i) => sum + bytesOf(functions.lookup(i), depth + 1), 0)
  if (functions instanceof PDFDict) return bytesOf(functions.lookup(PDFName.of('Functions')), depth + 1)
  if (!(functions instanceof PDFRawStream)) return 0
  const type = functions.dict.lookup(PDFName.of('FunctionType'))
  return type instanceof PDFNumber && type.asNumber() === 4 ? dataOfStream(functions).length : 0
}
