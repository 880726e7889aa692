/**
 * Where every object of a PDF lies, by its own word: from `startxref` at the end through all sections. Repairs nothing; a
 * file that needs repair is a problem, because each reader repairs it in a way of its own.
 */
import { type Place, readSection, type Section } from './cross-reference-section.ts'
import { isWhiteSpace, skipWhiteSpace, wholeNumberAt, wordAt } from './lexer.ts'
import { countOf, type Dictionary, entryOf, SyntaxProblem } from './value.ts'

export type { Place, Section } from './cross-reference-section.ts'

export interface CrossReference {
  places: ReadonlyMap<number, Place>
  /** The trailer of the newest section. */
  trailer: Dictionary
  /** The newest first. */
  sections: readonly Section[]
  startxref: number
  /** Where the number after the last `startxref` ends. */
  end: number
  /** Whether the file has the form to the byte: otherwise some readers do not trust it, and look for the objects themselves. */
  isExact: boolean
}

export type CrossReferenceRead = { ok: true; crossReference: CrossReference } | { ok: false; problem: string }

/** Readers look for `startxref` in the last kilobyte. */
const TAIL = 1024
const END_MARK = Buffer.from('%%EOF')
/** A document that was saved this often is no order. */
const MAX_SECTIONS = 1000
const MAX_EXPANDED = 32 * 1024 * 1024

/** @param pdf from its header on: see `headerOffset`. */
export function readCrossReference(pdf: Buffer): CrossReferenceRead {
  try {
    return { ok: true, crossReference: follow(pdf) }
  } catch (error) {
    if (error instanceof SyntaxProblem) return { ok: false, problem: error.message }
    throw error
  }
}

function follow(pdf: Buffer): CrossReference {
  // Some transports fill up the last block.
  const length = trimmedLength(pdf)
  const tail = Math.max(0, length - TAIL)
  const word = pdf.subarray(tail, length).lastIndexOf('startxref', undefined, 'latin1')
  const after = word < 0 ? null : wordAt(pdf, tail + word, 'startxref')
  const stated = after === null ? null : wholeNumberAt(pdf, skipWhiteSpace(pdf, after))
  if (!stated) throw new SyntaxProblem('no startxref at its end')
  const sections: Section[] = []
  const places = new Map<number, Place>()
  const seen = new Set<number>()
  let next: number | null = stated.value
  while (next !== null) {
    const section: Section = sectionAt(pdf, next, seen)
    sections.push(section)
    const hidden = hiddenSection(pdf, section, seen)
    for (const [number, place] of [...section.places, ...(hidden?.places ?? [])]) {
      if (!places.has(number)) places.set(number, place)
    }
    if (hidden) sections.push(hidden)
    next = offsetIn(section.trailer, 'Prev')
  }
  const mark = skipWhiteSpace(pdf, stated.end)
  const isEnded = pdf.subarray(mark, mark + 5).equals(END_MARK) && pdf.length - mark < TAIL / 2
  const isExact = isEnded && sections.every((section) => section.isExact)
  return { places, trailer: sections[0]!.trailer, sections, startxref: stated.value, end: stated.end, isExact }
}

function trimmedLength(pdf: Buffer): number {
  let length = pdf.length
  while (length > 0 && isWhiteSpace(pdf[length - 1])) length--
  return length
}

function sectionAt(pdf: Buffer, offset: number, seen: Set<number>): Section {
  if (offset >= pdf.length) throw new SyntaxProblem('a cross-reference that leads out of the file')
  if (seen.has(offset) || seen.size >= MAX_SECTIONS) throw new SyntaxProblem('cross-references that lead in a circle')
  seen.add(offset)
  return readSection(pdf, offset, MAX_EXPANDED)
}

/**
 * The stream alongside a table, as Word writes it: for objects that readers of 2001 need not know. Accepted where it says
 * nothing about an object that the table speaks of, because readers differ in which of the two they ask first.
 */
function hiddenSection(pdf: Buffer, section: Section, seen: Set<number>): Section | null {
  const offset = section.isStream ? null : offsetIn(section.trailer, 'XRefStm')
  if (offset === null) return null
  const hidden = sectionAt(pdf, offset, seen)
  const isContradiction = [...hidden.places.keys()].some((number) => section.places.has(number))
  if (!hidden.isStream || isContradiction) throw new SyntaxProblem('two cross-references that contradict each other')
  return hidden
}

function offsetIn(trailer: Dictionary, key: 'Prev' | 'XRefStm'): number | null {
  const value = entryOf(trailer, key)
  if (value === undefined) return null
  const offset = countOf(value)
  if (offset === null) throw new SyntaxProblem('a trailer that is not written as it should')
  // The header is there: every reader takes it for none.
  return key === 'Prev' && offset === 0 ? null : offset
}
