#!/usr/bin/env node
/**
 * The command `countersign`: runs what was built, or in a clone without a build the sources. Node.js versions of any age can read
 * this file, so that one that is too old says so.
 */
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { problem } = require('../commonjs/floor.cjs')
const { keepCompiled } = require('./compile-cache.cjs')
const { quietSqlite } = require('./quiet-sqlite.cjs')

if (problem) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
quietSqlite()
keepCompiled()
const built = join(__dirname, '../dist/server/main.js')
import(existsSync(built) ? '../dist/server/main.js' : '../server/main.ts')
