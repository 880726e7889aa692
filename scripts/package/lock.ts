/** Asks npm whether package-lock.json is complete, without a network: npm finds all that it needs in a complete lock. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Only what hangs takes so long, on any machine. */
const LIMIT_MS = 3_600_000
/** Of the project, all that npm reads before it installs. */
const READ = ['package.json', 'package-lock.json', '.npmrc']

/** Where people develop, and an installation takes other optional packages on each. */
export const PLATFORMS = [
  ['--os=linux', '--cpu=x64', '--libc=glibc'],
  ['--os=linux', '--cpu=x64', '--libc=musl'],
  ['--os=linux', '--cpu=arm64', '--libc=glibc'],
  ['--os=darwin', '--cpu=arm64'],
  ['--os=darwin', '--cpu=x64'],
  ['--os=win32', '--cpu=x64'],
]

/** Runs npm; its version with `--version`. Throws what npm prints when it fails. */
export type Npm = (cwd: string, ...args: readonly string[]) => string

/** The npm of this machine, or, with a specifier, one that npx fetches. */
export const npmOf =
  (specifier?: string): Npm =>
  (cwd, ...args) =>
    execFileSync(specifier ? 'npx' : 'npm', [...(specifier ? ['--yes', specifier] : []), ...args], {
      cwd,
      encoding: 'utf8',
      timeout: LIMIT_MS,
      stdio: 'pipe',
    })

/** Returns a copy of all that npm reads of the project, to be changed and removed again. */
export function copyForNpm(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-lock-'))
  for (const name of READ) cpSync(join(root, name), join(folder, name))
  return folder
}

/** Throws what `npm ci` says on the platform. An empty cache and no network: the lock alone must do. */
export function checkInstall(npm: Npm, folder: string, platform: readonly string[]): void {
  npm(folder, 'ci', '--dry-run', ...alone(folder), ...platform)
}

/** Returns the lock as npm would write it, without `libc`, which npm 10 does not write. */
export function relocked(npm: Npm, folder: string): object {
  npm(folder, 'install', '--package-lock-only', ...alone(folder))
  return withoutLibc(readLock(folder))
}

export interface Lock {
  packages: Record<string, LockedPackage>
}

export interface LockedPackage {
  version?: string
  resolved?: string
  integrity?: string
  /** Whether it comes inside another package. */
  inBundle?: boolean
  dev?: boolean
  libc?: string[]
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export const readLock = (folder: string): Lock => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))

export const withoutLibc = (lock: Lock): Lock => ({
  ...lock,
  packages: Object.fromEntries(
    Object.entries(lock.packages).map(([path, { libc: _libc, ...locked }]) => [path, locked]),
  ),
})

/** Checks the lock with the two versions of npm that come with Node.js 22 and 24. */
export function checkLock(root: string, say: (text: string) => void): void {
  const folder = copyForNpm(root)
  try {
    for (const specifier of ['npm@10', 'npm@11']) {
      const npm = npmOf(specifier)
      for (const platform of PLATFORMS) checkInstall(npm, folder, platform)
      if (JSON.stringify(relocked(npm, folder)) !== JSON.stringify(withoutLibc(readLock(root))))
        throw new Error(`${specifier} install --package-lock-only changes package-lock.json; commit what it writes.`)
      cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'))
      say(`the lock is complete for ${specifier} on ${PLATFORMS.length} platforms`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const alone = (folder: string) => [
  ...['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
  `--cache=${join(folder, 'cache')}`,
]
