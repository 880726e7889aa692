/** Examples and broken flows are rehearsed: each gets the verdict that it deserves. Prints how long each scenario took. */
import { loadavg } from 'node:os'
import { expect } from 'chai'
import pLimit from 'p-limit'
import { type Played, type Rehearsal, rehearse } from '../../server/cli/rehearse/rehearsal.ts'
import type { FlowNode } from '../../server/cli/rehearse/rehearsed-flow.ts'
import { CALM } from '../../server/cli/rehearse/scenarios.ts'
import { sentenceOf } from '../../server/cli/rehearse/verdict.ts'
import { exampleFlow } from '../support/node-red/examples/examples.ts'
import { stages } from '../support/rehearsal/a-stage.ts'
import { brokenFlows } from '../support/rehearsal/broken-flows.ts'
import { verdicts } from '../support/rehearsal/verdicts.ts'

/** How many flows are rehearsed at once: a scenario mostly waits. */
const AT_ONCE = 4

describe('a rehearsal', () => {
  const open = stages(AT_ONCE)
  const began = performance.now()
  /** The rehearsals that were begun, by the name of the flow. */
  const rehearsals = new Map<string, Promise<Rehearsal>>()
  const flows = [
    ...brokenFlows().map(({ broken, nodes, scenario }) => ({ name: broken, nodes, only: [scenario] })),
    ...Object.entries(verdicts).map(([name, verdict]) => ({
      name,
      nodes: exampleFlow(name) as FlowNode[],
      // An example that shows one step alone lacks the same in every scenario.
      only: verdict.length === 0 ? undefined : [CALM.name],
    })),
  ]

  before(() => {
    const inTurn = pLimit(AT_ONCE)
    const free = [...open()]
    for (const { name, nodes, only } of flows) {
      const rehearsal = inTurn(async () => {
        const stage = free.shift()!
        const onPlayed = (played: Played) => print(name, played)
        return rehearse(() => [stage], { nodes, only, onPlayed }).finally(() => free.push(stage))
      })
      // A rehearsal that fails before its test waits for it must not end the process.
      rehearsal.catch(() => {})
      rehearsals.set(name, rehearsal)
    }
  })

  after(() => {
    const minutes = ((performance.now() - began) / 60_000).toFixed(1)
    console.log(`      all: ${minutes} minutes; load ${loadavg()[0]!.toFixed(1)}`)
  })

  for (const { broken, scenario, sentence } of brokenFlows())
    it(`is red: ${broken}`, async () => {
      const { played } = await rehearsals.get(broken)!
      const failures = played.find((one) => one.scenario === scenario)!.failures
      expect(failures.map((failure) => sentenceOf(failure, scenario))).to.include(sentence)
    })

  for (const [name, verdict] of Object.entries(verdicts))
    it(`gives its verdict: ${name}`, async () => {
      const { nothing, played } = await rehearsals.get(name)!
      const found = new Set(played.flatMap(({ failures }) => failures.map(({ text }) => text)))
      expect(nothing === null ? [...found].toSorted() : nothing).to.deep.equal(verdict)
    })
})

function print(flow: string, { scenario, seconds, failures, skipped }: Played): void {
  const result = skipped === null ? `${seconds.toFixed(1)} s, ${failures.length} failures` : 'skipped'
  console.log(`      ${flow} | ${scenario}: ${result}`)
}
