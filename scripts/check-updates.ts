/**
 * `npm run check:updates`, to be run on a schedule: fails when a package that is installed with this one, or whose code is in it, has
 * a security advisory or a newer version that is allowed, or a newer major version without a reason to wait. A fix of a bundled package
 * reaches users only by a release of this one.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HELD_BACK } from './package/held-back.ts'

const root = join(import.meta.dirname, '..')

interface Component {
  group?: string
  name: string
  version: string
  properties: { value: string }[]
}

/** A package that is installed with this one, or whose code is in it. */
interface Ours {
  version: string
  isBundled: boolean
}

/** Returns the JSON that npm prints, also when npm ends with an error. Throws when the output is not JSON. */
function npm<T>(...args: string[]): T {
  const { stdout, stderr } = spawnSync('npm', [...args, '--json'], { cwd: root, encoding: 'utf8' })
  try {
    return JSON.parse(stdout || '{}')
  } catch {
    throw new Error(`npm ${args.join(' ')} printed no JSON: ${stderr || stdout}`)
  }
}

interface Advisories {
  vulnerabilities?: Record<string, { severity: string; via: (string | { title: string; url: string })[] }>
  error?: { summary?: string; detail?: string; code?: string }
  message?: string
}

interface Outdated {
  current?: string
  wanted?: string
  latest: string
}

/** The packages of the SBOM by their names. */
function ofThisPackage(): Map<string, Ours> {
  const { components }: { components: Component[] } = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8'))
  return new Map(
    components.map(({ group, name, version, properties }) => [
      group ? `${group}/${name}` : name,
      { version, isBundled: properties.some(({ value }) => value === 'in this package') },
    ]),
  )
}

/** Returns what is wrong with the advisories, one sentence each. */
export function advisoriesOf(audit: Advisories, ours: ReadonlyMap<string, Ours>): string[] {
  if (!audit.vulnerabilities)
    return [
      `The registry gave no advisories: ${audit.message || audit.error?.summary || audit.error?.code || 'it gave no reason'}. Use one that does.`,
    ]
  return Object.entries(audit.vulnerabilities)
    .filter(([name]) => ours.has(name))
    .map(([name, { severity, via }]) => {
      const titles = via.map((one) => (typeof one === 'string' ? `through ${one}` : `${one.title} (${one.url})`))
      return `${name} ${ours.get(name)?.version} has an advisory of severity ${severity}: ${titles.join('; ')}.`
    })
}

/** Returns which packages are behind, one sentence each. */
export function behindOf(
  outdated: Readonly<Record<string, Outdated>>,
  ours: ReadonlyMap<string, Ours>,
  dependencies: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(outdated).flatMap(([name, { current, wanted = current, latest }]) => {
    const isBundled = ours.get(name)?.isBundled
    if (!current || !(isBundled || dependencies[name])) return []
    const newer = !wanted || wanted === current ? latest : wanted
    if (!isOlder(current, newer) || (wanted === current && HELD_BACK[name])) return []
    if (isBundled)
      return [
        `${name} ${current} is bundled, and ${newer} is there: npm install --save-dev ${name}@${newer}, then release.`,
      ]
    if (wanted === current)
      return [`${name} ${current}: ${newer} is there. Take it, or give the reason in scripts/package/held-back.ts.`]
    return [`${name} ${current}: ${newer} is there: npm update ${name}.`]
  })
}

/** The tag "latest" may be on an older release line than what is used. */
function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number.parseFloat))
  const at = a!.findIndex((part, index) => part !== b![index])
  return at >= 0 && a![at]! < b![at]!
}

if (import.meta.main) {
  const ours = ofThisPackage()
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const found = [
    ...advisoriesOf(npm<Advisories>('audit'), ours),
    ...behindOf(npm<Record<string, Outdated>>('outdated'), ours, dependencies),
  ]
  for (const sentence of found) process.stderr.write(`${sentence}\n`)
  for (const [name, reason] of Object.entries(HELD_BACK))
    process.stdout.write(`held back: ${name}, because ${reason}\n`)
  if (found.length > 0) process.exitCode = 1
  else process.stdout.write(`${ours.size} packages have no advisory and are current\n`)
}
