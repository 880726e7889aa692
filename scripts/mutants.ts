/**
 * `npm run mutants -- lib/mapping/hl7/statuses.ts` changes a file in small ways, one at a time, and runs the tests nearest to it.
 * A change that no test notices survives and is printed: add a test, or explain why the change does not matter.
 * Any further arguments are the test files to run, in place of the nearest ones.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const [path, ...named] = process.argv.slice(2)
if (path === undefined || !existsSync(join(root, path)))
  throw new Error('The path of a source file is required, such as lib/mapping/hl7/statuses.ts.')

const tests = named.length > 0 ? named : testsNear(dirname(path))
if (tests.length === 0) throw new Error(`No tests are near ${path}. Name the test files after it.`)

const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
const config = join(folder, 'stryker.json')
writeFileSync(
  config,
  JSON.stringify({
    // Its runner for mocha does not know mocha 12, and its check of types does not know TypeScript 7.
    testRunner: 'command',
    commandRunner: { command: `node node_modules/mocha/bin/mocha.js --bail ${tests.join(' ')}` },
    checkers: [],
    tsconfigFile: 'none.json',
    mutate: [path],
    concurrency: 1,
    reporters: ['clear-text', 'json'],
    clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
    jsonReporter: { fileName: join(folder, 'mutants.json') },
    tempDirName: join(folder, 'sandbox'),
    ignorePatterns: ['/dist', '/out', '/examples'],
    allowConsoleColors: false,
  }),
)
const { status } = spawnSync(process.execPath, ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', config], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1

/** Returns the tests of the closest folder that mirrors a folder of the sources. */
function testsNear(sources: string): string[] {
  const found = globSync(`test/${sources}/**/*.test.ts`, { cwd: root }).sort()
  return found.length > 0 || !sources.includes('/') ? found : testsNear(dirname(sources))
}
