/**
 * A font that is read and parsed where it is first written with, once for each thread: that costs more than a stamp, and most texts
 * need one font of many.
 */
import fontkit, { type Font } from '@cantoo/fontkit'
import { charactersOf } from './characters.ts'
import { type FontFile, type FontStyle, fontFiles, fontMap, fontProgram } from './font-files.ts'

export interface Face {
  /** The file's name in its package, which tells fonts apart. */
  readonly name: string
  readonly program: Uint8Array
  /** Its name and measures. */
  readonly parsed: Font
  /** Code points. */
  readonly characters: ReadonlySet<number>
}

const faces = new Map<string, Face>()

/** Returns the fonts for a style, the preferred first. */
export const facesOf = (style: FontStyle): Face[] => fontFiles(style).map(face)

function face(file: FontFile): Face {
  const known = faces.get(file.path) ?? new LazyFace(file)
  faces.set(file.path, known)
  return known
}

class LazyFace implements Face {
  readonly name: string
  readonly #file: FontFile
  #program: Uint8Array | undefined
  #parsed: Font | undefined
  #characters: ReadonlySet<number> | undefined

  constructor(file: FontFile) {
    this.name = file.path
    this.#file = file
  }

  get program() {
    this.#program ??= fontProgram(this.#file)
    return this.#program
  }

  get parsed() {
    this.#parsed ??= parse(this.name, this.program)
    return this.#parsed
  }

  get characters() {
    this.#characters ??= new Set(charactersOf(this.#file, fontMap(this.#file)))
    return this.#characters
  }
}

function parse(name: string, { buffer, byteOffset, byteLength }: Uint8Array): Font {
  const parsed = fontkit.create(Buffer.from(buffer, byteOffset, byteLength))
  if (!('characterSet' in parsed)) throw new Error(`${name} holds more than one font`)
  return parsed
}
