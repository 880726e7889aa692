/** The font files that ink is written with: those that are always there, and those of optional packages where they are installed. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { packageFile } from '../../package-file.ts'
import { unpackedWoff } from './woff.ts'

/** `text` for what is read, `strong` for headings, `hand` for a typed signature. */
export type FontStyle = 'text' | 'strong' | 'hand'

export interface FontFile {
  path: string
  /** Which of its characters are written with it. Optional; all by default. */
  only?: RegExp
}

/** The package has no rules for shaping, so it serves only scripts that need none. */
const UNSHAPED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}]/u

const styled: Readonly<Record<FontStyle, FontFile>> = {
  text: { path: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf' },
  strong: { path: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf' },
  hand: { path: 'dejavu-fonts-ttf/ttf/DejaVuSerif-Italic.ttf' },
}

const scripts: readonly FontFile[] = [
  { path: '@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf' },
  { path: '@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf' },
]

/** choice: Fonts of ink */
const optional: readonly FontFile[] = [
  { path: '@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf' },
  { path: '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf' },
  { path: '@expo-google-fonts/noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf' },
  { path: '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf' },
  { path: '@fontsource/unifont/files/unifont-latin-400-normal.woff', only: UNSHAPED },
]

/** The fonts of packages that the build bundles. */
export const fontsAlwaysThere: readonly FontFile[] = [...Object.values(styled), ...scripts]

const { resolve } = createRequire(import.meta.url)

function isInstalled({ path }: FontFile): boolean {
  try {
    resolve(path)
    return true
  } catch {
    return false
  }
}

let installed: readonly FontFile[] | undefined

/** Returns the files for a style, the preferred first; a character is written with the first that has it. */
export const fontFiles = (style: FontStyle): FontFile[] => {
  const own = style === 'text' ? [] : [styled[style]]
  // Looked for once for each thread, so that all that it writes is written with the same fonts.
  installed ??= optional.filter(isInstalled)
  return [...own, styled.text, ...scripts, ...installed]
}

/** Returns the font program of a file, in the form that PDF and the shaper know. */
export const fontProgram = (file: FontFile): Uint8Array => programOf(file)

/** Returns as much of the program as says which characters the font has: to unpack all of it takes many times as long. */
export const fontMap = (file: FontFile): Uint8Array => programOf(file, 'cmap')

function programOf(file: FontFile, only?: string): Uint8Array {
  const { path } = file
  const bytes = readFileSync(fontsAlwaysThere.includes(file) ? packageFile(path) : resolve(path))
  return path.endsWith('.woff') ? unpackedWoff(bytes, only) : bytes
}
