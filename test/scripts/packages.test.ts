/** What the build takes along, so that an installation brings less: code and files of packages, with their licences. */
import { globSync, readFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { fontsAlwaysThere } from '../../server/pdf/ink/letters/font-files.ts'
import { ensureBuilt, root } from '../support/built.ts'
import { ran } from '../support/processes.ts'

const { resolve } = createRequire(import.meta.url)
const dist = join(root, 'dist')
const manifest: Record<'dependencies' | 'peerDependencies' | 'devDependencies', Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

const IMPORTED = /(?:\bfrom|\bimport\(?)["`](@?[a-z][^"`:{};]*)["`]/g

/** The packages that a compiled file imports. */
const packagesOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORTED)]
    .map(([, name]) => name!)
    .filter((name) => !isBuiltin(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0])

/** The sources that a built file was made from, as its source map tells. */
const sourcesOf = (file: string): string[] =>
  (JSON.parse(readFileSync(join(root, `${file}.map`), 'utf8')) as { sources: string[] }).sources.map((source) =>
    relative(root, join(root, dirname(file), source)),
  )

/** Prints the URLs of all modules that it loads. */
const LISTING = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
await import(${JSON.stringify(pathToFileURL(join(dist, 'lib/index.js')).href)})
console.log(JSON.stringify(loaded))
`

describe('packages that the build takes along', function () {
  this.timeout(120_000)
  before(ensureBuilt)

  it('leave nothing to be imported that an installation does not have', () => {
    const files = globSync('{lib,server,testing,nodes,shared}/**/*.js', { cwd: dist, exclude: ['server/web/**'] })
    const imported = new Set(files.flatMap((file) => packagesOf(join(dist, file))))
    expect([...imported]).to.include.members(['axios', 'express', 'pg'])
    const had = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
    expect([...imported].filter((name) => !had.includes(name))).to.deep.equal([])
  })

  it('leave their sources out of the source maps, where ours are', () => {
    const maps = globSync('{server,shared}/**/*.js.map', { cwd: dist }).map(
      (file): { sources: string[]; sourcesContent: (string | null)[] } =>
        JSON.parse(readFileSync(join(dist, file), 'utf8')),
    )
    const sources = maps.flatMap((map) =>
      map.sources.map((source, index) => ({ source, isThere: typeof map.sourcesContent[index] === 'string' })),
    )
    const [theirs, ours] = [true, false].map((isTheirs) =>
      sources.filter(({ source }) => source.includes('/node_modules/') === isTheirs),
    )
    expect(theirs!.length).to.be.greaterThan(100)
    expect(theirs!.filter(({ isThere }) => isThere)).to.deep.equal([])
    expect(ours!.length).to.be.greaterThan(100)
    expect(ours!.filter(({ isThere }) => !isThere)).to.deep.equal([])
  })

  it('leave no declaration that names their types', () => {
    const files = globSync('**/*.d.ts', { cwd: dist })
    expect(files).to.include.members(['lib/index.d.ts', 'commonjs/lib/index.d.ts'])
    const naming = files.filter((file) =>
      /'(?:pdf-lib|@cantoo\/|@hyzyla\/|kysely)/.test(readFileSync(join(dist, file), 'utf8')),
    )
    expect(naming).to.deep.equal([])
  })

  it('come with the files that are read, byte for byte', () => {
    for (const name of ['@hyzyla/pdfium/pdfium.wasm', ...fontsAlwaysThere.map(({ path }) => path)])
      expect(readFileSync(join(dist, 'packages', name)).equals(readFileSync(resolve(name))), name).to.equal(true)
  })

  it('come with their licences, and those of what they bring themselves', () => {
    const licences = readFileSync(join(dist, 'packages/LICENCES.txt'), 'utf8')
    for (const part of [
      '@cantoo/pdf-lib 2',
      '@cantoo/fontkit 2',
      '@hyzyla/pdfium 2',
      'dejavu-fonts-ttf 2',
      'fflate 0',
      'kysely 0',
    ])
      expect(licences).to.include(part)
    expect(licences)
      .to.include('SIL OPEN FONT LICENSE')
      .and.to.include('Bitstream Vera')
      .and.to.include('The PDFium Authors')
    const ofPages = readFileSync(join(dist, 'server/web/licences/packages.txt'), 'utf8')
    for (const part of ['preact 1', 'signature_pad', 'pdfjs-dist']) expect(ofPages).to.include(part)
  })

  it('are not loaded by those who only use the client, nor is anything of the service', async () => {
    const { stdout } = await ran(['--input-type=module', '--eval', LISTING])
    const loaded = (JSON.parse(stdout) as string[]).map((url) => url.replace(pathToFileURL(root).href, ''))
    expect(loaded).to.include('/dist/lib/index.js')
    const sources = loaded.filter((url) => url.startsWith('/dist/')).flatMap(sourcesOf)
    expect(sources).to.include('lib/client/client.ts')
    expect(sources.filter((file) => /^(?:server|testing|nodes)\//.test(file))).to.deep.equal([])
    const ofTheService = ['express', 'piscina', 'pkijs', 'harfbuzzjs', 'nodemailer', 'openid-client', 'prom-client']
    expect(loaded.filter((url) => ofTheService.some((name) => url.startsWith(`/node_modules/${name}/`)))).to.deep.equal(
      [],
    )
  })
})
