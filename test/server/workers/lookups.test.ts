/** Looking up the names of receivers: one question at a time for each name, and never all threads for silent name servers. */
import type { LookupAddress } from 'node:dns'
import { expect } from 'chai'
import { targetPolicy } from '../../../server/domain/delivery/target.ts'
import { BLOCKED, guardedLookup } from '../../../server/workers/delivery/guarded-lookup.ts'
import { NO_TURN } from '../../../server/workers/delivery/lookups.ts'
import type { ResolvedAddress } from '../../../server/workers/delivery/resolve.ts'
import { settle } from '../../support/fake-clock.ts'

const PUBLIC = [{ address: '198.100.0.1', family: 4 }]

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

  const find = (host: string, organizationId = 1) =>
    new Promise<LookupAddress[]>((resolve, reject) =>
      lookup(organizationId)(host, { all: true }, (failure, found) =>
        failure ? reject(failure) : resolve(found as LookupAddress[]),
      ),
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

  it('leaves threads to others, and to names that were found before, while many names are silent', async () => {
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

  it('gives each organization its turn: silent names of one hold two threads at most, and each new name of another is next', async () => {
    for (const host of ['a.example', 'b.example']) await known(host)
    const all = [
      ...['a.example', 'b.example', 's1.example', 's2.example', 's3.example'].map((host) => find(host, 1)),
      ...['t1.example', 't2.example', 't3.example'].map((host) => find(host, 2)),
      ...['u1.example', 'u2.example'].map((host) => find(host, 3)),
    ]
    const failed = Promise.allSettled(all)
    const begun = () => [...asked.keys()].join(' ')
    const ends = async (host: string) => {
      asked.get(host)!.fail(new Error('silent'))
      await settle()
      return begun()
    }
    await settle()
    expect(begun()).to.equal('a.example b.example t1.example')
    expect(await ends('a.example'), 'who had none before').to.equal('b.example t1.example u1.example')
    expect(await ends('t1.example')).to.equal('b.example u1.example s1.example')
    expect(await ends('u1.example')).to.equal('b.example s1.example t2.example')
    expect(await ends('b.example'), 'two unknown names at once').to.equal('s1.example t2.example')
    for (const host of ['s1', 't2', 'u2', 's2', 't3', 's3']) await ends(`${host}.example`)
    expect(begun()).to.equal('')
    await failed
  })

  it('does not make one organization wait because another waits for the same name', async () => {
    const silent = ['s1.example', 's2.example', 'shared.example'].map((host) => find(host, 1).catch(() => {}))
    const finding = find('shared.example', 2)
    await settle()
    asked.get('shared.example')!.answer(PUBLIC)
    expect(await finding).to.deep.equal(PUBLIC)
    for (const host of ['s1.example', 's2.example']) {
      asked.get(host)!.fail(new Error('silent'))
      await settle()
    }
    asked.get('shared.example')!.answer(PUBLIC)
    await Promise.all(silent)
  })

  it('limits the queue of an organization: the name that has waited longest is sent away', async () => {
    const finding = Array.from({ length: 103 }, (_, n) => find(`s${n}.example`, 1).catch(({ code }) => code))
    await settle()
    expect(await Promise.all(finding.slice(1, 3))).to.deep.equal([NO_TURN, NO_TURN])
    void find('t.example', 2).catch(() => {})
    await settle()
    expect([...asked.keys()]).to.deep.equal(['s0.example', 't.example'])
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
