/**
 * The parts of the WebAssembly of @hyzyla/pdfium. The package does not name them: the build was found by comparing the hash of the
 * file with those in the repository of the package, and the parts are those of PDFium's build without XFA and without V8, which has no
 * ICU, libpng or libtiff (its strings show none), and the libraries that Emscripten links. Their notices are in pdfium-licences.txt.
 */
export const PDFIUM = {
  /** The package that brings it, and the hash of its file: another one has to be looked at again. */
  package: '@hyzyla/pdfium',
  file: '@hyzyla/pdfium/pdfium.wasm',
  sha256: '71aec412a303a0405baee21c3d6d3f30ad2033dc02444130fe476be3976e2d09',
  /** The branch of Chromium, as pdfium-lib names its builds. */
  build: 'chromium/7243',
} as const

export interface Part {
  name: string
  licence: string
  site: string
}

export const PDFIUM_PARTS: readonly Part[] = [
  { name: 'FreeType', licence: 'FTL', site: 'https://freetype.org' },
  { name: 'libjpeg-turbo', licence: 'IJG AND BSD-3-Clause AND Zlib', site: 'https://libjpeg-turbo.org' },
  { name: 'OpenJPEG', licence: 'BSD-2-Clause', site: 'https://www.openjpeg.org' },
  { name: 'Little CMS', licence: 'MIT', site: 'https://www.littlecms.com' },
  { name: 'zlib', licence: 'Zlib', site: 'https://zlib.net' },
  { name: 'Anti-Grain Geometry', licence: 'LicenseRef-AGG-2.3', site: 'https://agg.sourceforge.net' },
  { name: 'Abseil', licence: 'Apache-2.0', site: 'https://abseil.io' },
  { name: 'fast_float', licence: 'Apache-2.0', site: 'https://github.com/fastfloat/fast_float' },
  { name: 'Emscripten', licence: 'MIT', site: 'https://emscripten.org' },
  { name: 'musl', licence: 'MIT', site: 'https://musl.libc.org' },
  { name: 'LLVM libc++', licence: 'Apache-2.0 WITH LLVM-exception', site: 'https://libcxx.llvm.org' },
]
