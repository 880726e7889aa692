/** The version of the package and its build, read from its own files: alongside the sources, and alongside what is built from them. */
import { readFileSync } from 'node:fs'
import { fileAt, isBuilt } from '../lib/places.ts'

const manifest = fileAt(isBuilt ? '../package.json' : 'package.json')

export const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }

/** The hash of what was built, by which two builds of a version are distinguished; `sources` where these run. */
export const build: string = isBuilt ? JSON.parse(readFileSync(fileAt('build.json'), 'utf8')).build : 'sources'
