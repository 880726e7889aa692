/**
 * `npm run check:updates`, to be run on a schedule: fails when a package that is installed with this one, or whose code is in it, has
 * a security advisory or a newer version that is allowed, or a newer major version without a reason to wait. A fix of a bundled package
 * reaches users only by a release of this one. Advisories come from the registry that npm is set to.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HELD_BACK } from './package/held-back.ts'

const root = join(import.meta.dirname, '..')

/** A version that has advisories since 2020. Some registries answer that no package has any. */
const KNOWN_BAD = { name: 'minimist', version: '0.0.8' }

/** A package that is installed with this one, or whose code is in it. */
export interface Ours {
  name: string
  version: string
  isBundled: boolean
}

interface Advisories {
  vulnerabilities?: Record<
    string,
    { severity: string; via: (string | { title: string; url: string })[]; nodes: string[] }
  >
  error?: { summary?: string; detail?: string; code?: string }
  message?: string
}

interface Outdated {
  current?: string
  wanted?: string
  latest: string
}

/**
 * Returns what is wrong with the advisories, one sentence each.
 *
 * @param versionAt returns the version of the package in a folder below `node_modules`
 */
export function advisoriesOf(
  audit: Advisories,
  ours: readonly Ours[],
  versionAt: (folder: string) => string | undefined,
): string[] {
  if (!audit.vulnerabilities)
    return [
      `The registry gave no advisories: ${audit.message || audit.error?.summary || audit.error?.code || 'it gave no reason'}. Use one that does.`,
    ]
  return Object.entries(audit.vulnerabilities).flatMap(([name, { severity, via, nodes }]) => {
    // A tool may have a copy of its own, in another version.
    const versions = new Set(nodes.map(versionAt))
    const titles = via.map((one) => (typeof one === 'string' ? `through ${one}` : `${one.title} (${one.url})`))
    return ours
      .filter((one) => one.name === name && versions.has(one.version))
      .map(({ version }) => `${name} ${version} has an advisory of severity ${severity}: ${titles.join('; ')}.`)
  })
}

/** Returns the sentence about a registry that knows no advisory of a version that has some. */
export const judgeRegistry = ({ vulnerabilities }: Advisories): string[] =>
  vulnerabilities && !vulnerabilities[KNOWN_BAD.name]
    ? [
        `The registry has no advisories: it knows none of ${KNOWN_BAD.name} ${KNOWN_BAD.version}, which has some. Use one that does.`,
      ]
    : []

/**
 * Returns which packages are behind, one sentence each.
 *
 * @param outdated what `npm outdated` prints
 */
export function behindOf(
  outdated: Readonly<Record<string, Outdated>>,
  ours: readonly Ours[],
  dependencies: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(outdated).flatMap(([key, { current, wanted = current, latest }]) => {
    const { name, alias } = namesOf(key)
    const isBundled = ours.some((one) => one.name === name && one.isBundled)
    if (!current || !(isBundled || dependencies[name])) return []
    const newer = !wanted || wanted === current ? latest : wanted
    if (!isOlder(current, newer) || (wanted === current && HELD_BACK[name])) return []
    if (isBundled)
      return [
        `${name} ${current} is bundled, and ${newer} is there: npm install --save-dev ${alias}${name}@${newer}, then release.`,
      ]
    if (wanted === current)
      return [`${name} ${current}: ${newer} is there. Take it, or give the reason in scripts/package/held-back.ts.`]
    return [`${name} ${current}: ${newer} is there: npm update ${name}.`]
  })
}

/**
 * Returns which bundled packages are behind that only other packages ask for, one sentence each. What those do not allow, this package
 * cannot take.
 *
 * @param outdated what `npm outdated --all` prints
 */
export function behindWithin(
  outdated: Readonly<Record<string, Outdated | readonly Outdated[]>>,
  ours: readonly Ours[],
  dependencies: Readonly<Record<string, string>>,
): string[] {
  return ours
    .filter(({ name, isBundled }) => isBundled && !dependencies[name])
    .flatMap(({ name, version }) => {
      const asked = [outdated[name] ?? []].flat().filter(({ current }) => current === version)
      const [wanted] = asked.flatMap((one) => one.wanted ?? []).toSorted((a, b) => (isOlder(a, b) ? -1 : 1))
      return wanted && isOlder(version, wanted)
        ? [`${name} ${version} is bundled, and ${wanted} is there: npm update ${name}, then release.`]
        : []
    })
}

/** Returns the name of a package, and what to write before it to install it by another name, as in `pdf-lib:@cantoo/pdf-lib@2.11.1`. */
function namesOf(key: string): { name: string; alias: string } {
  const [, other, name] = /^(.+?):(.+)@/.exec(key) ?? []
  return other && name ? { name, alias: `${other}@npm:` } : { name: key, alias: '' }
}

/** The tag "latest" may be on an older release line than what is used. */
function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number.parseFloat))
  const at = a!.findIndex((part, index) => part !== b![index])
  return at >= 0 && a![at]! < b![at]!
}

/**
 * Returns the JSON that npm prints, also when npm ends with an error. Throws when the output is not JSON. The packages that are bundled
 * are dependencies of development, which npm leaves out where NODE_ENV is "production".
 */
function npm<T>(args: readonly string[], cwd = root): T {
  const all = [...args, '--include=dev', '--json']
  const { stdout, stderr } = spawnSync('npm', all, { cwd, encoding: 'utf8', maxBuffer: 64 << 20 })
  try {
    return JSON.parse(stdout || '{}')
  } catch {
    throw new Error(`npm ${args.join(' ')} printed no JSON: ${stderr || stdout}`)
  }
}

/** Asks the registry about a version that has advisories. */
function auditOfKnownBad(): Advisories {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-advisories-'))
  const { name, version } = KNOWN_BAD
  const manifest = { name: 'known-bad', version: '1.0.0', dependencies: { [name]: version } }
  const packages = { '': manifest, [`node_modules/${name}`]: { version } }
  try {
    cpSync(join(root, '.npmrc'), join(folder, '.npmrc'))
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
    return npm<Advisories>(['audit', '--package-lock-only'], folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the packages of the SBOM. */
function ofThisPackage(): Ours[] {
  const {
    components,
  }: { components: { group?: string; name: string; version: string; properties: { value: string }[] }[] } = JSON.parse(
    readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8'),
  )
  return components.map(({ group, name, version, properties }) => ({
    name: group ? `${group}/${name}` : name,
    version,
    isBundled: properties.some(({ value }) => value === 'in this package'),
  }))
}

if (import.meta.main) {
  const ours = ofThisPackage()
  const {
    dependencies,
    devDependencies,
  }: Record<'dependencies' | 'devDependencies', Record<string, string>> = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const { packages }: { packages: Record<string, { version?: string }> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  const direct = { ...dependencies, ...devDependencies }
  const found = [
    ...advisoriesOf(npm(['audit']), ours, (folder) => packages[folder]?.version),
    ...judgeRegistry(auditOfKnownBad()),
    ...behindOf(npm(['outdated']), ours, dependencies),
    ...behindWithin(npm(['outdated', '--all']), ours, direct),
  ]
  for (const sentence of found) process.stderr.write(`${sentence}\n`)
  for (const [name, reason] of Object.entries(HELD_BACK))
    process.stdout.write(`held back: ${name}, because ${reason}\n`)
  if (found.length > 0) process.exitCode = 1
  else process.stdout.write(`${ours.length} packages have no advisory and are current\n`)
}
