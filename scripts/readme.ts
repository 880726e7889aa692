/** `npm run docs`: writes the endpoints of the contract into README.md, between its markers. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpointsTable } from './endpoints.ts'

const file = join(import.meta.dirname, '../README.md')
const MARKED = /<!-- endpoints -->[\s\S]*?<!-- \/endpoints -->/

/** The text with a fresh table. Throws when it has no place for one. */
export function withEndpoints(text: string): string {
  if (!MARKED.test(text)) throw new Error('README.md has no <!-- endpoints --> … <!-- /endpoints -->.')
  return text.replace(MARKED, () => `<!-- endpoints -->\n${endpointsTable()}\n<!-- /endpoints -->`)
}

if (import.meta.main) writeFileSync(file, withEndpoints(readFileSync(file, 'utf8')))
