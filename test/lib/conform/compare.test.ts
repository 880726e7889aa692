/** Two runs on a host, compared. */
import { expect } from 'chai'
import { changeInWords, changesBetween, EarlierReport } from '../../../lib/conform/report/compare.ts'

const rule = (name: string, result: 'holds' | 'deviates' | 'not tried') => ({ group: 'Create', name, result })

describe('a comparison of two reports', () => {
  it('names the rules that ended otherwise, those that are new, and those that are gone', () => {
    const earlier = { rules: [rule('a', 'holds'), rule('b', 'holds'), rule('gone', 'deviates')] }
    const now = { rules: [rule('b', 'deviates'), rule('a', 'holds'), rule('new', 'not tried')] } as never
    const changes = changesBetween(earlier, now)
    expect(changes).to.deep.equal([
      { rule: 'Create: b', before: 'holds', now: 'deviates' },
      { rule: 'Create: new', before: null, now: 'not tried' },
      { rule: 'Create: gone', before: 'deviates', now: null },
    ])
    expect(changeInWords(changes[0]!)).to.equal('Create: b. Before: holds. Now: deviates.')
  })

  it('finds nothing between a report and itself', () => {
    const rules = [rule('a', 'holds'), rule('b', 'deviates')]
    expect(changesBetween({ rules }, { rules } as never)).to.deep.equal([])
  })

  for (const wrong of [null, [], {}, { at: 'x', rules: [{}] }, { at: 1, rules: [] }])
    it(`does not take ${JSON.stringify(wrong)} for a report`, () => {
      expect(EarlierReport.safeParse(wrong).success).to.equal(false)
    })
})
