/**
 * `npm run mutants -- lib/mapping/hl7` changes a file, or each file of a folder, in small ways, one at a time, and runs those of the nearest
 * tests that reach the change. A change that no test notices survives and is printed: add a test, or explain why the change does not matter.
 * Any further arguments are the test files to run, in place of the nearest ones.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const [path, ...named] = process.argv.slice(2)
if (path === undefined || !existsSync(join(root, path)))
  throw new Error('The path of a source file or folder is required, such as lib/mapping/hl7/statuses.ts.')

const isFolder = statSync(join(root, path)).isDirectory()
const tests = named.length > 0 ? named : testsNear(isFolder ? path : dirname(path))
if (tests.length === 0) throw new Error(`No tests are near ${path}. Name the test files after it.`)

const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
const config = join(folder, 'stryker.json')
writeFileSync(
  config,
  JSON.stringify({
    plugins: [join(root, 'scripts/mocha-runner.ts')],
    testRunner: 'mocha-in-process',
    coverageAnalysis: 'perTest',
    mochaRunner: { tests },
    // Its check of types does not know TypeScript 7.
    checkers: [],
    tsconfigFile: 'none.json',
    mutate: [isFolder ? `${path}/**/*.ts` : path],
    // Each would need a process of its own. They are counted, and those of one file are run when it is named.
    ignoreStatic: isFolder,
    // Other work may keep the processors busy; a loop without an end is noticed by counting.
    timeoutMS: 60_000,
    concurrency: 1,
    reporters: ['clear-text', 'json'],
    clearTextReporter: { logTests: false, allowColor: false, reportTests: false, reportScoreTable: true },
    jsonReporter: { fileName: join(folder, 'mutants.json') },
    tempDirName: join(folder, 'sandbox'),
    ignorePatterns: ['/dist', '/out', '/examples'],
    allowConsoleColors: false,
    warnings: { unknownOptions: false },
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
