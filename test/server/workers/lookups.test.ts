/** Looking up the names of receivers: one question at a time for each, and never all threads for those that are silent. */
import type { LookupAddress } from 'node:dns'
import { expect } from 'chai'
import { targetPolicy } from '../../../server/domain/target.ts'
import { BLOCKED, guardedLookup } from '../../../server/workers/guarded-lookup.ts'
import type { ResolvedAddress } from '../../../server/workers/resolve.ts'

const PUBLIC = [{ address: '198.100.0.1', family: 4 }]
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('the look-up of receivers', () => {
  /** Hosts that are asked for at this moment, each with how to answer. */
  const asked = new Map<string, { answer(found: ResolvedAddress[]): void; fail(failure: Error): void }>()
  let questions: string[]
  let lookup: ReturnType<typeof guardedLookup>

  beforeEach(() => {
    asked.clear()
    questions = []
    lookup = guardedLookup(targetPolicy(false, []), (host) => {
      questions.push(host)
      return new Promise((resolve, reject) => asked.set(host, { answer: resolve, fail: reject })).finally(() =>
        asked.delete(host),
      ) as Promise<ResolvedAddress[]>
    })
  })

  const find = (host: string) =>
    new Promise<LookupAddress[]>((resolve, reject) =>
      lookup(host, { all: true }, (failure, found) => (failure ? reject(failure) : resolve(found as LookupAddress[]))),
    )
  /** Once looked up, and found. */
  async function known(host: string) {
    const finding = find(host)
    await settle()
    asked.get(host)!.answer(PUBLIC)
    await finding
  }

  it('asks once for all that wait for the same name', async () => {
    const all = [find('ehr.example'), find('EHR.example.'), find('ehr.example')]
    await settle()
    expect(questions).to.deep.equal(['ehr.example'])
    asked.get('ehr.example')!.answer(PUBLIC)
    expect(await Promise.all(all)).to.deep.equal([PUBLIC, PUBLIC, PUBLIC])
  })

  it('leaves threads to others, and to names that were found before, while very many are silent', async () => {
    await known('healthy.example')
    const silent = Array.from({ length: 50 }, (_, n) => find(`silent-${n}.example`).catch(() => {}))
    await settle()
    expect(asked.size, 'silent ones at once').to.equal(1)
    const finding = find('healthy.example')
    await settle()
    expect([...asked.keys()]).to.deep.equal(['silent-0.example', 'healthy.example'])
    asked.get('healthy.example')!.answer(PUBLIC)
    expect(await finding).to.deep.equal(PUBLIC)
    for (let n = 0; n < 50; n++) {
      asked.get(`silent-${n}.example`)!.fail(new Error('silent'))
      await settle()
    }
    await Promise.all(silent)
  })

  it('lets a name that falls silent hold up the others once', async () => {
    for (const host of ['a.example', 'b.example', 'c.example', 'd.example']) await known(host)
    const finding = ['a.example', 'b.example', 'c.example'].map((host) => find(host).catch(() => {}))
    await settle()
    expect([...asked.keys()], 'of those that were found').to.deep.equal(['a.example', 'b.example'])
    for (const host of ['a.example', 'b.example', 'c.example']) {
      asked.get(host)!.fail(new Error('silent'))
      await settle()
    }
    await Promise.all(finding)
    void find('a.example').catch(() => {})
    void find('d.example').catch(() => {})
    void find('b.example').catch(() => {})
    await settle()
    expect([...asked.keys()]).to.deep.equal(['a.example', 'd.example'])
  })

  it('refuses when any of the answers is a forbidden address, and asks again the next time', async () => {
    const finding = find('rebind.example').catch((failure: NodeJS.ErrnoException) => failure.code)
    await settle()
    asked.get('rebind.example')!.answer([...PUBLIC, { address: '10.0.0.1', family: 4 }])
    expect(await finding).to.equal(BLOCKED)
    const again = find('rebind.example')
    await settle()
    asked.get('rebind.example')!.answer(PUBLIC)
    expect(await again).to.deep.equal(PUBLIC)
  })
})
