/** package-lock.json is complete, so that `npm ci` installs the same packages on every platform, and names no private registry. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  checkInstall,
  copyForNpm,
  type Lock,
  type LockedPackage,
  npmOf,
  PLATFORMS,
  readLock,
  relocked,
  withoutLibc,
} from '../../scripts/package/lock.ts'
import { root } from '../support/built.ts'

const lock = readLock(root)
const npm = npmOf()

/** Returns `path › name` for each dependency that no entry of the lock provides, as Node.js would look for it. */
function missingIn({ packages }: Lock): string[] {
  const provides = (path: string, name: string): boolean => {
    const places = path
      .split('/node_modules/')
      .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'))
    return ['', ...places].some((place) => packages[place ? `${place}/node_modules/${name}` : `node_modules/${name}`])
  }
  return Object.entries(packages).flatMap(([path, locked]) =>
    neededBy(locked)
      .filter((name) => !provides(path, name))
      .map((name) => `${path} › ${name}`),
  )
}

function neededBy(locked: LockedPackage): string[] {
  const {
    dependencies,
    devDependencies,
    optionalDependencies,
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = locked
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }), ...peers]
}

describe('package-lock.json', function () {
  this.timeout(120_000)
  let folder: string
  before(() => {
    folder = copyForNpm(root)
  })
  beforeEach(() => cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json')))
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('has an entry for every dependency, on every platform', () => {
    expect(Object.keys(lock.packages).length).to.be.greaterThan(700)
    expect(missingIn(lock)).to.deep.equal([])
  })

  it('would be found to lack a package of another platform', () => {
    const { 'node_modules/@biomejs/cli-darwin-arm64': _left, ...packages } = lock.packages
    expect(missingIn({ packages })).to.deep.equal(['node_modules/@biomejs/biome › @biomejs/cli-darwin-arm64'])
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }))
    expect(() => checkInstall(npm, folder, PLATFORMS[0]!)).to.throw('@biomejs/cli-darwin-arm64')
  })

  it('agrees with package.json', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const kind of ['version', 'engines', 'dependencies', 'devDependencies', 'peerDependencies'] as const)
      expect((lock.packages[''] as Record<string, unknown>)[kind], kind).to.deep.equal(manifest[kind])
  })

  it('names no registry but the public one, and has a hash for every package', () => {
    for (const [path, { resolved, integrity, inBundle }] of Object.entries(lock.packages)) {
      if (!path || inBundle) continue
      expect(resolved ?? 'https://registry.npmjs.org/', path).to.match(/^https:\/\/registry\.npmjs\.org\//)
      expect(integrity, path).to.match(/^sha512-/)
    }
  })

  for (const platform of PLATFORMS)
    it(`is all that npm ci needs with ${platform.join(' ')}`, () => checkInstall(npm, folder, platform))

  it('is what npm install writes', () => {
    expect(relocked(npm, folder)).to.deep.equal(withoutLibc(lock))
  })
})
