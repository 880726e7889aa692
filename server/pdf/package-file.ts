/** Where the files are that are read from a package as they are: fonts, and code for WebAssembly. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { fileAt, isBuilt } from '../../lib/places.ts'

const { resolve } = createRequire(import.meta.url)

/**
 * Returns the path of a file of a package that development has and an installation has not: the build takes the file along.
 * @param name the name of the package, and the path of the file in it
 */
export const packageFile = (name: string): string =>
  isBuilt ? fileURLToPath(fileAt(`packages/${name}`)) : resolve(name)
