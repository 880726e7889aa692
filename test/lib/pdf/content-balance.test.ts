import { expect } from 'chai'
import { contentBalance } from '../../../lib/pdf/content-balance.ts'

describe('the saves and restores of content', () => {
  for (const [content, unopened, unclosed] of [
    ['', 0, 0],
    ['q Q', 0, 0],
    ['Q q', 1, 1],
    ['qQ q', 0, 1],
    ['q[q]q', 0, 3],
    ['(q (q\\) q) Q) q', 0, 1],
    ['<71> q <</q /q>> Q', 0, 0],
    ['% q q\nq', 0, 1],
    ['/q gs', 0, 0],
    ['q 1 0 0 1 0 0 cm BI /W 1 /H 1 ID q q EIq q\nEI Q', 0, 0],
    ['BI /W 1 ID q q q', 0, 0],
    ['(never closed q', 0, 0],
  ] as const) {
    it(`of ${JSON.stringify(content)}: ${unopened} unopened, ${unclosed} unclosed`, () => {
      expect(contentBalance(Buffer.from(content, 'latin1'))).to.deep.equal({ unopened, unclosed })
    })
  }
})
