/** Keeps compiled code between the processes of the tests, hundreds of which load the same sources. Mocha loads this first. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../node_modules/.cache/compiled')

enableCompileCache(folder)
// For the processes and threads that tests start.
process.env.NODE_COMPILE_CACHE ??= folder
