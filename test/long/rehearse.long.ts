/** Flows that are broken in one way each: the rehearsal says which node and in which scenario. */
import { expect } from 'chai'
import { redOf } from '../../server/cli/rehearse/node-red.ts'
import { play } from '../../server/cli/rehearse/play.ts'
import { scenarios } from '../../server/cli/rehearse/scenarios.ts'
import { failuresIn } from '../../server/cli/rehearse/verdict.ts'
import {
  createdByHand,
  recordRemoved,
  rejectedOnly,
  unverified,
  withoutCatch,
} from '../support/rehearsal/broken-flows.ts'

describe('a rehearsal of a broken flow', () => {
  for (const { broken, nodes, scenario, sentence } of [
    recordRemoved(),
    rejectedOnly(),
    withoutCatch(),
    createdByHand(),
    unverified(),
  ])
    it(`is red: ${broken}`, async () => {
      const played = scenarios.find(({ name }) => name === scenario)!
      const evidence = await play({ red: redOf(undefined), nodes, quietMs: 4000, limitMs: 120_000 }, played)
      expect(failuresIn(evidence).map((failure) => failure.sentence)).to.include(sentence)
    })
})
