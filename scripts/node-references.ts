/** Ends each help page of a node with links to the documents that go further. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const { repository }: { repository: { url: string } } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** Where a browser reads the files of the repository. */
const PAGES = `${repository.url.replace(/^git\+/, '').replace(/\.git$/, '')}/blob/main`

/** Documents by the name that the table below uses. */
const DOCUMENTS = {
  interface: 'docs/interface.md',
  client: 'docs/guides/client.md',
  engines: 'docs/guides/engines.md',
  profile: 'docs/guides/host-profile.md',
  production: 'docs/guides/in-production.md',
  mapping: 'docs/guides/mapping.md',
  lost: 'docs/guides/nothing-lost.md',
  sidebar: 'docs/guides/sidebar.md',
  stories: 'docs/guides/stories.md',
  testing: 'docs/guides/testing.md',
} as const

/** The documents that go further than the help of a node. */
const REFERENCES: Readonly<Record<string, readonly (keyof typeof DOCUMENTS)[]>> = {
  service: ['profile', 'production', 'testing'],
  'create-task': ['lost', 'stories', 'interface'],
  wait: ['lost', 'sidebar', 'interface'],
  download: ['stories', 'interface'],
  'check-signed': ['production', 'interface'],
  retract: ['lost', 'interface'],
  record: ['lost', 'interface'],
  done: ['lost'],
  reconcile: ['lost', 'stories'],
  overdue: ['lost', 'interface'],
  read: ['interface', 'client'],
  list: ['client', 'interface'],
  'look-up': ['client', 'interface'],
  'webhook-in': ['lost', 'interface'],
  accept: ['engines', 'lost'],
  'order-from-files': ['mapping', 'stories'],
  'mllp-in': ['lost', 'mapping', 'stories'],
  'mllp-out': ['lost', 'mapping', 'stories'],
  preview: ['client', 'mapping'],
  signer: ['testing', 'stories'],
  'fhir-base': ['mapping'],
  'order-from-fhir': ['mapping', 'stories'],
  'result-to-fhir': ['mapping', 'stories'],
  'order-from-hl7': ['mapping', 'stories'],
  'result-to-hl7': ['mapping', 'stories'],
  held: ['sidebar', 'mapping', 'lost'],
}

const HEADINGS: Readonly<Record<string, string>> = {
  'en-US': 'References',
  de: 'Verweise',
  es: 'Referencias',
  fr: 'Références',
}

/**
 * Returns a help page with its references. Throws when the language, the node or the page is unknown.
 * @param help the page, as in the sources
 * @param path its path, `locales/en-US/wait.html`
 */
export function withReferences(help: string, path: string): string {
  const language = basename(dirname(path))
  const [heading, names] = [HEADINGS[language], REFERENCES[basename(path, '.html')]]
  if (!heading) throw new Error(`scripts/node-references.ts has no heading for the language ${language}.`)
  if (!names) throw new Error(`scripts/node-references.ts has no references for ${path}.`)
  const parts = help.split(/(?=<\/script>\s*$)/)
  if (parts.length !== 2) throw new Error(`${path} does not end with </script>.`)
  const items = names.map((name) => `    <li>${linkTo(DOCUMENTS[name])}</li>\n`)
  return `${parts[0]}  <h3>${heading}</h3>\n  <ul>\n${items.join('')}  </ul>\n${parts[1]}`
}

/** Shows the title of the document, which is in English in every language. */
function linkTo(file: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1]
  if (!title) throw new Error(`${file} has no title.`)
  return `<a href="${PAGES}/${file}" target="_blank" rel="noopener" hreflang="en">${title.replaceAll('&', '&amp;')}</a>`
}
