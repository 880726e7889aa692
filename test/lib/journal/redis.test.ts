/** The journal in a real Redis, where one is installed, and everywhere: what is said when there is none. */
import { inspect } from 'node:util'
import { expect } from 'chai'
import type { Journal } from '../../../lib/journal/journal.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { createOnceStore } from '../../../lib/webhook/once-store.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/network/free-port.ts'
import { ran } from '../../support/processes.ts'
import { realTimePasses } from '../../support/real-time.ts'
import { installed } from '../../support/seen/external-checks.ts'
import { aRedis, REDIS_PASSWORD, type TestRedis } from '../../support/store/a-redis.ts'
import { anEvent } from '../support/bodies.ts'
import { emptyJournal } from '../support/empty-journal.ts'
import { keepsTheJournalContract } from './journal-contract.ts'

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it worked'),
    (thrown: unknown) => thrown,
  )

describe('a journal in a Redis that is not there', () => {
  it('is not opened, and the password is not repeated', async () => {
    const failure = await failureOf(openJournal(`redis://:${REDIS_PASSWORD}@127.0.0.1:${await freePort()}`, 'a'))
    expect(failure).to.be.instanceOf(Error)
    expect(inspect(failure, { depth: 10 })).not.to.contain(REDIS_PASSWORD)
  })
})

if (installed.redis)
  describe('a journal in Redis', function () {
    this.timeout(30_000)
    const opened: Journal[] = []
    let redis: TestRedis

    before(async () => {
      redis = await aRedis()
    })
    afterEach(async () => {
      for (const journal of opened) await emptyJournal(journal)
      for (const journal of opened.splice(0)) await journal.close()
    })
    after(() => redis.stop())

    const open = async (namespace: string) => {
      const journal = await openJournal(redis.url, namespace)
      opened.push(journal)
      return journal
    }

    keepsTheJournalContract(open)

    it('lets exactly one of several processes have each key, and loses no count', async () => {
      const journal = await open('race')
      const run = () => ran(['test/lib/journal/compete.ts', redis.url, '100'])
      const won = (await Promise.all([run(), run(), run()])).map(({ stdout }) => Number(stdout))
      expect(won[0]! + won[1]! + won[2]!).to.equal(100)
      expect(await journal.get('sum')).to.equal(300)
    })

    it('lets one of two processes hand an event over, and keeps what it remembers for its time only', async () => {
      const [one, other] = [createOnceStore(await open('events'), { ttlMs: 80 }), createOnceStore(await open('events'))]
      expect((await Promise.all([one.claim(anEvent()), other.claim(anEvent())])).sort()).to.deep.equal([
        'in_progress',
        'new',
      ])
      await one.complete(anEvent())
      expect(await other.claim(anEvent())).to.equal('done')
      await realTimePasses(120)
      expect(await other.claim(anEvent())).to.equal('new')
    })

    it('finds what a process claimed that died', async () => {
      const journal = await open('events')
      const dead = createOnceStore(journal, { now: () => Date.now() - 120_000 })
      expect(await dead.claim(anEvent())).to.equal('new')
      const found = []
      for await (const event of createOnceStore(journal).abandoned()) found.push(event.eventId)
      expect(found).to.deep.equal([anEvent().eventId])
    })

    it('fails at once while Redis is away, without the password, and goes on when it comes back', async () => {
      const journal = await open('a')
      await journal.set('key', 'kept')
      const { port } = redis
      await redis.stop()
      const calls = [
        () => journal.get('key'),
        () => journal.set('key', 1),
        () => createOnceStore(journal).claim(anEvent()),
      ]
      for (const call of calls) {
        const failure = await failureOf(call())
        expect(failure).to.be.instanceOf(Error)
        expect(inspect(failure, { depth: 10 })).not.to.contain(REDIS_PASSWORD)
      }
      redis = await aRedis(port)
      await eventually(() => journal.set('key', 'new'))
      expect(await journal.get('key')).to.equal('new')
    })

    it('does not wait for a Redis that hangs', async () => {
      const journal = await open('a')
      redis.halt()
      try {
        const failures = await Promise.all([failureOf(journal.get('key')), failureOf(openJournal(redis.url, 'a'))])
        for (const failure of failures) expect(String(failure)).to.match(/did not answer within 5000 ms/)
        await journal.close()
        opened.splice(opened.indexOf(journal), 1)
      } finally {
        redis.goOn()
      }
    })
  })
