/** Where the files are that are read from a package as they are: fonts, and code for WebAssembly. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// The extension of this file tells whether sources or the compiled package run.
const isBuilt = import.meta.url.endsWith('.js')
const { resolve } = createRequire(import.meta.url)

/**
 * Returns the path of a file of a package that development has and an installation has not: the build takes the file along.
 * @param name the name of the package, and the path of the file in it
 */
export const packageFile = (name: string): string =>
  isBuilt ? fileURLToPath(new URL(`../../packages/${name}`, import.meta.url)) : resolve(name)
