/** A service goes on while its clone is built anew beneath it: every page, and what the pages load, at every moment. */
import { cpSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { ensureBuilt, root } from '../support/built.ts'
import { ran } from '../support/processes.ts'
import { realTimePasses } from '../support/real-time.ts'
import { serve } from '../support/service/served.ts'

const BUILT_FROM = [
  'lib',
  'server',
  'nodes',
  'testing',
  'commonjs',
  'scripts',
  'bin',
  'resources',
  'dist',
  'tsconfig.json',
  'tsconfig.build.json',
]
const PAGES = ['/inbox', '/console', '/verify', '/docs']

describe('building beside a running service', function () {
  this.timeout(180_000)

  it('leaves no request without its answer, and puts the new build in the place of the old one', async () => {
    ensureBuilt()
    const clone = join(aFolder(), 'clone')
    for (const name of [...BUILT_FROM, 'package.json']) cpSync(join(root, name), join(clone, name), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
    const before = statSync(join(clone, 'dist')).ino
    const service = await serve(['--sandbox', '--data', ':memory:'], {}, join(clone, 'dist/server/main.js'))
    let isBuilding = true
    const built = ran([join(clone, 'scripts/build.ts')], { cwd: clone }).finally(() => {
      isBuilding = false
    })
    const answers = new Map<string, number>()
    const ask = async (path: string) => {
      const response = await fetch(service.baseUrl + path)
      const text = await response.text()
      const answer = `${path} ${response.status}`
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      return text
    }
    const script = /src="([^"]+)"/.exec(readFileSync(join(clone, 'dist/server/web/inbox.html'), 'utf8'))![1]!
    while (isBuilding) {
      for (const path of [...PAGES, '/health-check', script]) await ask(path)
      // The build gets its share of the machine.
      await realTimePasses(10)
    }
    expect(await built).to.include({ code: 0 })
    for (const path of [...PAGES, script]) await ask(path)
    expect([...answers.keys()].sort()).to.deep.equal(
      [...PAGES, '/health-check', script].map((path) => `${path} 200`).sort(),
    )
    expect(statSync(join(clone, 'dist')).ino).not.to.equal(before)
    expect(await service.stop()).to.equal(0)
  })
})
