/** Nothing that tests start goes unheard, and what is heard is searched well. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { CANARY } from './support/canary.ts'
import { type Import, importsOf } from './support/graph/imports.ts'
import { createUnsearched, told } from './support/overheard.ts'
import { aPatient, textsOfPatient } from './support/service/a-patient.ts'

const root = join(import.meta.dirname, '..')
const isWithin = (file: string, place: string) => file === place || file.startsWith(`${place}/`)

/** What speaks, and the only places of the tests that may make it: they listen. */
const SPEAKERS: Readonly<Record<string, readonly string[]>> = {
  'server/index.ts': ['test/support/service/a-service.ts'],
  'server/main.ts': [],
  'server/cli/run.ts': ['test/support/commands/called.ts'],
  'lib/client/client.ts': ['test/support/service/a-client.ts'],
  'lib/index.ts': [],
  'node:child_process': [
    'test/support/processes.ts',
    // Tools, which know of no patient: the build of this package, and programs of others.
    'test/support/built.ts',
    'test/support/a-pipe.ts',
    'test/support/browser/chromium.ts',
    'test/support/network/nginx.ts',
    'test/support/store/postgres/a-postgres.ts',
    'test/support/store/a-redis.ts',
    'test/support/store/limit-writes.ts',
    'test/support/container/debian.ts',
    'test/support/seen',
    'test/long/guide-runners.long.ts',
  ],
}
/** Run by hand, outside of the suite. */
const BY_HAND = ['test/fixtures', 'test/bench', 'test/types.ts']
/** A page's test, whose client only asks how far the task is. */
const ONLY_ASKS = ['test/pages/inject-to-signed.timed.test.ts']
/** Tests that call nothing: of clients that are refused, and of the names of exports. */
const SILENT = ['test/lib/client/exchange/client-settings.test.ts', 'test/lib/client/exchange/guide.test.ts']

const isUnheard = ({ from, to, isType }: Import) =>
  !isType &&
  SPEAKERS[to]?.some((place) => isWithin(from, place)) === false &&
  ![...BY_HAND, ...ONLY_ASKS, ...SILENT].some((place) => isWithin(from, place))

describe('what is said while the tests run', () => {
  it('is overheard: no test starts a service, a process or a client past the support that listens', () => {
    const unheard = importsOf(root, ['test']).filter(isUnheard)
    expect(unheard.map(({ from, to }) => `${from} imports ${to}`)).to.deep.equal([])
  })

  it('would be found in any form', () => {
    const { family } = textsOfPatient()
    for (const said of [
      `{"msg":"patient ${family}"}`,
      `?patient=${encodeURIComponent(CANARY.externalDocId)}`,
      Buffer.from(`{"family":"${family}"}`).toString('base64'),
      `seen by Alma, today`,
      'csk_test_ABCDEFGHIJK_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ_012345',
    ])
      expect(told(said), said).to.have.length(1)
    expect(told('Calmamente, 1948-03-13, EHR|DOC-000124, csk_test_ABCDEFGHIJK')).to.deep.equal([])
  })

  it('is searched once, and where a search fell in the middle of a secret', () => {
    const said = createUnsearched()
    said.keep(`patient ${CANARY.family}`)
    const hear = said.keepPieces()
    hear(`key ${CANARY.key.slice(0, 40)}`)
    expect(told(said.take())).to.have.length(1)
    expect(told(said.take())).to.deep.equal([])
    hear(CANARY.key.slice(40))
    expect(told(said.take()).join()).to.contain('canary key')
    hear('.'.repeat(2_000))
    said.take()
    expect(told(said.take())).to.deep.equal([])
  })

  it('is searched for the patient of the examples and of the demo, because that is the patient of the tests', () => {
    const { externalId, names, birthDate, addresses, identifiers, telecoms } = aPatient()
    const known = [externalId, names[0]?.family, names[0]?.given[0], birthDate]
    const places = [addresses[0]?.line, identifiers[0]?.value, telecoms[0]?.value]
    const folder = join(root, 'examples')
    let patients = 0
    for (const file of readdirSync(folder)) {
      for (const node of JSON.parse(readFileSync(join(folder, file), 'utf8')) as ExampleNode[]) {
        if (node.type !== 'countersign-create-task') continue
        patients++
        expect(
          textsOf(
            node.names,
            node.addresses?.map(({ line }) => line),
            node.identifiers,
            node.telecoms,
          ),
          file,
        ).to.include.members([...known.slice(1, 3), ...places])
        expect([node.externalId, node.birthDate], file).to.deep.equal([externalId, birthDate])
      }
    }
    expect(patients).to.be.above(6)
    const demo = readFileSync(join(root, 'scripts/demo.ts'), 'utf8')
    for (const text of [...known, ...places.slice(0, 2)]) expect(demo).to.contain(text)
  })
})

interface ExampleNode {
  type: string
  externalId: string
  birthDate: string
  names: unknown
  addresses?: { line: unknown }[]
  identifiers: unknown
  telecoms: unknown
}

/** Every `value` of typed inputs, however deep. */
function textsOf(...parts: unknown[]): string[] {
  return parts.flatMap((part) => {
    if (typeof part !== 'object' || part === null) return []
    const { value } = part as { value?: unknown }
    return [...(typeof value === 'string' ? [value] : []), ...textsOf(...Object.values(part))]
  })
}
