/** Builds the images of the Dockerfile with Debian's buildah, on a base made of Debian's packages and of npm's `node` and `npm`. */
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../built.ts'
import { AUTHORITIES, bareDebian, installNode, run } from './debian.ts'

const BASE = 'localhost/countersign-base:test'

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
  const context = packedContext(folder)
  const options = ['--isolation', 'chroot', '--format', 'docker', '--build-arg', `BASE=${BASE}`]
  buildah('build', ...options, '--tag', 'localhost/countersign:test', context)
  const sizeOf = (image: string) => Number(buildah('images', '--format', '{{.Size}}', image).replace(/ MB$/, ''))
  const mounted = buildah('mount', buildah('from', 'localhost/countersign:test'))
  return { megabytes: sizeOf('localhost/countersign:test') - sizeOf(BASE), mounted }
}

/** Makes a folder with the packed package and the named files of the clone, from which images are built. */
export function packedContext(folder: string, files: readonly string[] = []): string {
  const context = join(folder, 'context')
  mkdirSync(context)
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  const [tarball = ''] = run('npm', pack, root).split('\n')
  cpSync(join(folder, tarball), join(context, 'countersign.tgz'))
  for (const file of ['Dockerfile', '.dockerignore', 'package.json', 'package-lock.json', ...files])
    cpSync(join(root, file), join(context, file))
  return context
}

function makeBase(folder: string, buildah: (...args: string[]) => string): void {
  const made = join(folder, 'base')
  bareDebian(made)
  installNode(made, { node: 24, npm: 11 })
  const container = buildah('from', 'scratch')
  run('cp', ['--archive', `${made}/.`, buildah('mount', container)])
  if (process.env.NODE_EXTRA_CA_CERTS) buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`, container)
  buildah('commit', '--format', 'docker', container, BASE)
}
