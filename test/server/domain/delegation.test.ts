/** The delegations that a signer may ask for, who lets a colleague sign for a time. */
import { expect } from 'chai'
import {
  checkDelegation,
  type Delegation,
  LONGEST_DELEGATION_DAYS,
  overlap,
} from '../../../server/domain/delegation.ts'
import { Refusal } from '../../../server/domain/refusal.ts'

const day = (number: number) => new Date(Date.UTC(2026, 0, number))
const delegation: Delegation = {
  organizationId: 1,
  signerNpi: '9999900019',
  delegateNpi: '9999900027',
  startsAt: day(10),
  endsAt: day(20),
}
const problemsOf = (change: Partial<Delegation>, at = day(5)): readonly string[] => {
  try {
    checkDelegation({ ...delegation, ...change }, at)
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.errors
  }
}

describe('A colleague who signs for a time', () => {
  it('may begin now, later or earlier, as long as it does not end in the past', () => {
    for (const at of [day(5), day(10), day(19)]) expect(problemsOf({}, at), at.toISOString()).to.deep.equal([])
    for (const at of [day(20), day(21)])
      expect(problemsOf({}, at), at.toISOString()).to.deep.equal(['The end must not be in the past.'])
  })

  it('is someone else than the signer', () => {
    expect(problemsOf({ delegateNpi: delegation.signerNpi })).to.deep.equal(['Choose a colleague, not yourself.'])
  })

  it('signs from a beginning to an end after it, and for 92 days at most', () => {
    for (const endsAt of [day(10), day(9)])
      expect(problemsOf({ endsAt })).to.deep.equal(['The end must be after the beginning.'])
    expect(LONGEST_DELEGATION_DAYS).to.equal(92)
    expect(problemsOf({ endsAt: day(10 + 92) })).to.deep.equal([])
    expect(problemsOf({ endsAt: new Date(day(10 + 92).getTime() + 1) })).to.have.length(1)
  })

  it('is refused with everything that is wrong at once', () => {
    const wrong = { delegateNpi: delegation.signerNpi, endsAt: day(1) }
    expect(problemsOf(wrong)).to.have.length(3)
  })

  it('meets another one only when both have a moment in common', () => {
    const other = (from: number, to: number) => ({ startsAt: day(from), endsAt: day(to) })
    for (const [from, to] of [
      [1, 11],
      [19, 30],
      [12, 13],
      [1, 30],
    ] as const) {
      expect(overlap(delegation, other(from, to)), `${from} to ${to}`).to.equal(true)
      expect(overlap(other(from, to), delegation), `${from} to ${to}`).to.equal(true)
    }
    for (const [from, to] of [
      [1, 10],
      [20, 30],
    ] as const) {
      expect(overlap(delegation, other(from, to)), `${from} to ${to}`).to.equal(false)
      expect(overlap(other(from, to), delegation), `${from} to ${to}`).to.equal(false)
    }
  })
})
