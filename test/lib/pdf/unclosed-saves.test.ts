import { expect } from 'chai'
import { unclosedSaves } from '../../../lib/pdf/unclosed-saves.ts'

describe('saves that content never restores', () => {
  for (const [content, unclosed] of [
    ['', 0],
    ['q Q', 0],
    ['Q q', 1],
    ['qQ q', 1],
    ['q[q]q', 3],
    ['(q (q\\) q) Q) q', 1],
    ['<71> q <</q /q>> Q', 0],
    ['% q q\nq', 1],
    ['/q gs', 0],
    ['q 1 0 0 1 0 0 cm BI /W 1 /H 1 ID q q EIq q\nEI Q', 0],
    ['BI /W 1 ID q q q', 0],
    ['(never closed q', 0],
  ] as const) {
    it(`of ${JSON.stringify(content)}: ${unclosed} unclosed`, () => {
      expect(unclosedSaves(Buffer.from(content, 'latin1'))).to.equal(unclosed)
    })
  }
})
