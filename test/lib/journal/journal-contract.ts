/** What a journal promises, as tests that take a factory: it passes them wherever it lives. */
import { expect } from 'chai'
import type { Journal } from '../../../lib/journal/journal.ts'
import { realTimePasses } from '../../support/real-time.ts'

/**
 * `open` gives a journal of the namespace; journals opened by one test share their place, which is new for each test.
 * `likeNamespace`: a key that begins like the namespace `a`, where that can be told apart.
 */
export function keepsTheJournalContract(
  open: (namespace: string) => Promise<Journal>,
  likeNamespace: readonly string[] = ['a:key'],
): void {
  const keysOf = async (journal: Journal) => {
    const keys: string[] = []
    for await (const [key] of journal.entries()) keys.push(key)
    return keys.sort()
  }

  it('gives back what was set, of any JSON kind', async () => {
    const journal = await open('a')
    for (const value of [
      'text',
      '',
      ':colon',
      '::',
      0,
      7.5,
      true,
      false,
      [1, [2]],
      { a: { b: 'ü \u{1F58B} ; : %' } },
    ]) {
      await journal.set('key', value)
      expect(await journal.get('key')).to.deep.equal(value)
    }
  })

  it('knows nothing of a key that was not set, or was removed', async () => {
    const journal = await open('a')
    expect(await journal.get('none')).to.equal(undefined)
    await journal.delete('none')
    await journal.set('key', 1)
    await journal.delete('key')
    expect(await journal.get('key')).to.equal(undefined)
  })

  it('takes any text as a key', async () => {
    const journal = await open('a')
    const keys = [...likeNamespace, "it's", 'b:c;d', '%_', '键', ' ', '"', '*', '[a]', '\\']
    for (const key of keys) {
      await journal.set(key, key)
      expect(await journal.get(key)).to.equal(key)
    }
    expect(await keysOf(journal)).to.deep.equal(keys.sort())
  })

  it('removes many at once, and none', async () => {
    const journal = await open('a')
    for (const key of ['one', 'two', 'three']) await journal.set(key, key)
    await journal.delete([])
    await journal.delete(['one', 'none', 'two'])
    expect(await keysOf(journal)).to.deep.equal(['three'])
  })

  it('changes an entry by what is there, and says what was there', async () => {
    const journal = await open('a')
    const count = (known = 0) => known + 1
    expect(await journal.change<number>('sum', count)).to.equal(undefined)
    expect(await journal.change<number>('sum', count)).to.equal(1)
    expect(await journal.change<number>('sum', () => undefined), 'left alone').to.equal(2)
    expect(await journal.get('sum')).to.equal(2)
  })

  it('loses no change of many at once, also by two that share the place', async () => {
    const journals = [await open('a'), await open('a')]
    const changes = Array.from({ length: 40 }, (_, at) =>
      journals[at % 2]!.change<number>('sum', (known = 0) => known + 1),
    )
    await Promise.all(changes)
    expect(await journals[0]!.get('sum')).to.equal(40)
  })

  it('forgets what had a time to live, and keeps what is set anew', async () => {
    const journal = await open('a')
    await journal.set('short', 1, 40)
    await journal.change('changed', () => 1, 40)
    await journal.set('renewed', 1, 40)
    await journal.set('renewed', 2)
    await journal.set('for good', 3)
    await realTimePasses(60)
    expect(await journal.get('short')).to.equal(undefined)
    expect(await keysOf(journal)).to.deep.equal(['for good', 'renewed'])
    expect(await journal.change('changed', () => 2), 'as if it had never been').to.equal(undefined)
    expect(await journal.get('changed')).to.equal(2)
  })

  it('keeps namespaces apart, even when one begins like the other', async () => {
    const [one, two] = [await open('a'), await open('ab')]
    await one.set('key', 1)
    await two.set('key', 2)
    expect([await one.get('key'), await two.get('key')]).to.deep.equal([1, 2])
    expect(await keysOf(one)).to.deep.equal(['key'])
    await one.delete('key')
    expect([await one.get('key'), await two.get('key')]).to.deep.equal([undefined, 2])
  })

  it('is walked through, however much there is, also while it changes', async () => {
    const journal = await open('a')
    for (let at = 0; at < 1234; at++) await journal.set(`key ${at}`, at)
    const seen = new Map<string, unknown>()
    for await (const [key, value] of journal.entries()) {
      expect(seen.has(key), `${key} came twice`).to.equal(false)
      seen.set(key, value)
      await journal.delete(key)
    }
    expect(seen.size).to.equal(1234)
    expect(seen.get('key 77')).to.equal(77)
    expect(await keysOf(journal)).to.deep.equal([])
  })
}
