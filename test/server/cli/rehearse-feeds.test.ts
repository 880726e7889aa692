/** Inputs of a rehearsed flow: webhooks that come doubled and forged, files in a folder, and the messages that a caller gives. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { play, type Stage } from '../../../server/cli/rehearse/play.ts'
import type { FlowNode } from '../../../server/cli/rehearse/rehearsed-flow.ts'
import { CALM, scenarios } from '../../../server/cli/rehearse/scenarios.ts'
import { type Evidence, failuresIn } from '../../../server/cli/rehearse/verdict.ts'
import { aFolder } from '../../support/a-folder.ts'
import { root } from '../../support/built.ts'
import { called } from '../../support/commands/called.ts'
import { exampleFlow } from '../../support/node-red/examples/examples.ts'
import { stages } from '../../support/rehearsal/a-stage.ts'

const flowOf = (example: string, without: (node: FlowNode) => boolean = () => false): FlowNode[] =>
  (exampleFlow(example) as FlowNode[]).filter((node) => !without(node))
const isButton = ({ type }: FlowNode) => type === 'inject'
const sample = (file: string) => join(root, 'samples', file)

describe('a rehearsal feeds', function () {
  this.timeout(300_000)
  const open = stages(1)
  const played = async (nodes: readonly FlowNode[], scenario: string, changes: Partial<Stage> = {}) => {
    const [stage] = open()
    return play({ ...(await stage!), ...changes }, nodes, scenarios.find(({ name }) => name === scenario)!)
  }
  const failures = (evidence: Evidence) => failuresIn(evidence, null).map(({ text }) => text)
  const feedOf = (nodes: readonly FlowNode[], evidence: Evidence) =>
    evidence.fed.map(({ node, tasks }) => [nodes.find(({ id }) => id === node)!.type, tasks])

  describe('webhooks', () => {
    const nodes = flowOf('Send a document and wait for the signature', ({ name }) => name === 'Sign it yourself')
    const input = nodes.find(({ type }) => type === 'countersign-webhook-in')!.id
    /** The statuses that came out of webhook-in, in that order. */
    const received = ({ witnessed }: Evidence) =>
      witnessed.hops.filter(({ from }) => from === input).map(({ status }) => status)
    const webhooks = ({ exchanges }: Evidence) => exchanges.filter(({ direction }) => direction === 'webhook')
    const answers = (evidence: Evidence, ...faults: string[]) =>
      webhooks(evidence)
        .filter(({ fault }) => fault !== null && faults.includes(fault))
        .map(({ status }) => status)

    it('twice, of which webhook-in lets one through', async () => {
      const evidence = await played(nodes, 'webhooks doubled')
      const doubled = answers(evidence, 'duplicate')
      expect(doubled).to.have.length(webhooks(evidence).length)
      for (const status of doubled) expect(status).to.equal(200)
      expect(webhooks(evidence)).to.have.length(2 * received(evidence).length)
      expect(received(evidence))
        .to.include('Completed')
        .and.to.have.length(new Set(received(evidence)).size)
      expect(failures(evidence)).to.deep.equal([])
    })

    it('forged, each of which webhook-in refuses', async () => {
      const evidence = await played(nodes, 'webhooks forged')
      const forged = answers(evidence, 'wrong-signature', 'old-timestamp', 'changed-body')
      expect(forged).to.have.length(3)
      for (const status of forged) expect(status).to.be.within(400, 499)
      expect(evidence.forgeries).to.deep.equal([{ node: input, acted: false }])
      expect(failures(evidence)).to.deep.equal([])
    })
  })

  describe('files', () => {
    const nodes = flowOf('Orders from a folder', isButton)

    it('of the samples: a PDF with its index', async () => {
      const evidence = await played(nodes, CALM.name)
      expect(feedOf(nodes, evidence)).to.deep.equal([['countersign-order-from-files', 1]])
      expect(evidence.tasks.map(({ externalDocId, isRecorded }) => [externalDocId, isRecorded])).to.deep.equal([
        ['order-1', true],
      ])
      expect(failures(evidence)).to.deep.equal([])
    })

    it('of the caller in place of the samples', async () => {
      const folder = aFolder()
      const index = { ...JSON.parse(readFileSync(sample('files/plan-of-care.json'), 'utf8')), document: 'own-7' }
      writeFileSync(join(folder, 'own.json'), JSON.stringify(index))
      copyFileSync(sample('files/plan-of-care.pdf'), join(folder, 'own.pdf'))
      const messages = ['own.pdf', 'own.json'].map((file) => join(folder, file))
      const evidence = await played(nodes, CALM.name, { messages })
      expect(evidence.tasks.map(({ externalDocId }) => externalDocId)).to.deep.equal(['own-7'])
    })
  })

  describe('--messages', () => {
    const file = join(aFolder(), 'flows.json')
    before(() => writeFileSync(file, JSON.stringify(flowOf('Receive orders over HTTP', isButton))))
    const rehearsed = (...messages: string[]) => {
      const given = messages.flatMap((message) => ['--messages', message])
      return called(['rehearse', file, ...given, '--only', 'all is well', '--json'])
    }

    it('to an input in place of its samples', async () => {
      const message = join(aFolder(), 'unknown-code.hl7')
      const known = readFileSync(sample('hl7/plan-of-care.hl7'), 'latin1')
      writeFileSync(message, known.replace('|CMS485|', '|UNKNOWN|'), 'latin1')
      const { code, stdout } = await rehearsed(message)
      expect({ code, ...JSON.parse(stdout) }).to.deep.equal({
        ...{ code: 0, scenarios: 0, red: 0, failures: 0 },
        nothing:
          'No order of these flows reached the sandbox, so there is nothing to rehearse. Give messages that they understand with --messages.',
      })
      expect(JSON.parse((await rehearsed(message, sample('hl7/plan-of-care.hl7'))).stdout)).to.deep.equal({
        ...{ scenarios: 1, red: 1, failures: 1 },
      })
    })

    it('that are not there are refused by name', async () => {
      const { code, stderr } = await rehearsed(join(aFolder(), 'absent.hl7'))
      expect(code).to.equal(2)
      expect(stderr).to.match(/^countersign: --messages .*absent\.hl7: this file /)
    })
  })
})
