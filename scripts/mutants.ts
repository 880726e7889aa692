/**
 * `npm run mutants -- lib/mapping/hl7` changes a file, or each file of a folder, in small ways, one at a time, and runs those of the nearest
 * tests that reach the change. A change that no test notices survives and is printed: add a test, or explain why the change does not matter.
 * Several files and folders may be named. Test files among them run in place of the nearest ones. With `--share 0.1`, a tenth of the changes is
 * tried, always the same tenth.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { scores } from './mutant-scores.ts'

const root = join(import.meta.dirname, '..')
const { positionals: named, values } = parseArgs({ allowPositionals: true, options: { share: { type: 'string' } } })
const share = Number(values.share ?? 1)
if (!(share > 0 && share <= 1)) throw new Error('--share must be a number above 0, up to 1.')
const missing = named.find((path) => !existsSync(join(root, path)))
const sources = named.filter((path) => !path.endsWith('.test.ts'))
if (missing !== undefined) throw new Error(`${missing} does not exist. Name paths from the top of the repository.`)
if (sources.length === 0)
  throw new Error('The path of a source file or folder is required, such as lib/mapping/hl7/statuses.ts.')

const isFolder = (path: string) => statSync(join(root, path)).isDirectory()
const chosen = named.filter((path) => path.endsWith('.test.ts'))
const nearest = new Set(sources.flatMap((path) => testsNear(isFolder(path) ? path : dirname(path))))
const tests = chosen.length > 0 ? chosen : [...nearest]
if (tests.length === 0) throw new Error(`No tests are near ${sources.join(', ')}. Name the test files after it.`)

const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
const config = join(folder, 'stryker.json')
writeFileSync(
  config,
  JSON.stringify({
    plugins: [join(root, 'scripts/mocha-runner.ts')],
    testRunner: 'mocha-in-process',
    coverageAnalysis: 'perTest',
    mochaRunner: { tests, share, folder },
    // Its check of types does not know TypeScript 7.
    checkers: [],
    tsconfigFile: 'none.json',
    mutate: sources.map((path) => (isFolder(path) ? `${path}/**/*.ts` : path)),
    // A change of what runs while a module loads needs a process of its own. Name one file to have these, too.
    ignoreStatic: sources.length > 1 || sources.some(isFolder),
    // Other work may keep the processors busy; a loop without an end is noticed by counting.
    timeoutMS: 60_000,
    concurrency: 1,
    reporters: ['clear-text', 'json', 'progress-append-only'],
    clearTextReporter: { logTests: false, allowColor: false, reportTests: false, reportScoreTable: false },
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
if (status === 0) console.log(scores(readFileSync(join(folder, 'mutants.json'), 'utf8'), share))

/** Returns the tests of the closest folder that mirrors a folder of the sources. */
function testsNear(path: string): string[] {
  const found = globSync(`test/${path}/**/*.test.ts`, { cwd: root }).sort()
  return found.length > 0 || !path.includes('/') ? found : testsNear(dirname(path))
}
