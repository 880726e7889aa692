/** `npm run docs` writes the generated parts of README.md between their markers: the endpoints and the webhook test vector. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpointsTable } from './endpoints.ts'
import { vectorBlock } from './vector.ts'

const file = join(import.meta.dirname, '../README.md')
const parts: Readonly<Record<string, () => string>> = { endpoints: endpointsTable, vector: vectorBlock }

/** Returns the text with its parts generated anew. Throws when it has no place for one. */
export function regenerated(text: string): string {
  return Object.entries(parts).reduce((readme, [name, write]) => {
    const place = new RegExp(`<!-- ${name} -->[\\s\\S]*?<!-- /${name} -->`)
    if (!place.test(readme)) throw new Error(`README.md has no <!-- ${name} --> … <!-- /${name} -->.`)
    return readme.replace(place, () => `<!-- ${name} -->\n${write()}\n<!-- /${name} -->`)
  }, text)
}

if (import.meta.main) writeFileSync(file, regenerated(readFileSync(file, 'utf8')))
