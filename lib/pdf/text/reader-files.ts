/**
 * Where the files of the reader are. The build puts those that are used beside its code, because the package that they come from is
 * ten times as large and asks for a native canvas that text does not need.
 */
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

// The extension of this file tells whether sources or the compiled package run.
const isBuilt = import.meta.url.endsWith('.js')

/** Returns the URL of the reader. */
export const readerModule = (): string =>
  isBuilt ? new URL('reader/pdf.mjs', import.meta.url).href : import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')

/** Returns the folder of character maps and standard fonts. */
export const readerAssets = (): string =>
  isBuilt
    ? fileURLToPath(new URL('reader', import.meta.url))
    : path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
