/** The version of the package, read from its own package.json: one folder above the sources, two above what is built from them. */
import { existsSync, readFileSync } from 'node:fs'

const manifest = ['../package.json', '../../package.json']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))!

export const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
