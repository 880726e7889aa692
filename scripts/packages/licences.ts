/** The licences of packages whose code or files the build takes along. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files whose code a build has taken. @param built what Vite returns */
export function modulesIn(built: unknown): string[] {
  const { output } = [built].flat()[0] as { output: readonly { modules?: Readonly<Record<string, unknown>> }[] }
  return output.flatMap(({ modules = {} }) => Object.keys(modules))
}

/** The folders of the packages that files come from. What no package wrote, such as the bundler's own code, has none. */
export const packagesIn = (files: readonly string[]): ReadonlySet<string> =>
  new Set(files.filter((file) => file.includes('/node_modules/')).map(folderOf))

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
