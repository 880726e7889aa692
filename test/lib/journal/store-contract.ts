/** What Keyv expects of a store, as tests that take a factory: every store that a journal may live in passes them. */
import { expect } from 'chai'
import type { Journal } from '../../../lib/journal/journal.ts'

/** `open` gives a journal of the namespace; journals opened by one test share their place, which is new for each test. */
export function keepsTheStoreContract(open: (namespace: string) => Promise<Journal>): void {
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const keysOf = async (journal: Journal) => {
    const keys: string[] = []
    for await (const [key] of journal.iterator!(journal.namespace)) keys.push(key)
    return keys.sort()
  }

  it('gives back what was set, of any JSON kind', async () => {
    const journal = await open('a')
    for (const value of ['text', '', 0, 7.5, true, false, null, [1, [2]], { a: { b: 'ü \u{1F58B} ; : %' } }]) {
      expect(await journal.set('key', value)).to.equal(true)
      expect(await journal.get('key')).to.deep.equal(value)
    }
  })

  it('knows nothing of a key that was not set, or was removed', async () => {
    const journal = await open('a')
    expect(await journal.get('none')).to.equal(undefined)
    expect(await journal.has('none')).to.equal(false)
    expect(await journal.delete('none')).to.equal(false)
    await journal.set('key', 1)
    expect(await journal.has('key')).to.equal(true)
    expect(await journal.delete('key')).to.equal(true)
    expect(await journal.get('key')).to.equal(undefined)
  })

  it('takes any text as a key', async () => {
    const journal = await open('a')
    for (const key of ["it's", 'a:b;c', '%_', '键', ' ', '"']) {
      await journal.set(key, key)
      expect(await journal.get(key)).to.equal(key)
    }
  })

  it('gives, sets and removes many at once', async () => {
    const journal = await open('a')
    await journal.setMany([
      { key: 'one', value: 1 },
      { key: 'two', value: 2 },
    ])
    expect(await journal.get(['two', 'none', 'one'])).to.deep.equal([2, undefined, 1])
    expect(await journal.hasMany(['one', 'none'])).to.deep.equal([true, false])
    expect(await journal.deleteMany(['one', 'two'])).to.equal(true)
    expect(await journal.getMany(['one', 'two'])).to.deep.equal([undefined, undefined])
  })

  it('forgets what had a time to live, and keeps what is set anew', async () => {
    const journal = await open('a')
    await journal.set('short', 1, 40)
    await journal.set('renewed', 1, 40)
    await journal.set('renewed', 2)
    await journal.set('for good', 3)
    await pause(60)
    expect(await journal.get(['short', 'renewed', 'for good'])).to.deep.equal([undefined, 2, 3])
    expect(await keysOf(journal)).to.deep.equal(['for good', 'renewed'])
  })

  it('keeps namespaces apart, even when one begins like the other', async () => {
    const [one, two] = [await open('a'), await open('ab')]
    await one.set('key', 1)
    await two.set('key', 2)
    expect([await one.get('key'), await two.get('key')]).to.deep.equal([1, 2])
    expect(await keysOf(one)).to.deep.equal(['key'])
    await one.clear()
    expect([await one.get('key'), await two.get('key')]).to.deep.equal([undefined, 2])
  })

  it('is walked through, however much there is, also while it changes', async () => {
    const journal = await open('a')
    const many = Array.from({ length: 1234 }, (_, at) => ({ key: `key ${at}`, value: at }))
    await journal.setMany(many)
    const seen = new Map<string, number>()
    for await (const [key, value] of journal.iterator!(journal.namespace)) {
      expect(seen.has(key), `${key} came twice`).to.equal(false)
      seen.set(key, value)
      await journal.delete(key)
    }
    expect(seen.size).to.equal(1234)
    expect(seen.get('key 77')).to.equal(77)
    expect(await keysOf(journal)).to.deep.equal([])
  })
}
