/** Rehearsals of flows in a real Node-RED; `npm run test:long` plays all examples and all broken flows through every scenario. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { htmlOf } from '../../../lib/conform/report/html.ts'
import { junitOf } from '../../../lib/conform/report/junit.ts'
import { type Played, rehearse } from '../../../server/cli/rehearse/rehearsal.ts'
import type { FlowNode } from '../../../server/cli/rehearse/rehearsed-flow.ts'
import { rulesOf } from '../../../server/cli/rehearse/rules-of.ts'
import { sentenceOf } from '../../../server/cli/rehearse/verdict.ts'
import { aFolder } from '../../support/a-folder.ts'
import { root } from '../../support/built.ts'
import { called } from '../../support/commands/called.ts'
import { exampleFlow } from '../../support/node-red/examples/examples.ts'
import { started } from '../../support/processes.ts'
import { stages } from '../../support/rehearsal/a-stage.ts'
import { brokenFlows } from '../../support/rehearsal/broken-flows.ts'

const ARCHIVE = 'Archive and file the signed PDF'
const archive = () => exampleFlow(ARCHIVE) as FlowNode[]

describe('countersign rehearse', function () {
  this.timeout(300_000)
  const open = stages(1)
  const played = async (nodes: readonly FlowNode[], ...only: string[]): Promise<Played[]> =>
    (await rehearse(open, { nodes, only, onPlayed: () => {} })).played
  const sentences = (all: readonly Played[]) =>
    all.flatMap(({ scenario, failures }) => failures.map((failure) => sentenceOf(failure, scenario)))

  it('finds nothing wrong with a flow that records each outcome under an id of its document', async () => {
    const both = await played(archive(), 'all is well', 'the same messages again')
    expect(both.map(({ scenario }) => scenario)).to.deep.equal(['all is well', 'the same messages again'])
    expect(sentences(both)).to.deep.equal([])
  })

  for (const broken of ['record removed', 'a saved id from a counter'])
    it(`names the node and the scenario: ${broken}`, async () => {
      const { nodes, scenario, sentence } = brokenFlows().find((one) => one.broken === broken)!
      expect(sentences(await played(nodes, scenario))).to.deep.equal([sentence])
    })

  it('lets a flow reach no other system and no other folder', async () => {
    let calls = 0
    const other = createServer((_request, response) => {
      calls += 1
      response.end()
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const outside = join(aFolder(), 'outside.txt')
    const nodes = archive()
    const [button] = nodes.filter(({ type }) => type === 'inject')
    const z = button!.z
    const asking = { id: 'd000000000000001', z, type: 'http request', method: 'GET', ret: 'txt', wires: [[]] }
    const naming = {
      id: 'd000000000000002',
      z,
      type: 'change',
      rules: [{ t: 'set', p: 'filename', pt: 'msg', to: outside, tot: 'str' }],
      wires: [['d000000000000003']],
    }
    const writing = {
      id: 'd000000000000003',
      z,
      type: 'file',
      filename: 'filename',
      filenameType: 'msg',
      encoding: 'none',
      overwriteFile: 'false',
      wires: [[]],
    }
    const reaching = nodes.map((node) =>
      node === button ? { ...node, wires: [[...node.wires!.flat(), asking.id, naming.id]] } : node,
    )
    try {
      const [calm] = await played(
        [...reaching, { ...asking, url: `http://127.0.0.1:${port}/` }, naming, writing],
        'all is well',
      )
      expect(calm!.refused).to.have.members([
        `a connection to 127.0.0.1:${port}`,
        'a file outside of the folder of the rehearsal',
      ])
      expect(calls).to.equal(0)
      expect(existsSync(outside)).to.equal(false)
    } finally {
      other.close()
    }
  })

  it('is not ended by a Node-RED that has just died and is asked once more', async () => {
    const { red } = await open()[0]!
    const stopped = red.stop()
    // Until this is over, this process does not see the end of the other.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
    await Promise.all([red.turn(), stopped])
    expect(red.isRunning).to.equal(false)
  })

  it('says in one sentence why there is nothing to rehearse', async () => {
    const file = join(root, 'examples/Preview the fields of a document.json')
    const { code, stdout } = await called(['rehearse', file])
    expect({ code, stdout }).to.deep.equal({
      code: 0,
      stdout: 'The flows have no countersign-service that is enabled, so there is nothing to rehearse.\n',
    })
  })

  it('starts no node of another package that no one allowed', async () => {
    const file = join(aFolder(), 'flows.json')
    writeFileSync(file, JSON.stringify([...archive(), { id: 'e1', type: 'exec' }, { id: 'e2', type: 'mqtt out' }]))
    const { code, stderr } = await called(['rehearse', file])
    expect({ code, stderr }).to.deep.equal({
      code: 2,
      stderr:
        'countersign: FLOWS.json: nodes of the type exec, mqtt out may act on other systems. Remove them, or name each type with --allow.\n',
    })
  })

  it('names a type that the Node-RED does not have', async () => {
    const file = join(aFolder(), 'flows.json')
    writeFileSync(file, JSON.stringify([...archive(), { id: 'e1', type: 'unheard of' }]))
    const { code, stderr } = await called(['rehearse', file, '--allow', 'unheard of'])
    expect({ code, stderr }).to.deep.equal({
      code: 2,
      stderr: 'countersign: This Node-RED has no node of the type unheard of; install it next to Node-RED.\n',
    })
  })

  it('removes its files when it is ended', async () => {
    const folder = aFolder()
    const file = join(root, `examples/${ARCHIVE}.json`)
    const child = started([join(root, 'server/main.ts'), 'rehearse', file], { env: { ...process.env, TMPDIR: folder } })
    await new Promise<void>((resolve) => child.stdout!.once('data', () => resolve()))
    expect(readdirSync(folder).filter((name) => name.startsWith('countersign-rehearsal-'))).to.have.length(1)
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    child.kill('SIGINT')
    expect(await ended).to.equal(1)
    expect(readdirSync(folder).filter((name) => name.startsWith('countersign-rehearsal-'))).to.deep.equal([])
  })

  it('writes a report that is called a rehearsal', async () => {
    const report = join(aFolder(), 'rehearsal.xml')
    const file = join(aFolder(), 'flows.json')
    writeFileSync(file, JSON.stringify(brokenFlows()[0]!.nodes))
    const { code, stdout } = await called(['rehearse', file, '--only', 'all is well', '--report', report])
    expect(code).to.equal(1)
    expect(stdout.split('\n')).to.include(
      '  1. The outcome Completed was not recorded after countersign-read of “Archive and file” in the scenario “all is well”.',
    )
    const xml = readFileSync(report, 'utf8')
    expect(xml).to.contain('<testsuites name="Rehearsal" tests="6" failures="1" errors="0" skipped="0">')
    expect(xml).to.contain('<testsuite name="all is well"')
    expect(xml).to.contain('<testcase classname="all is well" name="Each outcome is recorded once"><failure message=')
  })
})

describe('the rules of a rehearsal', () => {
  const failure = { invariant: 'one task', text: 'create sent one document as several tasks' } as const
  const one = { scenario: 'answers lost', seconds: 1, failures: [failure], skipped: null, refused: [] }
  const report = (all: readonly Played[]) => ({
    title: 'Rehearsal',
    host: 'flows.json',
    at: '2026-03-02T09:00:00Z',
    counts: { holds: 5, deviates: 1, 'not tried': 6 },
    rules: all.flatMap(rulesOf),
    left: { taskIds: [], subscriptionIds: [] },
  })

  it('are one for each invariant, and one failure is one that deviates', () => {
    const rules = rulesOf(one)
    expect(rules).to.have.length(6)
    expect(rules.filter(({ result }) => result === 'deviates').map(({ why }) => why)).to.deep.equal([
      'create sent one document as several tasks in the scenario “answers lost”',
    ])
  })

  it('are not tried in a scenario that was skipped, with the reason', () => {
    const rules = rulesOf({ ...one, failures: [], skipped: 'The flows have no input for webhooks.' })
    expect(new Set(rules.map(({ result, why }) => `${result}: ${why}`))).to.deep.equal(
      new Set(['not tried: The flows have no input for webhooks']),
    )
  })

  it('are in a page and in JUnit under the title of a rehearsal', () => {
    const all = report([one])
    expect(htmlOf(all))
      .to.contain('<title>Rehearsal of flows.json</title>')
      .and.to.contain('<h1>Rehearsal of flows.json')
    expect(junitOf(all)).to.contain('<testsuites name="Rehearsal"')
    const { title: _, ...untitled } = all
    expect(htmlOf(untitled)).to.contain('<title>Conformance of flows.json</title>')
    expect(junitOf(untitled)).to.contain('<testsuites name="Conformance"')
  })
})
