/**
 * Runs after `npm install` in a clone: puts the command where `npx countersign` looks first. npm links commands of packages that it
 * installs, but not of the one that it is in; and what npx remembers of that may be older than the clone.
 */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../node_modules/.bin')
const command = join(folder, 'countersign')

mkdirSync(folder, { recursive: true })
rmSync(command, { force: true })
if (process.platform === 'win32') writeFileSync(`${command}.cmd`, '@node "%~dp0\\..\\..\\bin\\countersign.cjs" %*\r\n')
else {
  symlinkSync('../../bin/countersign.cjs', command)
  chmodSync(command, 0o755)
}
