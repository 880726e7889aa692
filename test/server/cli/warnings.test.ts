/** Warnings of Node.js do not break the log, which is lines of JSON. `npm run check:package` tries Node.js 22 itself. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { aFolder } from '../../support/a-folder.ts'
import { root } from '../../support/built.ts'
import { ran } from '../../support/processes.ts'
import { countersign, serve } from '../../support/service/served.ts'

const SQLITE = 'SQLite is an experimental feature and might change at any time'
const emits = (...args: string[]) => `process.emitWarning(${args.map((arg) => JSON.stringify(arg)).join(', ')});`

describe('Warnings of Node.js', function () {
  this.timeout(60_000)

  it('that SQLite is experimental are not printed by the command, and others are', async () => {
    const quiet = `require(${JSON.stringify(join(root, 'bin/quiet-sqlite.cjs'))}).quietSqlite();`
    const warnings = [
      emits(SQLITE, 'ExperimentalWarning'),
      emits('Another is an experimental feature', 'ExperimentalWarning'),
      emits(SQLITE, 'SomeWarning'),
      'process.emitWarning(new Error("with a stack"));',
    ].join('')
    const { stderr } = await ran(['--eval', quiet + warnings])
    expect(stderr).to.not.include(`ExperimentalWarning: ${SQLITE}`)
    expect(stderr)
      .to.include('ExperimentalWarning: Another')
      .and.include(`SomeWarning: ${SQLITE}`)
      .and.include('with a stack')
    expect((await ran(['--eval', warnings])).stderr).to.include(`ExperimentalWarning: ${SQLITE}`)
  })

  it('are logged by a service as lines of JSON', async () => {
    const preload = join(aFolder(), 'warns.mjs')
    writeFileSync(preload, `process.on('SIGTERM', () => { ${emits('it leaks', 'LeakWarning', 'LEAK1')} })`)
    const environment = { NODE_OPTIONS: `--import=${pathToFileURL(preload)}` }
    const service = await serve(['--sandbox', '--data', ':memory:'], environment)
    await service.stop()
    const logged = service.log().trim().split('\n')
    expect(logged.filter((line) => !line.startsWith('{'))).to.deep.equal([])
    const warned = logged.map((line) => JSON.parse(line)).find(({ warning }) => warning === 'LeakWarning')
    expect(warned).to.include({ level: 40, code: 'LEAK1', msg: 'it leaks' })
  })
})

describe('The log of a service', function () {
  this.timeout(60_000)
  const logOf = async (args: string[], environment: Record<string, string> = {}) => {
    const service = await serve(['--sandbox', '--data', ':memory:', ...args], environment)
    await fetch(`${service.baseUrl}/health-check`)
    await service.stop()
    return service
      .log()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }

  it('has the time of each line in UTC, and fields that the guide names', async () => {
    const lines = await logOf([])
    expect(lines.length).to.be.greaterThan(1)
    const guide = readFileSync(join(root, 'docs/guides/in-production.md'), 'utf8')
    for (const line of lines) {
      expect(line.time).to.equal(new Date(line.time).toISOString())
      for (const field of Object.keys(line)) expect(guide).to.include(`\`${field}\``)
    }
  })

  it('has only what is as important as --log-level or COUNTERSIGN_LOG_LEVEL says', async () => {
    expect(await logOf(['--log-level', 'warn'])).to.deep.equal([])
    expect(await logOf([], { COUNTERSIGN_LOG_LEVEL: 'silent' })).to.deep.equal([])
    expect(await logOf(['--log-level', 'info'], { COUNTERSIGN_LOG_LEVEL: 'silent' })).to.not.deep.equal([])
  })

  it('refuses another level', async () => {
    const { code, stderr } = await countersign(['serve', '--sandbox', '--data', ':memory:', '--log-level', 'loud'])
    expect({ code, stderr }).to.deep.equal({
      code: 2,
      stderr: 'countersign: --log-level: one of error, warn, info, silent\n',
    })
    const { stderr: named } = await countersign(['serve', '--sandbox', '--data', ':memory:'], {
      COUNTERSIGN_LOG_LEVEL: 'x',
    })
    expect(named).to.include('COUNTERSIGN_LOG_LEVEL: one of')
  })
})
