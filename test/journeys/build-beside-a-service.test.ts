/** A service goes on while its clone is built anew beneath it: every page, and what the pages load, at every moment. */
import { cpSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { ensureBuilt, root } from '../support/built.ts'
import { patience } from '../support/patience.ts'
import { ran } from '../support/processes.ts'
import { realTimePasses } from '../support/real-time.ts'
import { type Served, serve } from '../support/service/served.ts'

const BUILT_FROM = [
  'lib',
  'server',
  'nodes',
  'testing',
  'commonjs',
  'scripts',
  'bin',
  'resources',
  'docs',
  'dist',
  'tsconfig.json',
  'tsconfig.build.json',
]
const PAGES = ['/inbox', '/console', '/verify', '/docs']
const TABLES = ['/api/v1/signature/tasks', '/inbox/api/documents', '/admin/v1/tasks', '/sandbox/v1/clock']

describe('building beside a running service', function () {
  this.timeout(180_000)

  const clone = join(aFolder(), 'clone')
  let service: Served
  let script: string
  before(async () => {
    ensureBuilt()
    for (const name of [...BUILT_FROM, 'package.json', 'package-lock.json'])
      cpSync(join(root, name), join(clone, name), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
    script = /src="([^"]+)"/.exec(readFileSync(join(clone, 'dist/server/web/inbox.html'), 'utf8'))![1]!
    service = await serve(['--sandbox', '--data', ':memory:'], {}, join(clone, 'dist/server/main.js'))
  })
  after(() => service?.kill())

  it('answers in every table, though nobody had asked there before the old build was gone', async () => {
    // Half a second after its start, the service loads what it has not needed yet.
    await realTimePasses(patience(1_000))
    const [dist, away] = [join(clone, 'dist'), join(clone, 'dist.away')]
    renameSync(dist, away)
    const answers = await Promise.all(TABLES.map((path) => fetch(service.baseUrl + path)))
    renameSync(away, dist)
    expect(answers.map(({ status }) => status)).to.deep.equal(TABLES.map(() => 401))
  })

  it('finds its pages, and what they load, as soon as the new build is there', async () => {
    const [dist, away] = [join(clone, 'dist'), join(clone, 'dist.away')]
    const statuses = () =>
      Promise.all([...PAGES, script].map(async (path) => (await fetch(service.baseUrl + path)).status))
    await statuses()
    renameSync(dist, away)
    const asked = statuses()
    await realTimePasses(200)
    renameSync(away, dist)
    expect(new Set(await asked)).to.deep.equal(new Set([200]))
  })

  it('says so where a page is not built', async () => {
    const [page, away] = ['inbox.html', 'inbox.away'].map((name) => join(clone, 'dist/server/web', name))
    renameSync(page!, away!)
    const response = await fetch(`${service.baseUrl}/inbox`, { headers: { accept: 'application/json' } })
    renameSync(away!, page!)
    expect([response.status, response.headers.get('etag')]).to.deep.equal([503, null])
    expect(await response.text()).to.contain('The pages are not built. Run npm run build')
  })

  it('leaves no request without its answer, and puts the new build in the place of the old one', async () => {
    const before = statSync(join(clone, 'dist')).ino
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
