/** What `npm run check:updates` says of what npm prints. */
import { expect } from 'chai'
import { advisoriesOf, behindOf } from '../../scripts/check-updates.ts'

const OURS = new Map([
  ['jose', { version: '6.2.17', isBundled: false }],
  ['keyv', { version: '5.6.0', isBundled: false }],
  ['kysely', { version: '0.29.9', isBundled: true }],
  ['express', { version: '5.3.0', isBundled: false }],
  ['@opentelemetry/api', { version: '1.9.1', isBundled: false }],
])
const DEPENDENCIES = { jose: '^6.2.17', keyv: '^5.6.0', express: '^5.3.0' }
const behind = (name: string, current: string, wanted: string, latest: string) =>
  behindOf({ [name]: { current, wanted, latest } }, OURS, DEPENDENCIES)

describe('The check for updates', () => {
  it('says what to do about an installed package, and about a bundled one', () => {
    expect(behind('jose', '6.2.17', '6.2.18', '6.2.18')).to.deep.equal([
      'jose 6.2.17: 6.2.18 is there: npm update jose.',
    ])
    expect(behind('kysely', '0.29.9', '0.29.9', '0.30.0')).to.deep.equal([
      'kysely 0.29.9 is bundled, and 0.30.0 is there: npm install --save-dev kysely@0.30.0, then release.',
    ])
    expect(behind('express', '5.3.0', '5.3.0', '6.0.0')[0]).to.include('give the reason')
  })

  it('lets a package wait that has a reason, but not for a version that is allowed', () => {
    expect(behind('keyv', '5.6.0', '5.6.0', '6.1.0')).to.deep.equal([])
    expect(behind('keyv', '5.6.0', '5.6.1', '6.1.0')).to.have.length(1)
  })

  it('says nothing of tools, nor of what only another package asks for, nor of a tag on an older release line', () => {
    expect(behind('mocha', '12.0.3', '12.0.3', '13.0.0')).to.deep.equal([])
    expect(behind('@opentelemetry/api', '1.9.1', '1.9.1', '1.10.0')).to.deep.equal([])
    expect(behind('kysely', '0.29.9', '0.29.9', '0.28.19')).to.deep.equal([])
  })

  it('reports advisories of what is in the package, and a registry without any', () => {
    const via = [{ title: 'Bad', url: 'https://example.org/1' }]
    const audit = { vulnerabilities: { jose: { severity: 'high', via }, mocha: { severity: 'low', via } } }
    expect(advisoriesOf(audit, OURS)).to.deep.equal([
      'jose 6.2.17 has an advisory of severity high: Bad (https://example.org/1).',
    ])
    expect(advisoriesOf({ vulnerabilities: {} }, OURS)).to.deep.equal([])
    expect(advisoriesOf({ message: '405 Method Not Allowed' }, OURS)[0]).to.include('405 Method Not Allowed')
  })
})
