/**
 * Runs before `npm start`, `npm test` and `npm run demo`: in a clone without its dependencies those would end with a stack trace. Any
 * version of Node.js can run it.
 */
const { existsSync } = require('node:fs')
const { join } = require('node:path')

if (!existsSync(join(__dirname, '../../node_modules/node/package.json'))) {
  process.stderr.write('The dependencies are not installed. Run npm install first.\n')
  process.exitCode = 1
}
