/** What the package takes when it is installed: its own files, and those of all packages that it needs. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './row.ts'

const root = join(import.meta.dirname, '../../..')

interface Locked {
  packages: Record<string, { dev?: boolean; devOptional?: boolean; peer?: boolean }>
}

export function installedRow(): Row {
  const { packages }: Locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const needed = Object.entries(packages)
    .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
    // Of packages for one platform, only those of this one are here.
    .filter(([path]) => existsSync(join(root, path)))
  const dependencies = needed.reduce((sum, [path]) => sum + bytesIn(path), 0)
  return { work: 'Installed, with all it needs', unit: 'MB', ours: [(dependencies + ownBytes()) / 1e6], floor: null }
}

/** Without packages within, which are entries of their own. */
function bytesIn(path: string): number {
  const files = globSync('**/*', { cwd: join(root, path), exclude: (name) => name === 'node_modules' })
  return files.reduce((sum, file) => {
    const stats = statSync(join(root, path, file))
    return sum + (stats.isFile() ? stats.size : 0)
  }, 0)
}

function ownBytes(): number {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const told = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [{ unpackedSize }] = JSON.parse(told) as [{ unpackedSize: number }]
  return unpackedSize
}
