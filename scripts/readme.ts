/**
 * `npm run docs` writes the generated parts of the documents between their markers: endpoints, test vector, host profile, settings; and
 * openapi.json and the requests for Bruno.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brunoFiles } from './bruno.ts'
import { endpointsTable } from './endpoints.ts'
import { limitsTables } from './limits-table.ts'
import { openapiText } from './openapi.ts'
import { profileTable } from './profile-table.ts'
import { settingsTables } from './settings-table.ts'
import { vectorBlock } from './vector.ts'

type Parts = Readonly<Record<string, () => string>>

/** The generated parts of each document. */
export const documents = {
  'docs/guides/quickstart.md': { endpoints: endpointsTable },
  'docs/guides/client.md': { vector: vectorBlock },
  'docs/guides/host-profile.md': { profile: profileTable },
  'docs/guides/limits.md': { limits: limitsTables },
  'docs/guides/settings.md': { settings: settingsTables },
} as const satisfies Record<string, Parts>

/** Returns the text of a document with its parts generated again. Throws when it has no place for one. */
export function regenerated(text: string, document: keyof typeof documents): string {
  return Object.entries<() => string>(documents[document]).reduce((written, [name, write]) => {
    const place = new RegExp(`<!-- ${name} -->[\\s\\S]*?<!-- /${name} -->`)
    if (!place.test(written)) throw new Error(`${document} has no <!-- ${name} --> … <!-- /${name} -->.`)
    return written.replace(place, () => `<!-- ${name} -->\n${write()}\n<!-- /${name} -->`)
  }, text)
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  for (const document of Object.keys(documents) as (keyof typeof documents)[]) {
    const file = join(root, document)
    writeFileSync(file, regenerated(readFileSync(file, 'utf8'), document))
  }
  const openapi = openapiText()
  writeFileSync(join(root, 'openapi.json'), openapi)
  rmSync(join(root, 'bruno'), { recursive: true, force: true })
  for (const [path, text] of brunoFiles(root, openapi)) {
    const file = join(root, 'bruno', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
