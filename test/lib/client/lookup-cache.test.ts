/** Look-ups are asked for once and never shown to another key. */
import { expect } from 'chai'
import Keyv from 'keyv'
import { RefusedError, UnreachableError } from '../../../lib/client/errors.ts'
import { createLookUps, type LookUpOptions } from '../../../lib/client/lookup-cache.ts'
import { realTimePasses } from '../../support/real-time.ts'

const provider = {
  npi: '9999900019',
  firstName: 'Helen',
  lastName: 'Marsh',
  signingName: 'Helen Marsh MD',
  organizations: [],
}

describe('cached look-ups', () => {
  let cache: Keyv
  let calls: string[]

  beforeEach(() => {
    cache = new Keyv()
    calls = []
  })

  const aLookUp = (options: Partial<LookUpOptions> = {}) =>
    createLookUps({
      client: {
        listDocumentTypes: async () => {
          calls.push('types')
          return [{ id: 104, name: 'Physician Order (verbal)', category: 'Order' }]
        },
        listTemplates: async () => {
          calls.push('templates')
          return []
        },
        findProvider: async ({ params: { npi } }) => {
          calls.push(npi)
          if (npi === '9999900043') throw new RefusedError('findProvider', 404, ['no active user'])
          if (npi === '9999900035') throw new UnreachableError('findProvider', 'ETIMEDOUT', true)
          return { ...provider, npi }
        },
      },
      cache,
      scope: 'one',
      ...options,
    })

  it('ask once and remember', async () => {
    const lookUps = aLookUp()
    for (let at = 0; at < 3; at++) {
      expect((await lookUps.documentTypes())[0]?.id).to.equal(104)
      expect(await lookUps.templates()).to.deep.equal([])
      expect((await lookUps.provider('9999900019'))?.npi).to.equal('9999900019')
    }
    expect((await lookUps.provider('9999900027'))?.npi).to.equal('9999900027')
    expect(calls).to.deep.equal(['types', 'templates', '9999900019', '9999900027'])
  })

  it('ask once when many ask at once', async () => {
    const lookUps = aLookUp()
    await Promise.all(Array.from({ length: 20 }, () => lookUps.documentTypes()))
    expect(calls).to.deep.equal(['types'])
  })

  it('give null for a provider that the service does not know, and remember that too', async () => {
    const lookUps = aLookUp()
    expect(await lookUps.provider('9999900043')).to.equal(null)
    expect(await lookUps.provider('9999900043')).to.equal(null)
    expect(calls).to.deep.equal(['9999900043'])
  })

  it('remember no failure', async () => {
    const lookUps = aLookUp()
    for (let at = 0; at < 2; at++)
      expect(await lookUps.provider('9999900035').catch((failure: Error) => failure)).to.be.instanceOf(UnreachableError)
    expect(calls).to.have.length(2)
  })

  it('ask again after a while, sooner for what was absent', async () => {
    const lookUps = aLookUp({ ttlMs: 5_000, absentTtlMs: 30 })
    await lookUps.provider('9999900019')
    await lookUps.provider('9999900043')
    await realTimePasses(50)
    await lookUps.provider('9999900019')
    await lookUps.provider('9999900043')
    expect(calls).to.deep.equal(['9999900019', '9999900043', '9999900043'])
  })

  it('never show one key what another one saw', async () => {
    await aLookUp().templates()
    await aLookUp({ scope: 'two' }).templates()
    expect(calls).to.deep.equal(['templates', 'templates'])
  })

  it('work without a cache that works', async () => {
    const fails = async () => {
      throw new Error('away')
    }
    const broken = new Keyv({ store: { get: fails, set: fails, delete: fails, clear: fails }, throwOnErrors: true })
    const lookUps = aLookUp({ cache: broken })
    expect(await lookUps.documentTypes()).to.have.length(1)
    expect(await lookUps.documentTypes()).to.have.length(1)
    expect(calls).to.have.length(2)
  })
})
