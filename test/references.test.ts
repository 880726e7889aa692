/** Every reference to the interface or to a choice names a heading that exists. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** `Events`, `Events › Delivery body`, … */
const topics = pathsOf(read('docs/interface.md'))
/** Choices are named by their own heading. */
const choices = new Set([...pathsOf(read('docs/choices.md'))].map((path) => path.split(' › ').at(-1)!))

function pathsOf(markdown: string): Set<string> {
  const paths = new Set<string>()
  let section = ''
  for (const [, level, title] of markdown.matchAll(/^(##|###) (.+)$/gm)) {
    if (level === '##') section = title!
    paths.add(level === '##' ? title! : `${section} › ${title}`)
  }
  return paths
}

interface Reference {
  kind: 'spec' | 'choice'
  name: string
  at: string
}

/** The name of a type: `choice: JournalChoice` declares a parameter. */
const TYPE = /^[A-Z][a-z]+[A-Z]\w*$/

/** `spec: A › B, C` and `choice: D, E`, up to the end of the sentence. */
const REFERENCE = /\b(spec|choice): ((?:[A-Z][^.;,()'"`*\n]*?)(?:, [A-Z][^.;,()'"`*\n]*?)*) ?(?=[.;()'"`*\n]|$)/gm

function referencesIn(source: string, file: string): Reference[] {
  return [...source.matchAll(REFERENCE)].flatMap(([, kind, names]) =>
    names!
      .split(', ')
      .filter((name) => !TYPE.test(name))
      .map((name) => ({ kind: kind as Reference['kind'], name: name.trim(), at: file })),
  )
}

describe('References', () => {
  const files = globSync('{lib,server,testing,nodes,test,scripts}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['test/references.test.ts'],
  })
  const references = files.flatMap((file) => referencesIn(read(file), file))

  it('name headings of docs/interface.md and docs/choices.md', () => {
    const dangling = references.filter(({ kind, name }) => !(kind === 'spec' ? topics : choices).has(name))
    expect(dangling).to.deep.equal([])
  })

  it('are found at all, and none is a number', () => {
    expect(references.length).to.be.greaterThan(90)
    const numbered = files.filter((file) => /\bchoices? \d/.test(read(file)))
    expect(numbered).to.deep.equal([])
  })

  it('lead from the documents and comments to files that exist, by the end of their path', () => {
    const documents = [
      ...['README.md', 'ARCHITECTURE.md', 'SECURITY.md', 'docs/interface.md', 'docs/choices.md'],
      ...['lib/README.md', 'server/README.md', 'nodes/README.md'],
    ]
    const known = [...files, 'test/references.test.ts']
    const named = [...documents, ...files].flatMap((file) =>
      [...read(file).matchAll(/`([\w-]+\/[\w./-]+\.tsx?)`/g)].map(([, path]) => ({ path: path!, at: file })),
    )
    const isThere = (path: string) => known.some((file) => file === path || file.endsWith(`/${path}`))
    expect(named.filter(({ path }) => !isThere(path))).to.deep.equal([])
    expect(named.length).to.be.greaterThan(40)
  })

  it('lead from each choice to files that exist', () => {
    const named = [...read('docs/choices.md').matchAll(/`((?:lib|server|nodes)\/[^`]+)`/g)].map(([, file]) => file!)
    expect(named.filter((file) => !globSync(file, { cwd: root }).length)).to.deep.equal([])
    expect(named.length).to.be.greaterThan(40)
  })
})
