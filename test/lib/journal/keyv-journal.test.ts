/** A journal in a store that somebody brings as a Keyv: what it keeps of the contract, and what it refuses. */
import { expect } from 'chai'
import Keyv from 'keyv'
import { type KeyvJournalOptions, keyvJournal } from '../../../lib/journal/keyv-journal.ts'
import { createOnceStore } from '../../../lib/webhook/once-store.ts'
import { anEvent } from '../support/bodies.ts'
import { keepsTheJournalContract } from './journal-contract.ts'

describe('a journal in a Keyv', () => {
  const known = new Map<string, Keyv>()
  const aKeyv = (namespace: string) => new Keyv({ namespace, throwOnErrors: true })
  afterEach(() => known.clear())

  keepsTheJournalContract(async (namespace) => {
    const keyv = known.get(namespace) ?? aKeyv(namespace)
    known.set(namespace, keyv)
    return keyvJournal(keyv, { onlyProcess: true })
  }, [])

  it('refuses a key that Keyv would take for one of its namespace already', async () => {
    const journal = keyvJournal(aKeyv('event'), { onlyProcess: true })
    const failure = await journal.set('event:1', 1).catch((thrown: unknown) => thrown)
    expect(failure).to.be.instanceOf(TypeError).with.property('message').that.contains('another namespace than "event"')
  })

  it('hands an event over once, to one of several in its process', async () => {
    const keyv = aKeyv('events')
    const stores = [1, 2, 3].map(() => createOnceStore(keyvJournal(keyv, { onlyProcess: true })))
    const claims = await Promise.all(stores.map((store) => store.claim(anEvent())))
    expect(claims.sort()).to.deep.equal(['in_progress', 'in_progress', 'new'])
  })

  it('reads what was written through the Keyv itself', async () => {
    const keyv = aKeyv('a')
    await keyv.set('key', { text: ':kept' })
    expect(await keyvJournal(keyv, { onlyProcess: true }).get('key')).to.deep.equal({ text: ':kept' })
  })

  it('is refused unless its owner says that no other process uses the store', () => {
    for (const options of [undefined, {}, { onlyProcess: false }])
      expect(() => keyvJournal(aKeyv('a'), options as KeyvJournalOptions)).to.throw(
        TypeError,
        /cannot write on a condition.*openJournal/,
      )
  })

  it('is refused over a Keyv that hides its failures', () => {
    expect(() => keyvJournal(new Keyv(), { onlyProcess: true })).to.throw(TypeError, /throwOnErrors: true/)
  })

  it('fails when the store does, instead of knowing nothing', async () => {
    const fails = async () => {
      throw new Error('away')
    }
    const keyv = new Keyv({ store: { get: fails, set: fails, delete: fails, clear: fails }, throwOnErrors: true })
    keyv.on('error', () => {})
    const journal = keyvJournal(keyv, { onlyProcess: true })
    for (const call of [
      () => journal.get('key'),
      () => journal.set('key', 1),
      () => journal.change('key', () => 1),
      () => journal.delete('key'),
    ])
      expect(await call().catch((failure: Error) => failure.message)).to.equal('away')
  })

  it('says so when its entries cannot be listed', async () => {
    const keyv = new Keyv({
      store: { get: async () => undefined, set: async () => true, delete: async () => true, clear: async () => {} },
      throwOnErrors: true,
    })
    const walk = keyvJournal(keyv, { onlyProcess: true }).entries()[Symbol.asyncIterator]()
    expect(await walk.next().catch((failure: Error) => failure)).to.be.instanceOf(TypeError)
  })
})
