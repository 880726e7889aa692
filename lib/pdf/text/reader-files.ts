/**
 * Where the files of the reader are. The build puts those that are used alongside its code, because the package that they come from is
 * ten times as large and asks for a native canvas that text does not need.
 */
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileAt, isBuilt } from '../../places.ts'

const BUILT = 'lib/pdf/text/reader'
/** Node-RED serves them to its editor from there, so the package has them once. */
const BUILT_ASSETS = '../resources/placing/pdfjs'

/** Returns the URL of the reader. */
export const readerModule = (): string =>
  isBuilt ? fileAt(`${BUILT}/pdf.mjs`).href : import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')

/** Returns the folder of character maps, standard fonts and decoders. */
export const readerAssets = (): string =>
  isBuilt
    ? fileURLToPath(fileAt(BUILT_ASSETS))
    : path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
