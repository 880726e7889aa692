/** Which files a tree of sources imports, read from the text: static, lazy and type imports, and exports that pass on. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export interface Import {
  /** Path of the importing file below the root, with slashes. */
  from: string
  /** Path below the root for a file of the tree, else the name of the package: `zod`, `@scope/name`, `node:fs`. */
  to: string
  isPackage: boolean
  isType: boolean
  isLazy: boolean
}

const STATEMENT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\b(import)\(\s*['"]([^'"]+)['"]/g

export function importsOf(root: string, folders: readonly string[]): Import[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
  return files.flatMap((from) =>
    [...readFileSync(join(root, from), 'utf8').matchAll(STATEMENT)].map(([, type, named, bare, lazy, called]) => {
      const specifier = (named ?? bare ?? called)!
      const isPackage = !specifier.startsWith('.')
      const to = isPackage ? packageOf(specifier) : relative(root, join(root, dirname(from), specifier))
      return { from, to, isPackage, isType: type !== undefined, isLazy: lazy !== undefined }
    }),
  )
}

const packageOf = (specifier: string): string =>
  specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/')
