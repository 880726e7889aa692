/** The programs of the guide about testing, in a folder from which they reach the built package as their readers' programs do. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../built.ts'

/** Writes every snippet that has a file name into the folder, and returns the names. */
export function writeGuideSnippets(folder: string): string[] {
  const guide = readFileSync(join(root, 'docs/guides/testing.md'), 'utf8')
  const snippets = [...guide.matchAll(/```js (\S+)\n([\s\S]*?)```/g)]
  for (const [, name, code] of snippets) writeFileSync(join(folder, name!), code!)
  return snippets.map(([, name]) => name!)
}

/** Makes the package one that the programs of the folder find by its name. */
export function linkPackage(folder: string): void {
  const link = join(folder, 'node_modules/@countersign/node-red-document-signature')
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(root, link)
}
