/**
 * Puts the files of packages that are read as they are into dist/packages, and the licences of all that the build takes along. So an
 * installation need not bring the packages, which are ten times as large.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fontsAlwaysThere } from '../../server/pdf/ink/letters/font-files.ts'
import { folderOf, licencesOf, packagesIn } from './licences.ts'

const { resolve } = createRequire(import.meta.url)

/** What `packageFile` finds. */
const files = ['@hyzyla/pdfium/pdfium.wasm', ...fontsAlwaysThere.map(({ path }) => path)]

/** @param made the folder of the build @param bundled the files whose code was taken */
export function takePackages(made: string, bundled: readonly string[]): void {
  const target = join(made, 'packages')
  for (const file of files) cpSync(resolve(file), join(target, file))
  const packages = new Set([...packagesIn(bundled), ...files.map((file) => folderOf(resolve(file)))])
  const pdfium = readFileSync(join(import.meta.dirname, 'pdfium-licence.txt'), 'utf8')
  writeFileSync(join(target, 'LICENCES.txt'), `${licencesOf(packages)}\n${pdfium}`)
}
