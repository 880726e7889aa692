/** `npm run check:updates`: how it judges the output of npm, and, through npm itself, the answers of a registry. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { expect } from 'chai'
import { advisoriesOf, behindOf, behindWithin, judgeRegistry } from '../../scripts/check-updates.ts'
import { aFolder } from '../support/a-folder.ts'
import { ensureBuilt } from '../support/built.ts'
import { type Ran, ran } from '../support/processes.ts'

const OURS = [
  { name: 'jose', version: '6.2.17', isBundled: false },
  { name: 'cookie', version: '0.7.2', isBundled: false },
  { name: 'cookie', version: '2.0.2', isBundled: false },
  { name: 'keyv', version: '5.6.0', isBundled: false },
  { name: 'kysely', version: '0.29.9', isBundled: true },
  { name: '@cantoo/pdf-lib', version: '2.11.1', isBundled: true },
  { name: 'brotli', version: '1.3.3', isBundled: true },
  { name: 'express', version: '5.3.0', isBundled: false },
  { name: '@opentelemetry/api', version: '1.9.1', isBundled: false },
]
const DEPENDENCIES = { jose: '^6.2.17', keyv: '^5.6.0', express: '^5.3.0' }
const behind = (name: string, current: string, wanted: string, latest: string) =>
  behindOf({ [name]: { current, wanted, latest } }, OURS, DEPENDENCIES)

describe('The check for updates', () => {
  it('says what to do about an installed package, and about a bundled one', () => {
    expect(behind('jose', '6.2.17', '6.2.18', '6.2.18')).to.deep.equal([
      'jose 6.2.17: 6.2.18 is there: npm update jose.',
    ])
    expect(behind('kysely', '0.29.9', '0.29.9', '0.30.0')).to.deep.equal([
      'kysely 0.29.9 is bundled, and 0.30.0 is there: npm install --save-dev kysely@0.30.0, then release.',
    ])
    expect(behind('express', '5.3.0', '5.3.0', '6.0.0')[0]).to.include('give the reason')
  })

  it('knows a bundled package that is installed by another name', () => {
    expect(behind('pdf-lib:@cantoo/pdf-lib@2.11.1', '2.11.1', '2.11.1', '2.12.0')).to.deep.equal([
      '@cantoo/pdf-lib 2.11.1 is bundled, and 2.12.0 is there: npm install --save-dev pdf-lib@npm:@cantoo/pdf-lib@2.12.0, then release.',
    ])
  })

  it('lets a package wait that has a reason, but not for a version that is allowed', () => {
    expect(behind('keyv', '5.6.0', '5.6.0', '6.1.0')).to.deep.equal([])
    expect(behind('keyv', '5.6.0', '5.6.1', '6.1.0')).to.have.length(1)
  })

  it('says nothing of tools, nor of what only another package asks for, nor of a tag on an older release line', () => {
    expect(behind('mocha', '12.0.3', '12.0.3', '13.0.0')).to.deep.equal([])
    expect(behind('@opentelemetry/api', '1.9.1', '1.9.1', '1.10.0')).to.deep.equal([])
    expect(behind('kysely', '0.29.9', '0.29.9', '0.28.19')).to.deep.equal([])
  })

  it('reports a bundled package that another one asks for, when all that ask for it admit a newer one', () => {
    const asks = (wanted: string, current = '1.3.3') => ({ current, wanted, latest: '2.0.0' })
    const within = (...asked: ReturnType<typeof asks>[]) => behindWithin({ brotli: asked }, OURS, DEPENDENCIES)
    expect(within(asks('1.3.5'), asks('1.3.4'))).to.deep.equal([
      'brotli 1.3.3 is bundled, and 1.3.4 is there: npm update brotli, then release.',
    ])
    expect(behindWithin({ brotli: asks('1.3.4') }, OURS, DEPENDENCIES)).to.have.length(1)
    expect(within(asks('1.3.3'), asks('1.3.4')), 'one of them needs this version').to.deep.equal([])
    expect(within(asks('1.2.9', '1.2.0')), 'a copy of a tool').to.deep.equal([])
    expect(behindWithin({ jose: asks('6.2.18', '6.2.17') }, OURS, DEPENDENCIES), 'not bundled').to.deep.equal([])
    const own = { kysely: asks('0.29.10', '0.29.9') }
    expect(behindWithin(own, OURS, { kysely: '0.29.9' }), 'reported as a package of our own').to.deep.equal([])
  })

  it('reports advisories of what is in the package, in the version that is in it, and a registry without any', () => {
    const via = [{ title: 'Bad', url: 'https://example.org/1' }]
    const one = (folder: string) => ({ severity: 'high', via, nodes: [folder] })
    const versionAt = (folder: string) => ({ jose: '6.2.17', old: '0.7.2', tool: '0.4.0', mocha: '12.0.3' })[folder]
    const said = (vulnerabilities: Record<string, ReturnType<typeof one>>) =>
      advisoriesOf({ vulnerabilities }, OURS, versionAt)
    expect(said({ jose: one('jose'), mocha: one('mocha') })).to.deep.equal([
      'jose 6.2.17 has an advisory of severity high: Bad (https://example.org/1).',
    ])
    expect(said({ cookie: one('old') }).join()).to.match(/^cookie 0\.7\.2 has an advisory/)
    expect(said({ cookie: one('tool') }), 'a copy of a tool').to.deep.equal([])
    expect(said({})).to.deep.equal([])
    expect(advisoriesOf({ message: '405 Method Not Allowed' }, OURS, versionAt)[0]).to.include('405 Method Not Allowed')
  })

  it('does not believe a registry that knows no advisory of a version that has some', () => {
    expect(judgeRegistry({ vulnerabilities: {} }).join()).to.include('minimist 0.0.8')
    const minimist = { severity: 'critical', via: [], nodes: ['node_modules/minimist'] }
    expect(judgeRegistry({ vulnerabilities: { minimist } })).to.deep.equal([])
  })
})

/** Answers of the registry of npm about advisories, by the names of packages. */
type Advisories = Record<string, { vulnerable_versions: string; title: string }>

describe('The check for updates, with a registry', function () {
  this.timeout(300_000)
  const MINIMIST = { minimist: { vulnerable_versions: '<0.2.4', title: 'Prototype pollution' } }
  let registry: Server
  let known: Advisories
  /** The versions of packages that the registry has; it knows no others. */
  let published: Record<string, string[]>

  before(async () => {
    ensureBuilt()
    registry = createServer(async (request, response) => {
      const isBulk = request.method === 'POST' && request.url === '/-/npm/v1/security/advisories/bulk'
      const name = decodeURIComponent(request.url!.slice(1))
      const answer = isBulk ? await advisoriesFor(request) : published[name] && packument(name, published[name])
      // npm sends no POST again, so it must not meet a connection that is closed because a busy machine left it idle.
      const headers = { 'content-type': 'application/json', connection: 'close' }
      response.writeHead(answer ? 200 : 404, headers).end(JSON.stringify(answer ?? {}))
    })
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  })
  after(() => new Promise((resolve) => registry.close(resolve)))
  beforeEach(() => {
    known = MINIMIST
    published = {}
  })

  async function advisoriesFor(request: IncomingMessage): Promise<object> {
    const isPacked = request.headers['content-encoding'] === 'gzip'
    const asked = (await json(isPacked ? request.pipe(createGunzip()) : request)) as Record<string, string[]>
    const one = { id: 1, url: 'https://example.org/advisory', severity: 'high', cwe: [], cvss: { score: 0 } }
    return Object.fromEntries(
      Object.entries(known)
        .filter(([name]) => asked[name])
        .map(([name, advisory]) => [name, [{ ...one, ...advisory }]]),
    )
  }

  const packument = (name: string, versions: readonly string[]) => ({
    name,
    'dist-tags': { latest: versions.at(-1) },
    versions: Object.fromEntries(versions.map((version) => [version, { name, version, dist: {} }])),
  })

  const checked = (): Promise<Ran> => {
    const { port } = registry.address() as AddressInfo
    // As where other tests have loaded Node-RED, which sets it; npm then leaves out what is bundled, unless it is told not to.
    const settings = {
      NODE_ENV: 'production',
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: aFolder(),
    }
    return ran(['scripts/check-updates.ts'], { env: { ...process.env, ...settings } })
  }

  it('ends well when there is no advisory and nothing newer', async () => {
    const { code, stdout, stderr } = await checked()
    expect(stderr).to.equal('')
    expect(code).to.equal(0)
    expect(stdout).to.match(/\d{3} packages have no advisory and are current/)
  })

  it('fails for an advisory of an installed package and of a bundled one, and not for one of a tool or of another version', async () => {
    known = {
      ...MINIMIST,
      axios: { vulnerable_versions: '<99', title: 'Sends to anyone' },
      '@cantoo/pdf-lib': { vulnerable_versions: '<99', title: 'Reads forever' },
      mocha: { vulnerable_versions: '<99', title: 'Of a tool' },
      express: { vulnerable_versions: '<5', title: 'Of the copy of a tool' },
    }
    const { code, stderr } = await checked()
    expect(code).to.equal(1)
    expect(stderr).to.match(
      /^axios \S+ has an advisory of severity high: Sends to anyone \(https:\/\/example\.org\/advisory\)\.$/m,
    )
    expect(stderr).to.match(/^@cantoo\/pdf-lib \S+ has an advisory of severity high: Reads forever /m)
    expect(stderr.trim().split('\n')).to.have.length(2)
  })

  it('fails for a newer version of a bundled package, and when no version ever had an advisory, as some registries answer', async () => {
    known = {}
    published = { kysely: ['0.29.9', '99.0.0'], '@cantoo/pdf-lib': ['2.11.1', '99.0.0'] }
    const { code, stderr } = await checked()
    expect(code).to.equal(1)
    expect(stderr).to.match(/^kysely \S+ is bundled, and 99\.0\.0 is there/m)
    expect(stderr).to.match(/^@cantoo\/pdf-lib \S+ is bundled, and 99\.0\.0 is there/m)
    expect(stderr).to.include('The registry has no advisories')
  })
})
