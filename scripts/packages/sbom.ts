/**
 * Writes dist/sbom.cdx.json: what this package is made of, as CycloneDX. It lists the packages whose code or files were taken along,
 * with the files of this package that hold them, the libraries inside PDFium, and the packages that an installation brings.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { packagesIn, type Written } from './licences.ts'
import { PDFIUM, PDFIUM_PARTS } from './pdfium-parts.ts'

const root = join(import.meta.dirname, '../..')
const { resolve } = createRequire(import.meta.url)

interface Manifest {
  name: string
  version: string
  license?: string
}
const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/**
 * @param made the folder of the build
 * @param written what was written below each folder of the package
 */
export function writeSbom(made: string, written: Readonly<Record<string, Written>>): void {
  const files = new Map<string, string[]>()
  for (const [folder, inFolder] of Object.entries(written))
    for (const [name, sources] of inFolder)
      for (const from of [...packagesIn(sources), ...bundlersIn(sources)])
        files.set(from, [...(files.get(from) ?? []), `${folder}/${name}`])
  // Which file was dropped because another folder has it, only the folder tells.
  const isThere = (path: string) => existsSync(path.startsWith('dist/') ? join(made, path.slice(5)) : join(root, path))
  const locked = lockedComponents()
  // A package can be both: a page has a copy of its own.
  const bundled = [...files]
    .map(([folder, paths]) => bundledComponent(manifestIn(folder), paths.filter(isThere)))
    .map((component) => {
      const installed = locked.find((one) => one['bom-ref'] === component['bom-ref'])
      return { ...component, properties: [...component.properties, ...(installed?.properties ?? [])] }
    })
  const known = new Set(bundled.map((component) => component['bom-ref']))
  const installed = locked.filter((component) => !known.has(component['bom-ref']))
  const own = component(manifestIn(root))
  const sbom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: own },
    components: [...bundled, ...installed].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
    dependencies: [{ ref: own['bom-ref'], dependsOn: [...bundled, ...installed].map((one) => one['bom-ref']).sort() }],
  }
  writeFileSync(join(made, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 1)}\n`)
}

/** The folders of the bundlers whose own code is among the sources, by the ids that they give it. */
const bundlersIn = (sources: readonly string[]): string[] =>
  ['rolldown', 'vite']
    .filter((name) => sources.some((source) => source.startsWith(`\0${name}/`)))
    .map((name) => join(root, 'node_modules', name))

function component({ name, version, license }: Manifest) {
  const [, group, short = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? []
  const purl = `pkg:npm/${group ? `${group.replace('@', '%40')}/` : ''}${short}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group && { group }),
    name: short,
    version,
    purl,
    ...(license && { licenses: licencesOf(license) }),
  }
}

/** SEE LICENSE IN … is a name, an id of SPDX one of its own, and all else an expression. */
const licencesOf = (licence: string): object[] =>
  / (?:AND|OR|WITH) /.test(licence) && !licence.startsWith('SEE ')
    ? [{ expression: licence }]
    : [
        {
          license:
            /^[\w.+-]+$/.test(licence) && !licence.startsWith('LicenseRef') ? { id: licence } : { name: licence },
        },
      ]

const bundledComponent = (manifest: Manifest, paths: readonly string[]) => ({
  ...component(manifest),
  scope: 'required',
  properties: [{ name: 'countersign:delivery', value: 'in this package' }],
  evidence: { occurrences: paths.toSorted().map((location) => ({ location })) },
  ...(manifest.name === PDFIUM.package && { components: [pdfium()] }),
})

/** PDFium and what it contains. Throws when the file is not the one that was looked at. */
function pdfium() {
  const sha256 = createHash('sha256')
    .update(readFileSync(resolve(PDFIUM.file)))
    .digest('hex')
  if (sha256 !== PDFIUM.sha256)
    throw new Error(`${PDFIUM.file} is another file now: find its build and its parts, and correct pdfium-parts.ts.`)
  return {
    type: 'library',
    'bom-ref': `pdfium@${PDFIUM.build}`,
    name: 'PDFium',
    version: PDFIUM.build,
    licenses: licencesOf('BSD-3-Clause'),
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    externalReferences: [{ type: 'website', url: 'https://pdfium.googlesource.com/pdfium' }],
    components: PDFIUM_PARTS.map(({ name, licence, site }) => ({
      type: 'library',
      'bom-ref': `pdfium@${PDFIUM.build}/${name.replaceAll(' ', '-')}`,
      name,
      version: `as in PDFium ${PDFIUM.build}`,
      licenses: licencesOf(licence),
      externalReferences: [{ type: 'website', url: site }],
    })),
  }
}

/** The components of an installation, in the versions of the lockfile: npm may install newer ones, and `npm sbom` lists them. */
function lockedComponents() {
  const {
    packages,
  }: { packages: Record<string, Partial<Manifest> & { dev?: boolean; devOptional?: boolean; peer?: boolean }> } =
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const found = Object.entries(packages)
    .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
    .map(([path, { name, version = '', license }]) => ({
      ...component({ name: name ?? path.replace(/^.*node_modules\//, ''), version, ...(license && { license }) }),
      properties: [{ name: 'countersign:delivery', value: 'installed by npm' }],
    }))
  return [...new Map(found.map((one) => [one['bom-ref'], one])).values()]
}
