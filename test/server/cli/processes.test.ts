/** A command says and ends with the same in a process of its own as in this one, where most of the tests call it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { commands } from '../../../server/cli/commands.ts'
import { aFolder } from '../../support/a-folder.ts'
import { called } from '../../support/commands/called.ts'
import { countersign } from '../../support/service/served.ts'

const env = { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }

/** One call or two of each, which change nothing, with the exit code. */
const CALLS: Readonly<Record<string, readonly (readonly [code: number, ...args: string[]])[]>> = {
  serve: [[2, '--port', 'http']],
  config: [
    [0, '--json'],
    [2, '--port', 'http'],
  ],
  organizations: [[0, 'list']],
  keys: [[0, 'list', '--json']],
  'operator-keys': [[2, 'revoke', 'none']],
  providers: [[0, 'list']],
  'document-types': [[0, 'list']],
  templates: [[0, 'list', '--organization', 'Willow Creek']],
  people: [[2, 'disable', '--email', 'nobody@example.org']],
  delegations: [[1, 'list', 'Nowhere']],
  deliveries: [[2, 'show', '99']],
  backup: [[2]],
  restore: [[2, 'no-backup', '--data', ':memory:']],
  audit: [
    [0, 'head'],
    [0, 'export'],
  ],
  'master-key': [[2, 'hunter2']],
  certificate: [[1, 'export']],
  verify: [
    [1, 'no.pdf'],
    [2, 'none.pdf'],
  ],
  record: [[2, '--url', 'nowhere', '--listen', '0', '--out', 'none']],
  conform: [[2, '--url', 'http://127.0.0.1:1', '--key', 'a key']],
  rehearse: [[2, 'none.json']],
  sandbox: [[2, 'reset', '--url', 'http://127.0.0.1:1']],
  map: [[1, '--from', 'fhir', '-']],
}

/** Those that have no store, or none in this call. */
const WITHOUT_STORE = ['serve', 'config', 'restore', 'verify', 'record', 'conform', 'rehearse', 'sandbox', 'map']

describe('a command in a process of its own', function () {
  this.timeout(60_000)
  const data = aFolder()
  before(async () => {
    const made = await called(['organizations', 'create', '--name', 'Willow Creek', '--data', data], env)
    expect(made.code).to.equal(0)
    writeFileSync(join(data, 'no.pdf'), 'no PDF')
  })

  it('is tried of all', () => {
    expect(Object.keys(CALLS)).to.deep.equal(Object.keys(commands))
  })

  for (const [name, calls] of Object.entries(CALLS))
    for (const [code, ...more] of calls)
      it(`${[name, ...more].join(' ')} → ${code}`, async () => {
        const operands = more.map((arg) => (arg.endsWith('.pdf') ? join(data, arg) : arg))
        const call = [name, ...operands, ...(WITHOUT_STORE.includes(name) ? [] : ['--data', data])]
        const there = await countersign(call, env, 'no JSON')
        expect(there).to.deep.equal(await called(call, env, 'no JSON'))
        expect(there.code).to.equal(code)
      })
})
