/**
 * Puts the files of packages that are read as they are into dist/packages, and the licences of all that the build takes along. So an
 * installation need not bring the packages, which are ten times as large.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fontsAlwaysThere } from '../../server/pdf/ink/letters/font-files.ts'
import { folderOf, licencesOf, packagesOf, type Written } from './licences.ts'
import { PDFIUM } from './pdfium-parts.ts'

const { resolve } = createRequire(import.meta.url)

/** Files that `packageFile` finds. */
const files = [PDFIUM.file, ...fontsAlwaysThere.map(({ path }) => path)]

/**
 * @param made the folder of the build
 * @param bundled the files that hold code of packages
 * @returns the files that were taken, each with where it is from
 */
export function takePackages(made: string, bundled: Written): Written {
  const target = join(made, 'packages')
  for (const file of files) cpSync(resolve(file), join(target, file))
  const packages = new Set([...packagesOf(bundled), ...files.map((file) => folderOf(resolve(file)))])
  const pdfium = readFileSync(join(import.meta.dirname, 'pdfium-licences.txt'), 'utf8')
  writeFileSync(join(target, 'LICENCES.txt'), `${licencesOf(packages)}\n${pdfium}`)
  return new Map(files.map((file) => [`packages/${file}`, [resolve(file)]]))
}
