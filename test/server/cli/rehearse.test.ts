/** One flow that keeps its promises, and one that does not; `npm run test:long` plays the others. */
import { expect } from 'chai'
import { redOf } from '../../../server/cli/rehearse/node-red.ts'
import { play } from '../../../server/cli/rehearse/play.ts'
import type { FlowNode } from '../../../server/cli/rehearse/rehearsed-flow.ts'
import { scenarios } from '../../../server/cli/rehearse/scenarios.ts'
import { failuresIn } from '../../../server/cli/rehearse/verdict.ts'
import { ensureBuilt } from '../../support/built.ts'
import { exampleFlow } from '../../support/node-red/examples/examples.ts'
import { recordRemoved } from '../../support/rehearsal/broken-flows.ts'

const stage = (nodes: FlowNode[]) => ({ red: redOf(undefined), nodes, quietMs: 4000, limitMs: 60_000 })
const [calm] = scenarios

describe('countersign rehearse', function () {
  this.timeout(120_000)
  before(ensureBuilt)

  it('finds nothing wrong with a flow that records what was signed', async () => {
    const nodes = exampleFlow('Archive and file the signed PDF') as FlowNode[]
    const evidence = await play(stage(nodes), calm!)
    expect(evidence.tasks.map(({ status }) => status)).to.deep.equal(['Completed'])
    expect(failuresIn(evidence)).to.deep.equal([])
  })

  it('names the node and the scenario when an outcome is not recorded', async () => {
    const { nodes, sentence } = recordRemoved()
    const sentences = failuresIn(await play(stage(nodes), calm!)).map((failure) => failure.sentence)
    expect(sentences).to.deep.equal([sentence])
  })
})
