/** What `npm pack` puts into the tarball: all that its documents lead to, nothing twice, and the same bytes each time. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect } from 'chai'
import { npmOf } from '../../scripts/package/lock.ts'
import { ensureBuilt, root } from '../support/built.ts'

interface Packed {
  shasum: string
  files: { path: string }[]
}

const pack = (): Packed => JSON.parse(npmOf()(root, 'pack', '--dry-run', '--ignore-scripts', '--json'))[0]

/** The relative links and pictures of a document, as paths from the top. */
function targetsIn(text: string, file: string): string[] {
  const targets = [...text.matchAll(/\]\(<?([^)>\s]+)>?\)/g)].map(([, target]) => target!.split('#')[0]!)
  return targets
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => normalize(join(dirname(file), decodeURI(target))).replace(/\/$/, ''))
}

describe('The packed package', function () {
  this.timeout(120_000)
  let packed: Packed
  let paths: Set<string>

  before(() => {
    ensureBuilt()
    packed = pack()
    paths = new Set(packed.files.map(({ path }) => path))
  })

  it('has the documents, the unit file, the proxy and the channels', () => {
    expect([...paths]).to.include.members([
      'README.md',
      'LICENSE',
      'docs/guides/in-production.md',
      'docs/deployment/countersign@.service',
      'docs/deployment/nginx.conf',
      'docs/engines/mirth-channel.xml',
      'docs/engines/openhim-channel.json',
    ])
  })

  it('has whatever its documents lead to', () => {
    const documents = [...paths].filter((path) => path.endsWith('.md'))
    expect(documents.length).to.be.greaterThan(10)
    const isThere = (target: string) => paths.has(target) || [...paths].some((path) => path.startsWith(`${target}/`))
    const dangling = documents.flatMap((file) =>
      targetsIn(readFileSync(join(root, file), 'utf8'), file)
        .filter((target) => !isThere(target))
        .map((target) => `${file}: ${target}`),
    )
    expect(dangling).to.deep.equal([])
  })

  it('would be found to lack what a document leads to', () => {
    expect(
      targetsIn('[a](../deployment/x.conf#top) ![b](pictures/b.png) [c](https://example.org)', 'docs/guides/a.md'),
    ).to.deep.equal(['docs/deployment/x.conf', 'docs/guides/pictures/b.png'])
  })

  it('has no source map, and no file twice', () => {
    expect([...paths].filter((path) => path.endsWith('.map'))).to.deep.equal([])
    const byHash = new Map<string, string[]>()
    for (const path of paths) {
      // TypeScript needs a declaration for each kind of module, and each package keeps its licence.
      if (path.startsWith('dist/commonjs/') || /\/LICENSE[^/]*$/.test(path)) continue
      const hash = createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex')
      byHash.set(hash, [...(byHash.get(hash) ?? []), path])
    }
    expect([...byHash.values()].filter((same) => same.length > 1)).to.deep.equal([])
  })

  it('is the same each time', () => {
    expect(pack().shasum)
      .to.equal(packed.shasum)
      .and.match(/^[0-9a-f]{40}$/)
  })
})
