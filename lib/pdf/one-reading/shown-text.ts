/** Follows the text state of page content as far as to know which codes of which fonts it shows. */
import { PDFDict, type PDFDocument, PDFName } from 'pdf-lib'
import { textBytes } from '../file/text-bytes.ts'
import { SyntaxProblem, type Value } from '../file/value.ts'
import { addCodes, type FontUse, type FontUses, fontNamed } from '../fonts/font-use.ts'
import type { Operands } from './operands.ts'

/** Text that is neither filled nor stroked: what a scanner recognized, below its picture. */
const INVISIBLE = 3

interface TextState {
  font: FontUse | null
  mode: number
}

export interface ShownText {
  /** Called with each operator. */
  operator(word: string, operands: Operands): void
}

/** @param uses where to keep what is found. */
export function shownText(resources: PDFDict | null, doc: PDFDocument, uses: FontUses): ShownText {
  let state: TextState = { font: null, mode: 0 }
  const kept: TextState[] = []

  const show = (value: Value, content: Buffer): void => {
    if (value.kind === 'array') for (const item of value.items) show(item, content)
    if (value.kind !== 'text' || state.mode === INVISIBLE || value.end - value.start <= 2) return
    if (!state.font) throw new SyntaxProblem('text without a font')
    addCodes(state.font, textBytes(content, value).toString('latin1'))
  }

  return {
    operator(word, { last, lastNumber }) {
      switch (word) {
        case 'q':
          kept.push(state)
          break
        case 'Q':
          state = kept.pop() ?? state
          break
        case 'Tr':
          state = {
            ...state,
            mode: lastNumber ? Number(lastNumber.content.toString('latin1', lastNumber.start, lastNumber.end)) : 0,
          }
          break
        case 'Tf':
          state = {
            ...state,
            font: last?.value.kind === 'name' ? fontNamed(last.value.name, resources, doc, uses) : null,
          }
          break
        case 'gs':
          if (last?.value.kind === 'name' && setsFont(last.value.name))
            throw new SyntaxProblem('a font that only some readers set')
          break
        case 'Tj':
        case 'TJ':
        case "'":
        case '"':
          if (last) show(last.value, last.content)
      }
    },
  }

  function setsFont(name: string): boolean {
    const states = doc.context.lookup(resources?.get(PDFName.of('ExtGState')))
    const found = states instanceof PDFDict ? states.lookup(PDFName.of(name)) : undefined
    return found instanceof PDFDict && found.has(PDFName.of('Font'))
  }
}
