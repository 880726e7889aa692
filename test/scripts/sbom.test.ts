/** The list of what the package is made of is valid CycloneDX, whole, and says which file holds what. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect } from 'chai'
import { folderOf } from '../../scripts/packages/licences.ts'
import { PDFIUM_PARTS } from '../../scripts/packages/pdfium-parts.ts'
import { ensureBuilt, root } from '../support/built.ts'

interface Component {
  'bom-ref': string
  group?: string
  name: string
  version: string
  licenses?: object[]
  properties?: { value: string }[]
  evidence?: { occurrences: { location: string }[] }
  components?: Component[]
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const escaped = (name: string) => name.replaceAll('+', '\\+')
const fullName = ({ group, name }: Component) => (group ? `${group}/${name}` : name)

describe('dist/sbom.cdx.json', function () {
  this.timeout(60_000)
  let text: string
  let components: Component[]
  const called = (name: string) => components.find((one) => fullName(one) === name)

  /** The packages that say they are in the file. */
  const packagesNamedFor = (path: string) =>
    components
      .filter(({ evidence }) => evidence?.occurrences.some(({ location }) => location === path))
      .map(fullName)
      .sort()

  before(() => {
    ensureBuilt()
    text = read('dist/sbom.cdx.json')
    ;({ components } = JSON.parse(text) as { components: Component[] })
  })

  it('is valid CycloneDX 1.6, and would be found not to be', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
    expect(await validator.validate(text)).to.equal(null)
    expect(await validator.validate(text.replace('"type": "library"', '"type": "book"'))).to.not.equal(null)
  })

  it('has what is bundled, what is installed, and what PDFium contains, each with its licence', () => {
    const bundled = [
      '@cantoo/pdf-lib',
      '@hyzyla/pdfium',
      'dejavu-fonts-ttf',
      'kysely',
      'pdfjs-dist',
      'preact',
      'swagger-ui-dist',
    ]
    const deliveries = (name: string) => called(name)?.properties?.map(({ value }) => value)
    for (const name of bundled) expect(deliveries(name), name).to.include('in this package')
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
    for (const name of Object.keys(dependencies)) expect(deliveries(name), name).to.include('installed by npm')
    const [pdfium] = called('@hyzyla/pdfium')!.components!
    expect(pdfium).to.include({ name: 'PDFium', version: 'chromium/7243' })
    expect(pdfium!.components!.map(({ name }) => name)).to.deep.equal(PDFIUM_PARTS.map(({ name }) => name))
    for (const component of components) expect(component.licenses, component['bom-ref']).to.have.length(1)
  })

  it('says of each file of code which packages are in it, as the source maps do', () => {
    const files = globSync('dist/**/*.js', { cwd: root, exclude: ['dist/server/web/**', 'dist/node-red/**'] })
    expect(files.length).to.be.greaterThan(50)
    for (const file of files) {
      // The bundler's own code has no map, nor has a file that only passes on what others export.
      const map = existsSync(join(root, `${file}.map`)) ? read(`${file}.map`) : '{"sources":[]}'
      const { sources } = JSON.parse(map) as { sources: string[] }
      const isOfBundler = packagesNamedFor(file).includes('rolldown')
      if (sources.length === 0 && !isOfBundler) expect(read(file).length, file).to.be.lessThan(1_000)
      const theirs = sources
        .map((source) => join(root, dirname(file), source))
        .filter((path) => path.includes('/node_modules/'))
      const names = new Set(
        theirs.map((path) => JSON.parse(readFileSync(join(folderOf(path), 'package.json'), 'utf8')).name),
      )
      const said = packagesNamedFor(file)
      for (const name of names) expect(said, file).to.include(name)
    }
  })

  it('says of every other file of dist and resources which package it is from, unless it is from here', () => {
    const ours = [
      /^dist\/.*\.(?:d\.ts|js|js\.map)$/,
      /^dist\/node-red\/(?:package\.json|editor-words\.json|[\w-]+\.html|icons\/[\w-]+\.svg|locales\/[\w-]+\/[\w-]+\.(?:html|json))$/,
      /^dist\/server\/web\/(?:[\w-]+\.html|assets\/[\w-]+\.(?:css|svg))$/,
      /^resources\/(?:countersign-[\w-]+\.(?:js|css)|placing\/place-fields\.html|placing\/assets\/[\w-]+\.(?:js|css))$/,
      /^(?:dist|resources)\/.*(?:licences\/|LICENCES\.txt|LICENSE)/,
      /^dist\/(?:sbom\.cdx\.json|build\.json|commonjs\/package\.json|lib\/pdf\/text\/reader\/pdf\.worker\.mjs)$/,
      /^resources\/samples\//,
    ]
    const files = globSync('{dist,resources}/**/*', { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    const foreign = files.filter((file) => !ours.some((pattern) => pattern.test(file)))
    expect(foreign).to.include.members([
      'dist/packages/@hyzyla/pdfium/pdfium.wasm',
      'resources/placing/pdfjs/standard_fonts/LiberationSans-Bold.ttf',
    ])
    expect(foreign.filter((file) => packagesNamedFor(file).length === 0)).to.deep.equal([])
  })

  it('names of the pages what they load', () => {
    const [docs] = globSync('dist/server/web/assets/docs-*.js', { cwd: root })
    const [reader] = globSync('resources/placing/assets/pdf-*.js', { cwd: root })
    expect(packagesNamedFor(docs!)).to.include('swagger-ui-dist')
    expect(packagesNamedFor(reader!)).to.include('pdfjs-dist')
  })

  it('names only files that are there', () => {
    for (const { evidence } of components)
      for (const { location } of evidence?.occurrences ?? []) expect(() => read(location), location).to.not.throw()
  })

  it('comes with the notices of what PDFium contains', () => {
    const licences = read('dist/packages/LICENCES.txt')
    for (const { name } of PDFIUM_PARTS)
      expect(licences).to.match(
        new RegExp(
          `${escaped(name)}(?:, | and )[^\\n]*(?:which PDFium contains|with which PDFium is linked)|and ${escaped(name)}, w`,
        ),
      )
    expect(licences)
      .to.include('Independent JPEG Group')
      .and.to.include('FreeType Project')
      .and.to.include('Jean-loup Gailly')
  })
})
