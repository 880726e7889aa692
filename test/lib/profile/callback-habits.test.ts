/** What verifying reads of a profile is what `parseProfile` reads of it, in the same words when it is wrong. */
import { expect } from 'chai'
import { callbackHabitsOf } from '../../../lib/profile/callback-habits.ts'
import { defaultProfile, parseProfile } from '../../../lib/profile/parse-profile.ts'
import { ProfileError } from '../../../lib/profile/profile-error.ts'

const refusalOf = (read: (written: never) => unknown, written: unknown): readonly string[] => {
  try {
    read(written as never)
  } catch (failure) {
    if (failure instanceof ProfileError) return [...failure.errors].sort()
  }
  throw new Error('the profile was not refused')
}

const RIGHT: readonly object[] = [
  {},
  { headerPrefix: 'X-Acme-' },
  { headerPrefix: undefined, webhook: undefined },
  { webhook: {} },
  { webhook: { secretEncoding: 'utf8', timestampUnit: 'ms', toleranceSeconds: 0 } },
  { webhook: { secretEncoding: undefined, toleranceSeconds: 86_400 }, list: { envelope: 'items' } },
  defaultProfile,
]

const WRONG: readonly unknown[] = [
  null,
  [],
  7,
  { headerPrefix: 'X Acme' },
  { headerPrefix: '' },
  { headerPrefix: null },
  { headerPrefix: 7 },
  { headerprefix: 'X-Acme-' },
  { constructor: 'X-Acme-' },
  { webhook: null },
  { webhook: [] },
  { webhook: 'utf8' },
  { webhook: { secretEncoding: 'hex', timestampUnit: 'seconds', toleranceSeconds: -1 } },
  { webhook: { secretEncoding: null, timestampUnit: null, toleranceSeconds: null } },
  { webhook: { toleranceSeconds: 86_401 } },
  { webhook: { toleranceSeconds: 1.5 } },
  { webhook: { toleranceSeconds: '60' } },
  { webhook: { toleranceSecond: 60 }, webhok: {}, headerPrefix: '-'.repeat(61) },
]

describe('What a profile says of callbacks', () => {
  for (const written of RIGHT)
    it(`is read of ${JSON.stringify(written).slice(0, 80)}`, () => {
      const { headerPrefix, webhook } = parseProfile(written)
      expect(callbackHabitsOf(written)).to.deep.equal({ headerPrefix, webhook })
    })

  for (const written of WRONG)
    it(`is refused in ${JSON.stringify(written).slice(0, 80)}`, () =>
      expect(refusalOf(callbackHabitsOf, written)).to.deep.equal(refusalOf(parseProfile, written)))

  it('is that of our own service without a profile', () => {
    const { headerPrefix, webhook } = defaultProfile
    expect(callbackHabitsOf()).to.deep.equal({ headerPrefix, webhook })
  })
})
