/** A font that was read and parsed, once for each thread, because parsing costs more than a stamp. */
import fontkit, { type Font } from '@cantoo/fontkit'
import { charactersOf } from './characters.ts'
import { type FontFile, type FontStyle, fontFiles, fontProgram } from './font-files.ts'

export interface Face {
  /** The file's name in its package, which tells fonts apart. */
  name: string
  program: Uint8Array
  /** What it says of its name and its measures. */
  parsed: Font
  /** Code points. */
  characters: ReadonlySet<number>
}

const faces = new Map<string, Face>()

/** Returns the fonts for a style, the preferred first. */
export const facesOf = (style: FontStyle): Face[] => fontFiles(style).map(face)

function face(file: FontFile): Face {
  const known = faces.get(file.path) ?? load(file)
  faces.set(file.path, known)
  return known
}

function load(file: FontFile): Face {
  const program = fontProgram(file)
  const parsed = fontkit.create(Buffer.from(program))
  if (!('characterSet' in parsed)) throw new Error(`${file.path} holds more than one font`)
  return { name: file.path, program, parsed, characters: new Set(charactersOf(file, program)) }
}
