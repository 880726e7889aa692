/**
 * Whether the text that a font gives for its letters is the text that its encoding draws. Screen readers read the one, and others see
 * the other: a dose must not be a blank for some of them. ISO 32000-1, 9.10.3.
 */
import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib'
import { fold } from '../text/fold.ts'
import { dictIn, entry, numberIn, textOfName } from './entries.ts'
import { NotPlain } from './not-plain.ts'
import { unpacked } from './stream.ts'

const CONTRADICTION = 'a font whose text is another for screen readers'
const MOST_BYTES = 1024 * 1024

/** Throws a `NotPlain` for a simple font whose text contradicts its encoding. */
export function checkToUnicode(font: PDFDict): void {
  const map = entry(font, 'ToUnicode')
  if (map === undefined) return
  const letters = lettersOf(font)
  if (letters.size === 0) return
  // The name of a map means the codes themselves.
  const texts = map instanceof PDFRawStream ? textsOf(unpacked(map, MOST_BYTES).toString('latin1')) : null
  for (const [code, letter] of letters) {
    const text = texts ? texts.get(code) : String.fromCharCode(code)
    if (text !== undefined && fold(text) !== fold(letter)) throw new NotPlain(CONTRADICTION)
  }
}

/** The letters of ASCII that the encoding draws for certain codes, as far as it says so. ISO 32000-1, 9.6.6 and annex D. */
function lettersOf(font: PDFDict): Map<number, string> {
  const letters = new Map<number, string>()
  const encoding = entry(font, 'Encoding')
  const flags = numberIn(dictIn(font, 'FontDescriptor') ?? font, 'Flags') ?? 0
  // The codes of such a font are its own.
  if (textOfName(entry(font, 'Subtype')) === 'TrueType' && (flags & SYMBOLIC) !== 0) return letters
  const base =
    textOfName(encoding) ?? (encoding instanceof PDFDict ? textOfName(entry(encoding, 'BaseEncoding')) : null)
  if (BASES.has(base)) for (let code = 0x21; code < 0x7f; code++) letters.set(code, String.fromCharCode(code))
  const differences = encoding instanceof PDFDict ? entry(encoding, 'Differences') : undefined
  let code = 0
  for (let i = 0; differences instanceof PDFArray && i < differences.size(); i++) {
    const item = differences.lookup(i)
    if (item instanceof PDFNumber) code = item.asNumber()
    else if (item instanceof PDFName) {
      const letter = LETTERS.get(item.decodeText())
      if (letter === undefined) letters.delete(code)
      else letters.set(code, letter)
      code++
    }
  }
  return letters
}

const SYMBOLIC = 4
const BASES: ReadonlySet<string | null> = new Set(['WinAnsiEncoding', 'MacRomanEncoding', 'StandardEncoding'])
const LETTERS: ReadonlyMap<string, string> = new Map([
  ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].map((letter) => [letter, letter] as const),
  ...'zero one two three four five six seven eight nine'.split(' ').map((name, i) => [name, `${i}`] as const),
  ...Object.entries({
    period: '.',
    comma: ',',
    colon: ':',
    percent: '%',
    slash: '/',
    plus: '+',
    less: '<',
    greater: '>',
  }),
])

/** The texts by code. Throws a `NotPlain` for a map that is told from another one. */
export function textsOf(map: string): Map<number, string> {
  const texts = new Map<number, string>()
  const tokens = map.replace(/%[^\r\n]*/g, ' ').match(/<<|>>|<[^<>]*>|\[|\]|[^\s<>[\]]+/g) ?? []
  let kind: 'bfchar' | 'bfrange' | null = null
  let pending: string[] = []
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!
    if (token === 'usecmap') throw new NotPlain(CONTRADICTION)
    if (token === 'beginbfchar' || token === 'beginbfrange') {
      kind = token === 'beginbfchar' ? 'bfchar' : 'bfrange'
      pending = []
    } else if (token.startsWith('endbf')) kind = null
    else if (kind) {
      pending.push(token)
      const [from, to, text] = pending
      if (kind === 'bfchar' && to !== undefined) {
        texts.set(codeOf(from!), textOf(to))
        pending = []
      } else if (kind === 'bfrange' && text !== undefined && (text !== '[' || token === ']')) {
        const [first, last] = [codeOf(from!), codeOf(to!)]
        for (let code = first; code <= Math.min(last, first + MOST_CODES); code++) {
          const own = text === '[' ? pending[3 + code - first] : text
          if (own === undefined || own === ']') break
          texts.set(code, text === '[' ? textOf(own) : following(textOf(own), code - first))
        }
        pending = []
      }
    }
  }
  return texts
}

const MOST_CODES = 65_535

const codeOf = (token: string) => Number.parseInt(token.replace(/[^0-9a-fA-F]/g, ''), 16)

function textOf(token: string): string {
  const digits = token.replace(/[^0-9a-fA-F]/g, '')
  return String.fromCharCode(...(digits.match(/.{1,4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)))
}

/** The last character of the text is so many further. */
const following = (text: string, count: number) =>
  text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + count)
