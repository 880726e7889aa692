import { expect } from 'chai'
import { unclosedIn } from '../../../lib/pdf/prepare/unclosed.ts'

describe('what content begins and never ends', () => {
  for (const [content, saves, marks] of [
    ['', 0, 0],
    ['q Q', 0, 0],
    ['Q q', 1, 0],
    ['qQ q', 1, 0],
    ['q[q]q', 3, 0],
    ['(q (q\\) q) Q) q', 1, 0],
    ['<71> q <</q /q>> Q', 0, 0],
    ['% q q\nq', 1, 0],
    ['/q gs', 0, 0],
    ['q 1 0 0 1 0 0 cm BI /W 1 /H 1 ID q q EIq q\nEI Q', 0, 0],
    ['BI /W 1 ID q q q', 0, 0],
    ['(never closed q', 0, 0],
    ['/X BMC', 0, 1],
    ['/X << /MCID 0 >> BDC /Y BMC q EMC', 1, 1],
    ['EMC /X BMC', 0, 1],
    ['/BMC gs (BDC) % BMC\nXBMC', 0, 0],
  ] as const) {
    it(`${JSON.stringify(content)}: ${saves} saves and ${marks} marks`, () => {
      expect(unclosedIn(Buffer.from(content, 'latin1'))).to.deep.equal({ saves, marks })
    })
  }
})
