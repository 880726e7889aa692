/** Imports go down only. The folders of the sources are floors; each may stand on those named here and on nothing else. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { drawn, folderGraph, inCircles, room } from './support/graph/folder-graph.ts'
import { type Import, importsOf } from './support/graph/imports.ts'

const root = join(import.meta.dirname, '..')

/** The door of the service: what happens behind it may not know of requests. */
const doors = ['server/http', 'server/sandbox']
const inside = ['server/domain', 'server/store', 'server/keys', 'server/pdf', 'server/choices.ts']
const upstairs = [...inside, 'server/people', 'server/signing', 'server/workers', 'server/operations', 'lib']

/** Of several that fit, the longest name counts; a floor may always import itself. */
const floors: Readonly<Record<string, readonly string[]>> = {
  'lib/contract': [],
  'lib/profile': ['lib/contract', 'lib/plain-file.ts'],
  'lib/hl7': ['lib/clock.ts'],
  lib: ['lib'],
  'server/choices.ts': ['server/domain', 'lib'],
  'server/domain': [
    'server/choices.ts',
    'lib/contract',
    'lib/pdf',
    'lib/back-off.ts',
    'lib/name-fold.ts',
    'lib/search.ts',
    'lib/time-zone.ts',
  ],
  'server/tunnel.ts': ['server/domain'],
  'server/store': ['server/domain', 'server/choices.ts', 'server/tunnel.ts', 'server/version.ts', 'lib'],
  'server/pdf': ['lib'],
  'server/keys': [...inside, 'lib'],
  'server/people': [...inside, 'server/tunnel.ts', 'lib'],
  'server/signing': [...inside, 'lib'],
  'server/workers': [...inside, 'server/node-http.ts', 'server/tunnel.ts', 'lib'],
  'server/operations': [...inside, 'server/people', 'server/signing', 'lib'],
  ...Object.fromEntries(doors.map((door) => [door, [...upstairs, ...doors]])),
  'server/web': ['lib'],
  server: ['server', 'lib'],
  nodes: ['lib', 'nodes'],
  testing: ['lib', 'server/door.ts', 'server/operations/sandbox'],
}

/** Packages that only some places may import; types of them may go where the values go on a floor below. */
const packages: Readonly<Record<string, readonly string[]>> = {
  express: doors,
  kysely: ['server/store'],
  aws4: ['server/store/bucket', 'server/workers/external-key'],
  hpagent: ['server/tunnel.ts'],
  axios: ['lib/client', 'lib/fhir', 'server/workers'],
  jose: ['lib/fhir', 'server/workers/external-key'],
  'pdfjs-dist': ['lib/pdf/text/content-reader.ts', 'server/web/placing'],
  'iconv-lite': ['lib/hl7'],
  commander: ['server/cli'],
  nodemailer: ['server/workers/notices'],
  'prom-client': ['server/metrics'],
  'openid-client': ['server/people/sign-on'],
  pino: ['server/index.ts', 'server/cli'],
}

const isIn = (file: string, place: string) => file === place || file.startsWith(`${place}/`)
const floorOf = (file: string) =>
  Object.keys(floors)
    .filter((name) => isIn(file, name))
    .sort((a, b) => b.length - a.length)[0] ?? ''

/** The one door from the nodes to the service: types, and values when a flow needs them. */
const isEmbedding = ({ from, isLazy, isType }: Import) => from === 'nodes/embedded-service.ts' && (isLazy || isType)
/** Pages are built for a browser and take nothing of the service but the shape of its answers. */
const isAnswerOfPage = ({ from, isType }: Import) => isIn(from, 'server/web') && isType

function goesUp(found: Import): boolean {
  const floor = floorOf(found.from)
  if (found.isPackage || isIn(found.to, floor) || isEmbedding(found) || isAnswerOfPage(found)) return false
  return !floors[floor]?.some((place) => isIn(found.to, place))
}

function isForeign({ from, to, isPackage, isType }: Import): boolean {
  if (!isPackage || isType) return false
  if (isIn(from, 'lib/contract')) return to !== 'zod'
  if (isIn(from, 'server/domain')) return !(from === 'server/domain/address.ts' && to === 'node:net')
  if (isIn(from, 'server/operations')) return to !== 'zod'
  return packages[to] !== undefined && !packages[to].some((place) => isIn(from, place))
}

const violations = (tree: string) =>
  importsOf(tree, ['lib', 'server', 'testing', 'nodes'])
    .filter((found) => goesUp(found) || isForeign(found))
    .map(({ from, to }) => `${from} imports ${to}`)

/** The rooms of the library: the folders in its folders. */
const rooms = (tree: string, folder: string) => folderGraph(importsOf(tree, [folder]), room)

const graph = (tree: string) => folderGraph(importsOf(tree, ['lib', 'server', 'testing', 'nodes']))

const REFUSED_NAMES = /(^|\/)(utils?|helpers?|common|misc)(\/|\.ts$)/
const refusedNames = (tree: string) =>
  globSync('{lib,server,testing,nodes,scripts,test}/**', { cwd: tree }).filter(
    (path) => REFUSED_NAMES.test(path) && !path.startsWith('test/fixtures/'),
  )

describe('The floors', () => {
  it('no file imports from a floor above its own, or a package that is not for it', () => {
    expect(violations(root)).to.deep.equal([])
  })

  it('nothing is called utils, helpers, common or misc', () => {
    expect(refusedNames(root)).to.deep.equal([])
  })

  it('no folder stands on itself by way of others', () => {
    expect(inCircles(graph(root))).to.deep.equal([])
  })

  for (const folder of ['lib', 'server/store', 'nodes/shared'])
    it(`no room of ${folder} stands on itself by way of others`, () => {
      expect(inCircles(rooms(root, folder))).to.deep.equal([])
    })

  it('the folders stand on each other as ARCHITECTURE.md draws them', () => {
    const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const drawing = /<!-- folders -->\n```\n([\s\S]*?)\n```\n<!-- \/folders -->/.exec(architecture)?.[1]
    expect(drawing, 'put the expected drawing between the marks').to.equal(drawn(graph(root)))
  })

  it('would be found if they were broken', () => {
    const fixture = join(import.meta.dirname, 'fixtures/floors')
    expect(violations(fixture).sort()).to.deep.equal([
      'lib/contract/reaches-aside.ts imports lib/client/caller.ts',
      'lib/contract/reads-files.ts imports node:fs',
      'lib/reaches-up.ts imports server/domain/rule.ts',
      'nodes/embedded-service.ts imports server/index.ts',
      'nodes/starts-a-service.ts imports server/index.ts',
      'server/domain/tells-the-time.ts imports node:perf_hooks',
      'server/operations/speaks-http.ts imports express',
      'server/operations/speaks-http.ts imports server/http/app.ts',
      'server/store/asks-an-operation.ts imports server/operations/speaks-http.ts',
    ])
    expect(refusedNames(fixture)).to.deep.equal(['lib/helpers/dates.ts'])
    expect(inCircles(graph(fixture))).to.include.members(['lib/client', 'lib/webhook'])
    expect(inCircles(rooms(fixture, 'lib'))).to.include.members(['lib/pdf/file', 'lib/pdf/guard'])
  })
})
