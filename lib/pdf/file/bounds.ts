/** Which part of a file is the document: mail, print and web systems put something before its header and behind its end. */
import { readCrossReference } from './cross-reference.ts'
import { hasHeader } from './header.ts'
import { isWhiteSpace, skipWhiteSpace } from './lexer.ts'

export interface Bounds {
  start: number
  /** The end of the file where nothing but white space follows the document: some systems fill up the last block. */
  end: number
}

/** Returns the whole file where its beginning or its end cannot be determined. */
export function documentBounds(file: Buffer): Bounds {
  const start = hasHeader(file) ? file.indexOf('%PDF-', 0, 'latin1') : 0
  const read = readCrossReference(file.subarray(start))
  if (!read.ok) return { start, end: file.length }
  const stated = start + read.crossReference.end
  const mark = skipWhiteSpace(file, stated)
  const isMarked = file.subarray(mark, mark + END_MARK.length).equals(END_MARK)
  const last = isMarked ? mark + END_MARK.length : stated
  let rest = last
  while (rest < file.length && isWhiteSpace(file[rest])) rest++
  return { start, end: rest === file.length ? file.length : endOfLine(file, last) }
}

const END_MARK = Buffer.from('%%EOF')

function endOfLine(file: Buffer, from: number): number {
  const afterReturn = file[from] === 0x0d ? from + 1 : from
  return file[afterReturn] === 0x0a ? afterReturn + 1 : afterReturn
}
