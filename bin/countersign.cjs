#!/usr/bin/env node
/**
 * The command `countersign`: runs what was built, or in a clone without a build the sources. Node.js versions of any age can read
 * this file, so that one that is too old says so.
 */
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { engines } = require('../package.json')

const [needed, given] = [engines.node.replace('>=', ''), process.versions.node]
const [major, minor] = given.split('.').map(Number)
const [leastMajor, leastMinor] = needed.split('.').map(Number)

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  process.stderr.write(`Countersign needs Node.js ${needed} or later, and this is ${given}.\n`)
  process.exit(1)
}
const built = join(__dirname, '../dist/server/main.js')
import(existsSync(built) ? '../dist/server/main.js' : '../server/main.ts')
