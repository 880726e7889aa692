/** The rules by which the public catalogue of nodes judges a package, held offline; and the package's own promises. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { ensureBuilt, root } from '../support/built.ts'

interface Manifest {
  name: string
  license: string
  keywords: string[]
  repository: object
  bugs: object
  engines: { node: string }
  files: string[]
  dependencies: Record<string, string>
  'node-red': { version: string; nodes: Record<string, string> }
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifest: Manifest = JSON.parse(read('package.json'))
const sets = Object.keys(manifest['node-red'].nodes)
const catalogue = (set: string) => JSON.parse(read(`nodes/locales/en-US/${set}.json`))

const isConfig = (set: string) => read(`nodes/${set}.html`).includes("category: 'config'")

/** What the catalogue's parser sees: a literal type with an inline definition in a script of type text/javascript. */
const registered = (html: string) =>
  [...html.matchAll(/<script type="text\/javascript">[\s\S]*?<\/script>/g)].flatMap(([script]) =>
    [...script.matchAll(/RED\.nodes\.registerType\('([^']+)', \{/g)].map(([, type]) => type!),
  )

describe('the package', () => {
  it('P01 P03 P04 P05: says licence, home and keywords, under a scope', () => {
    expect(manifest.license).to.equal('Apache-2.0')
    expect(manifest.repository).to.be.an('object')
    expect(manifest.bugs).to.be.an('object')
    expect(manifest.name).to.match(/^@countersign\//)
    expect(manifest.keywords).to.include('node-red')
  })

  it('P06: admits the Node-RED versions that are maintained', () => {
    expect(manifest['node-red'].version).to.equal('>=4.1.0')
  })

  it('P07, knowingly not: node:sqlite needs no flag from Node 22.13 on, and 23 has ended', () => {
    expect(manifest.engines.node).to.equal('^22.13.0 || >=24.0.0')
  })

  it('is found by what it is for', () => {
    const words = ['hl7', 'mllp', 'fhir', 'ehr', 'signature', 'e-signature', 'order']
    expect(manifest.keywords).to.include.members(words)
  })

  it('names node files as the catalogue finds forms by them: built, with the form beside each', () => {
    ensureBuilt()
    const folder = join(root, 'dist/node-red')
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).to.deep.equal({ type: 'commonjs' })
    for (const [set, file] of Object.entries(manifest['node-red'].nodes)) {
      expect(file).to.equal(`dist/node-red/${set}.js`)
      expect(existsSync(join(root, file)), file).to.equal(true)
      expect(registered(read(file.replace(/\.js$/, '.html'))), file).to.deep.equal([`countersign-${set}`])
    }
  })

  it('sorts its nodes into three sections of the palette, and their names into four languages', () => {
    const inSection = (section: string) =>
      sets.filter((set) => read(`nodes/${set}.html`).includes(`category: '${section}'`))
    const sections = ['signature', 'signature: bridge', 'signature: more'].map(inSection)
    expect(sections.map(({ length }) => length)).to.deep.equal([8, 9, 7])
    expect(sections.flat()).to.have.members(sets.filter((set) => !isConfig(set)))
  })

  it('ends each help page, in each language, with references to documents that exist', () => {
    ensureBuilt()
    for (const path of globSync('dist/node-red/locales/*/*.html', { cwd: root })) {
      const [, heading, references] =
        /<h3>([^<]+)<\/h3>\s*<ul>\s*((?:<li><a .*<\/li>\s*)+)<\/ul>\s*<\/script>\s*$/.exec(read(path)) ?? []
      expect(heading, path).to.match(/^(References|Verweise|Referencias|Références)$/)
      const links = [...references!.matchAll(/href="([^"]+)"[^>]*>([^<]+)</g)].map(([, url, title]) => ({
        url: url!,
        title,
      }))
      expect(links.length, path).to.be.greaterThan(0)
      for (const { url, title } of links) {
        expect(url).to.match(/^https:\/\/github\.com\/countersign\/node-red-document-signature\/blob\/main\/docs\//)
        expect(read(url.slice(url.indexOf('docs/'))).split('\n')[0], url).to.equal(`# ${title}`)
      }
    }
  })

  it('N01: registers one type of its own per file, under its prefix', () => {
    const types = sets.map((set) => {
      const found = registered(read(`nodes/${set}.html`))
      expect(found, set).to.deep.equal([`countersign-${set}`])
      return found[0]
    })
    expect(new Set(types).size).to.equal(sets.length)
    expect(globSync('*.html', { cwd: join(root, 'nodes') }).map((name) => basename(name, '.html'))).to.have.members(
      sets,
    )
  })

  it('N02: uses every node in an example', () => {
    const used = new Set(
      readdirSync(join(root, 'examples'))
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => JSON.parse(read(`examples/${name}`)) as { type: string }[])
        .map(({ type }) => type),
    )
    for (const set of sets) expect(used, set).to.include(`countersign-${set}`)
  })

  it('D02: depends on no old agent-base', () => {
    expect(Object.keys(manifest.dependencies)).to.not.include('agent-base')
  })

  it('installs where engines are strict: no dependency wants more than Node 22.13, or builds anything', () => {
    const lock: {
      packages: Record<string, { dev?: boolean; engines?: { node?: string }; hasInstallScript?: boolean }>
    } = JSON.parse(read('package-lock.json'))
    for (const [path, { dev, engines, hasInstallScript }] of Object.entries(lock.packages)) {
      if (!path || dev) continue
      expect(hasInstallScript, `${path} has an install script`).to.not.equal(true)
      const floors = [...(engines?.node ?? '').matchAll(/(\d+)(?:\.(\d+))?/g)].map(([, major, minor]) => [
        Number(major),
        Number(minor ?? 0),
      ])
      const admits =
        floors.length === 0 || floors.some(([major, minor]) => major! < 22 || (major === 22 && minor! <= 13))
      expect(admits, `${path} wants Node ${engines?.node}`).to.equal(true)
    }
  })

  it('ships what Node-RED reads: icons, texts, help, examples, resources', () => {
    expect(manifest.files).to.include.members(['dist', 'examples', 'resources'])
    for (const set of sets) {
      expect(existsSync(join(root, `nodes/locales/en-US/${set}.html`)), `help of ${set}`).to.equal(true)
      const icon = /icon: '([^']+)'/.exec(read(`nodes/${set}.html`))?.[1]
      if (!isConfig(set)) expect(existsSync(join(root, `nodes/icons/${icon}`)), `icon of ${set}`).to.equal(true)
    }
  })

  it('has every text that a form, a help page or a status asks for, and no long status', () => {
    const shared = catalogue('service')
    const has = (texts: object, key: string) =>
      key.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], texts) !== undefined
    for (const set of sets) {
      const html = read(`nodes/${set}.html`)
      for (const [, given] of html.matchAll(/data-i18n="(?:\[\w+\])?([^"]+)"/g)) {
        const [first, second] = given!.split(':')
        expect(second ? has(shared, second) : has(catalogue(set), first!), `${set}: ${given}`).to.equal(true)
      }
      for (const [, key] of html.matchAll(/this\._\('([^']+)'/g))
        expect(has(catalogue(set), key!), `${set}: ${key}`).to.equal(true)
      expect(read(`nodes/locales/en-US/${set}.html`)).to.match(/data-help-name="countersign-[\w-]+">\s*<p>\S/)
    }
    for (const path of globSync('resources/*.js', { cwd: root }))
      for (const [, key] of read(path).matchAll(/text\('([^']+)'/g)) expect(has(shared, key!), key).to.equal(true)
    for (const [, name] of read('resources/countersign-rows.js').matchAll(/(?:cell|half|number|optional)\('(\w+)'/g))
      expect(shared.cell, name).to.have.property(name!)
    for (const [key, text] of Object.entries<string>(shared.status)) {
      const filled = text.replace('__count__', '10000').replace('__seconds__', '3600')
      // What waits has a reason, a number and a time or a place; all else is seen at a glance.
      const isLong = /^(queuedBy|retrying|belong|parked|watchingRefused)/.test(key)
      expect(filled.length, `${key}: ${text}`).to.be.lessThan(isLong ? 48 : 20)
    }
    const statusKeys = globSync('nodes/**/*.ts', { cwd: root }).flatMap((path) =>
      [...read(path).matchAll(/key: '(\w+)'/g)].map(([, key]) => key!),
    )
    for (const key of statusKeys) expect({ ...shared.news, ...shared.status }, key).to.have.property(key)
  })

  it('stores nothing secret in a flow: keys and secrets are credentials', () => {
    for (const set of sets) {
      const defaults = /defaults: \{([\s\S]*?)\n {4}\},/.exec(read(`nodes/${set}.html`))?.[1] ?? ''
      expect(defaults, set).to.not.match(/apiKey|secrets|password/)
    }
  })
})
