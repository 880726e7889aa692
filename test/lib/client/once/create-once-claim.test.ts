/** What create-once does while another call is at the document: another object or process that shares the journal. */
import { expect } from 'chai'
import { UnreachableError } from '../../../../lib/client/errors.ts'
import type { CreateOnceOptions } from '../../../../lib/client/once/create-once.ts'
import type { CreateEntry } from '../../../../lib/client/once/create-once-entry.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { ResultOf } from '../../../../lib/contract/calls.ts'
import type { Journal } from '../../../../lib/journal/journal.ts'
import { FakeClock, settle } from '../../../support/fake-clock.ts'
import { aCreateBody, aTaskRecord } from '../../support/bodies.ts'
import { created, creating, timedOut } from './creating.ts'

const DOCUMENT = 'EHR|DOC-000123'

describe('creating a task once, among all who share the journal', () => {
  const { clock, journal, host, calls, anOnce, failure, create } = creating()
  const posts = () => calls.filter((call) => call === 'post').length

  /** A POST that is answered when the test says so. */
  function slowPost() {
    let answer = (_: ResultOf<'createTask'>) => {}
    const answered = new Promise<ResultOf<'createTask'>>((resolve) => {
      answer = resolve
    })
    const client: CreateOnceOptions['client'] = {
      createTask: async () => {
        calls.push('post')
        return answered
      },
      listTasks: async () => [],
    }
    return { client, answer }
  }

  it('sends a document once when two objects are given it at once', async () => {
    const objects = [anOnce(), anOnce()]
    const results = await clock.until(
      Promise.all(Array.from({ length: 10 }, (_, at) => objects[at % 2]!.createTask(aCreateBody()))),
    )
    expect(results.filter(({ duplicate }) => !duplicate)).to.have.length(1)
    expect(posts()).to.equal(1)
  })

  it('waits for one that takes long, and learns of its task', async () => {
    const { client, answer } = slowPost()
    const first = anOnce({ client }).createTask(aCreateBody())
    await settle()
    const second = anOnce().createTask(aCreateBody())
    await clock.pass(607_000)
    expect(posts()).to.equal(1)
    answer({ ...created, taskId: 7 })
    expect(await first).to.include({ taskId: 7, duplicate: false })
    const start = clock.now()
    expect(await clock.until(second)).to.include({ taskId: 7, duplicate: true })
    expect(clock.now() - start).to.be.at.most(5_000)
  })

  it('holds other content that was waiting for it', async () => {
    const { client, answer } = slowPost()
    void anOnce({ client }).createTask(aCreateBody())
    await settle()
    const other = failure(anOnce().createTask(aCreateBody({ effectiveDate: '2026-01-16' })))
    answer(created)
    expect((await other).code).to.equal('CONTENT_DIFFERS')
    expect(posts()).to.equal(1)
  })

  it('sends when the other one failed, at once', async () => {
    host.posts = [new UnreachableError('createTask', 'ECONNREFUSED', false), created]
    await failure(anOnce({ maxAttempts: 1 }).createTask(aCreateBody()))
    const start = clock.now()
    expect(await create()).to.include({ duplicate: false })
    expect(clock.now()).to.equal(start)
  })

  it('stops waiting when it is told to', async () => {
    void anOnce({ client: slowPost().client }).createTask(aCreateBody())
    await settle()
    const stop = new AbortController()
    const work = failure(anOnce().createTask(aCreateBody(), { signal: stop.signal }))
    await settle()
    stop.abort(new Error('closing'))
    expect((await work).message).to.equal('closing')
  })

  describe('when the other process', () => {
    /** A process of its own; `own.clock` stands still while the process is suspended or dead. */
    async function another(options: Partial<CreateOnceOptions> = {}) {
      const own = new FakeClock(clock.now())
      const work = anOnce({ clock: own, ...options })
        .createTask(aCreateBody())
        .catch((thrown: Error) => thrown)
      await settle()
      return { own, work }
    }

    it('was killed before it sent, sends when its claim has ended', async () => {
      host.posts = [new UnreachableError('createTask', 'ECONNREFUSED', false), created]
      await another()
      const start = clock.now()
      expect(await create()).to.include({ duplicate: false })
      expect(clock.now() - start).to.equal(20_000)
      expect(calls).to.deep.equal(['post', 'post'])
    })

    it('was an earlier start of this one, nobody waits for its claim, and its POST is over', async () => {
      void anOnce({ client: slowPost().client, clock: new FakeClock(clock.now()), run: 'first' }).createTask(
        aCreateBody(),
      )
      await settle()
      const start = clock.now()
      expect(await create(aCreateBody(), { run: 'second' })).to.include({ duplicate: false })
      expect(clock.now() - start, 'the settle window alone').to.equal(120_000)
    })

    it('is this one, its other calls wait as ever', async () => {
      const { client, answer } = slowPost()
      void anOnce({ client, run: 'first' }).createTask(aCreateBody())
      await settle()
      const second = anOnce({ run: 'first' }).createTask(aCreateBody())
      await clock.pass(600_000)
      expect(posts()).to.equal(1)
      answer(created)
      expect(await clock.until(second)).to.include({ taskId: 1001, duplicate: true })
    })

    it('was killed in a call with a longer time limit, that is waited for', async () => {
      const own = new FakeClock(clock.now())
      const { client } = slowPost()
      void anOnce({ client, clock: own }).createTask(aCreateBody(), { timeoutMs: 300_000 })
      await settle()
      const start = clock.now()
      await create()
      expect(clock.now() - start, 'claim, time limit and settle window').to.equal(20_000 + 300_000 + 120_000)
    })

    it('was killed while it looked for an earlier POST, that POST alone is waited for', async () => {
      host.posts = [timedOut(), created]
      await another()
      const start = clock.now()
      await clock.pass(20_000)
      const { own } = await another()
      await own.pass(6_000)
      await create()
      expect(clock.now() - start, 'claim, time limit and settle window').to.equal(20_000 + 30_000 + 120_000)
    })

    it('was suspended while it wrote that it sends, it sends nothing afterwards', async () => {
      const own = new FakeClock(clock.now())
      let suspendedMs = 0
      const slow: Journal = Object.assign(Object.create(journal) as Journal, {
        change: async (...call: Parameters<Journal['change']>) => {
          const was = await journal.change(...call)
          if (suspendedMs > 0 || (await journal.get<CreateEntry>(call[0]))?.state !== 'intent') return was
          suspendedMs = 600_000
          await create()
          return was
        },
      })
      const late: Clock = Object.assign(Object.create(own) as Clock, { now: () => own.now() + suspendedMs })
      const work = anOnce({ journal: slow, clock: late }).createTask(aCreateBody())
      expect(await clock.until(work)).to.include({ taskId: 1001, duplicate: true })
      expect(posts()).to.equal(1)
    })

    it('was suspended before it sent, it sends nothing afterwards and gives the task of this one', async () => {
      host.posts = [new UnreachableError('createTask', 'ECONNREFUSED', false), created]
      const { own, work } = await another()
      await create()
      await own.pass(clock.now() - own.now())
      expect(await work).to.include({ taskId: 1001, duplicate: true })
      expect(posts(), 'its own that was refused, and ours').to.equal(2)
    })

    it('was suspended while its request was queued, that request is never sent', async () => {
      const { client } = slowPost()
      let isSent = false
      const { own, work } = await another({
        client: {
          ...client,
          createTask: async (_call, { signal } = {}) => {
            await own.sleep(1000)
            signal!.throwIfAborted()
            isSent = true
            return created
          },
        },
      })
      await create()
      own.advance(clock.now() - own.now())
      expect(await clock.until(work)).to.include({ duplicate: true })
      expect(isSent).to.equal(false)
    })

    it('turns out to have made a task too, says so', async () => {
      const { client, answer } = slowPost()
      const { work } = await another({ client })
      await create()
      answer({ ...created, taskId: 7 })
      expect(await work)
        .to.include({ code: 'SEVERAL_TASKS' })
        .and.deep.include({ taskIds: [1001, 7] })
      expect(await create(), 'the first one stays known').to.include({ taskId: 1001, duplicate: true })
    })

    it('is given the same task by its host, has no other one', async () => {
      const { client, answer } = slowPost()
      const { work } = await another({ client })
      await create()
      answer(created)
      expect(await work).to.include({ taskId: 1001, duplicate: false })
      expect(await create()).to.include({ taskId: 1001, duplicate: true })
    })

    it('learns of its task after its claim was taken over, this one is given it', async () => {
      const { client, answer } = slowPost()
      const { work } = await another({ client })
      const ours = anOnce().createTask(aCreateBody())
      await clock.pass(60_000)
      answer({ ...created, taskId: 7 })
      expect(await work).to.include({ taskId: 7, duplicate: false })
      expect(await clock.until(ours)).to.include({ taskId: 7, duplicate: true })
      expect(posts()).to.equal(1)
    })
  })

  it('does not rely on a claim that the journal no longer renews', async () => {
    let isAway = false
    const unreliable: Journal = Object.assign(Object.create(journal) as Journal, {
      change: (...call: Parameters<Journal['change']>) =>
        isAway ? Promise.reject(new Error('away')) : journal.change(...call),
    })
    let signal: AbortSignal | undefined
    const client: CreateOnceOptions['client'] = {
      createTask: (_call, options) =>
        new Promise((_, reject) => {
          signal = options!.signal!
          signal.addEventListener('abort', () => reject(signal!.reason))
        }),
      listTasks: async () => [],
    }
    const work = failure(anOnce({ client, journal: unreliable }).createTask(aCreateBody()))
    await settle()
    await clock.pass(60_000)
    expect(signal?.aborted, 'renewed so far').to.equal(false)
    isAway = true
    await clock.pass(15_000)
    expect(signal?.aborted).to.equal(true)
    expect((await work).message).to.equal('away')
  })

  it('forgets a document only when nobody is at it', async () => {
    const { client, answer } = slowPost()
    const first = anOnce({ client }).createTask(aCreateBody())
    await settle()
    const forgotten = anOnce().forget(DOCUMENT)
    await clock.pass(60_000)
    answer(created)
    await first
    await clock.until(forgotten)
    host.lists = [[aTaskRecord()]]
    expect(await create()).to.include({ duplicate: false })
    expect(posts()).to.equal(2)
  })
})
