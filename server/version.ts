/** The version of the package, read from its own package.json: beside the sources, and beside what is built from them. */
import { readFileSync } from 'node:fs'
import { fileAt, isBuilt } from '../lib/places.ts'

const manifest = fileAt(isBuilt ? '../package.json' : 'package.json')

export const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
