/**
 * Gives CommonJS the same modules that `import` gives, so that there is one of each class. The `require` of Node.js itself is
 * asked, because that of a test runner, such as jest, loads no ES modules.
 */
const { join } = require('node:path')
const { problem } = require('./floor.cjs')

/** @param file a door, below dist */
module.exports = (file) => {
  if (problem) throw new Error(problem)
  const { createRequire } = process.getBuiltinModule('node:module')
  return createRequire(__filename)(join(__dirname, '../dist', file))
}
