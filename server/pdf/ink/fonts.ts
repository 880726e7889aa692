/**
 * The open fonts we write with, from the package dejavu-fonts-ttf. Each is read when a thread first needs it and parsed once,
 * because parsing costs more than a stamp. Only the glyphs in use are embedded.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fontkit from '@cantoo/fontkit'
import type { PDFDocument, PDFFont } from 'pdf-lib'

/** `text` for what is read, `strong` for headings, `hand` for a typed signature. */
export type FontStyle = 'text' | 'strong' | 'hand'

const files: Readonly<Record<FontStyle, string>> = {
  text: 'DejaVuSans.ttf',
  strong: 'DejaVuSans-Bold.ttf',
  hand: 'DejaVuSerif-Italic.ttf',
}

export interface Lettering {
  font: PDFFont
  /** The text as this font can write it: composed, spaces for control characters, a mark for each unknown character. */
  writable: (text: string) => string
}

/** Shown for a character that the font lacks, which would otherwise be an empty box. */
const UNKNOWN = '\ufffd'

/** Returns a function that embeds fonts into this document, each when it is first asked for. */
export function lettering(doc: PDFDocument): (style: FontStyle) => Promise<Lettering> {
  const embedded = new Map<FontStyle, Promise<Lettering>>()
  return (style) => {
    const font = embedded.get(style) ?? embed(doc, style)
    embedded.set(style, font)
    return font
  }
}

async function embed(doc: PDFDocument, style: FontStyle): Promise<Lettering> {
  const { bytes, parsed, characters } = fontFile(style)
  doc.registerFontkit({ create: () => parsed })
  const font = await doc.embedFont(bytes, { subset: true })
  const writable = (text: string) =>
    [...text.normalize('NFC').replace(/[^\S\n]|(?!\n)\p{Cc}/gu, ' ')]
      .map((character) => (character === '\n' || characters.has(character.codePointAt(0)!) ? character : UNKNOWN))
      .join('')
  return { font, writable }
}

type FontFile = ReturnType<typeof load>
const loaded = new Map<FontStyle, FontFile>()

function fontFile(style: FontStyle): FontFile {
  const file = loaded.get(style) ?? load(style)
  loaded.set(style, file)
  return file
}

function load(style: FontStyle) {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${files[style]}`))
  const parsed = fontkit.create(bytes)
  if (!('characterSet' in parsed)) throw new Error(`${files[style]} holds more than one font`)
  // A glyph remembers the character it was first asked for as long as the font lives. One that is met first as a part of
  // another (the e of ễ) has none, and later documents could not be searched for it; so each is asked for by its character.
  for (const character of parsed.characterSet) parsed.glyphForCodePoint(character)
  return { bytes, parsed, characters: new Set(parsed.characterSet) }
}
