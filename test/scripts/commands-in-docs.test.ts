/** Commands in the documents run in an empty folder, and none fetches a package by a name that is not this project's. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { root } from '../support/built.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const OURS = `-p ${manifest.name} countersign`

/** What npx would run, by the rest of its line. Tools for development are there in a clone. */
function foreignIn(text: string): string[] {
  const calls = [...text.matchAll(/\bnpx +([^`\n]+)/g)].map(([, rest]) => rest!)
  return calls.filter(
    (rest) => !rest.startsWith(`${OURS} `) && !Object.hasOwn(manifest.devDependencies, rest.split(' ')[0]!),
  )
}

/** Packages that npm would install. */
const installedIn = (text: string): string[] =>
  [...text.matchAll(/\bnpm (?:install|i) +([^`\n#&|]+)/g)].flatMap(([, rest]) =>
    rest!
      .trim()
      .split(/\s+/)
      .filter((word) => !word.startsWith('-')),
  )

const named = (specifier: string) => specifier.replace(/(?<=.)@[^@/]*$/, '')

describe('Commands in the documents', () => {
  const documents = globSync(['*.md', '{docs,lib,nodes,server}/**/*.md'], { cwd: root, exclude: ['CHANGELOG.md'] })
  const read = (file: string) => readFileSync(join(root, file), 'utf8')

  it('name the package when npx runs the command', () => {
    expect(documents).to.include.members(['README.md', 'docs/guides/host-profile.md'])
    expect(documents.filter((file) => read(file).includes(`npx ${OURS} serve`)).length).to.be.greaterThan(1)
    for (const file of documents) expect(foreignIn(read(file)), file).to.deep.equal([])
  })

  it('would be found to name another one', () => {
    expect(foreignIn('run `npx countersign serve`')).to.deep.equal(['countersign serve'])
    expect(foreignIn('npx countersign-extras x\n')).to.deep.equal(['countersign-extras x'])
  })

  it('install this package, those that it names as peers, and those that it is developed with', () => {
    const known = [manifest.name, ...Object.keys({ ...manifest.peerDependencies, ...manifest.devDependencies })]
    for (const file of documents)
      for (const specifier of installedIn(read(file)))
        expect(known, `${file}: ${specifier}`).to.include(named(specifier))
  })
})
