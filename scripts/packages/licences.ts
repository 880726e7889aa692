/** The licences of packages whose code or files the build takes along. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The files that a build wrote, each with those whose code it took. */
export type Written = ReadonlyMap<string, readonly string[]>

interface Output {
  fileName: string
  modules?: Readonly<Record<string, unknown>>
  originalFileNames?: readonly string[]
  viteMetadata?: { importedCss: ReadonlySet<string> }
}

/**
 * @param built what Vite returns
 * @param root the folder that Vite was given
 */
export function writtenBy(built: unknown, root: string): Written {
  const { output } = [built].flat()[0] as { output: readonly Output[] }
  const styles = output.flatMap(({ modules = {}, viteMetadata }) =>
    [...(viteMetadata?.importedCss ?? [])].map((file): [string, string[]] => [
      file,
      Object.keys(modules).filter((name) => name.endsWith('.css')),
    ]),
  )
  const others = output.map(({ fileName, modules, originalFileNames = [] }): [string, string[]] => [
    fileName,
    modules ? Object.keys(modules) : originalFileNames.map((name) => resolve(root, name)),
  ])
  const written = new Map<string, string[]>()
  for (const [file, names] of [...others, ...styles]) written.set(file, [...(written.get(file) ?? []), ...names])
  return written
}

/** The folders of the packages that files come from. What no package wrote, such as the bundler's own code, has none. */
export const packagesIn = (files: Iterable<string>): ReadonlySet<string> =>
  new Set([...files].filter((file) => file.includes('/node_modules/')).map(folderOf))

/** The folders of all packages whose code was written. */
export const packagesOf = (written: Written): ReadonlySet<string> => packagesIn([...written.values()].flat())

/** The folder of the package that a file belongs to. Throws when it is in none. */
export function folderOf(file: string): string {
  const found = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file.replaceAll('\\', '/').replace(/^\0+/, ''))
  if (!found) throw new Error(`${file} is in no package.`)
  return found[0]
}

/** Names each package with its version and its licence, and repeats the texts that it comes with. */
export const licencesOf = (folders: ReadonlySet<string>): string => [...folders].map(licenceOf).sort().join(SEPARATOR)

const SEPARATOR = `\n${'-'.repeat(80)}\n\n`

function licenceOf(folder: string): string {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { name, version, license, author = '' } = manifest
  const texts = globSync(['{LICEN[CS]E,NOTICE,CopyrightNotice}*'], { cwd: folder }).sort()
  if (!license && texts.length === 0) throw new Error(`${name} comes without a licence.`)
  const by = typeof author === 'string' ? author : (author.name ?? '')
  const head = `${name} ${version}\nLicence: ${license ?? 'see below'}\n${by && `By: ${by}\n`}`
  return [head, ...texts.map((text) => readFileSync(join(folder, text), 'utf8'))].join('\n')
}

interface Manifest {
  name: string
  version: string
  license?: string
  author?: string | { name?: string }
}
