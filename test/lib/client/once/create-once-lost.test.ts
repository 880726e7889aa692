/** What create-once does while it does not know whether a task was created. */
import { expect } from 'chai'
import { UnexpectedResponseError, UnreachableError } from '../../../../lib/client/errors.ts'
import { createKey } from '../../../../lib/client/once/create-once-entry.ts'
import { FakeClock, settle } from '../../../support/fake-clock.ts'
import { aCreateBody, aTaskRecord } from '../../support/bodies.ts'
import { created, creating, timedOut } from './creating.ts'

describe('creating a task once, when the answer was lost', () => {
  const { clock, journal, host, calls, anOnce, failure, create } = creating()

  beforeEach(() => {
    host.posts = [timedOut(), created]
  })

  it('adopts the task that the list shows', async () => {
    host.lists = [[aTaskRecord({ status: 'Pending' })]]
    expect(await create()).to.include({ taskId: 1001, status: 'Pending', duplicate: false, adopted: true })
    expect(calls).to.deep.equal(['post', 'list'])
    expect(await create()).to.include({ duplicate: true, adopted: false })
  })

  it('looks over the whole settle window before it sends again', async () => {
    const start = clock.now()
    expect(await create()).to.include({ taskId: 1001, adopted: false })
    expect(calls).to.deep.equal(['post', 'list', 'list', 'list', 'list', 'post'])
    expect(clock.now() - start).to.be.at.least(120_000)
  })

  it('looks over the window of its own POST, although another address had held the document long before', async () => {
    const stop = new AbortController()
    const first = anOnce().createTask(aCreateBody(), { signal: stop.signal })
    await clock.pass(1)
    stop.abort(new Error('closing'))
    await failure(first)
    const long = clock.now() - 36_000_000
    await journal.set(createKey('other', 'EHR|DOC-000123'), {
      ...{ state: 'held', bodyHash: 'x', attempts: 1, firstAt: long, overAt: long },
    })
    const listedAt = clock.now() + 100_000
    const client = {
      createTask: async () => {
        calls.push('post')
        return created
      },
      listTasks: async () => (clock.now() >= listedAt ? [aTaskRecord()] : []),
    }
    const again = anOnce({ client, otherScopes: async () => ['other'] }).createTask(aCreateBody())
    expect(await clock.until(again)).to.include({ taskId: 1001, adopted: true })
    expect(calls.filter((call) => call === 'post')).to.have.length(1)
  })

  it('says why the task that it adopts has its status', async () => {
    host.lists = [[aTaskRecord({ statusReason: 'Waiting for the second signer' })]]
    expect(await create()).to.include({ adopted: true, statusReason: 'Waiting for the second signer' })
  })

  it('reports a lost answer once, and takes no pause after the window in which it has looked', async () => {
    const retries: unknown[] = []
    const start = clock.now()
    await clock.until(anOnce().createTask(aCreateBody(), { onRetry: (error) => retries.push(error) }))
    expect(retries).to.have.length(1)
    expect(clock.now() - start).to.equal(120_000)
  })

  it('looks over three windows at a host that does not answer, and then holds the document', async () => {
    host.lists = [new UnreachableError('listTasks', 'ECONNREFUSED', false)]
    const start = clock.now()
    expect((await failure(anOnce().createTask(aCreateBody()))).code).to.equal('OUTCOME_UNKNOWN')
    expect(clock.now() - start).to.be.at.least(360_000)
  })

  it('adopts a task that the list shows late', async () => {
    host.lists = [[], [], [], [aTaskRecord()]]
    expect(await create()).to.include({ adopted: true })
    expect(calls.filter((call) => call === 'post')).to.have.length(1)
  })

  it('does the same after an unreadable answer, a failing host and a cut connection', async () => {
    for (const lost of [
      new UnexpectedResponseError('createTask', 201, ['body: an object']),
      new UnreachableError('createTask', 'HTTP_502', true),
      new UnreachableError('createTask', 'ECONNRESET', true),
    ]) {
      await anOnce().forget('EHR|DOC-000123')
      host.posts = [lost, created]
      host.lists = [[aTaskRecord()]]
      expect(await create(), lost.message).to.include({ adopted: true })
    }
  })

  it('takes only exactly the same externalDocId, and trusts no list that shows others', async () => {
    host.lists = [[aTaskRecord({ externalDocId: 'EHR|DOC-0001234' }), aTaskRecord({ externalDocId: 'ehr|doc-000123' })]]
    expect((await failure(anOnce().createTask(aCreateBody()))).code).to.equal('OUTCOME_UNKNOWN')
    expect(
      calls.filter((call) => call === 'post'),
      'nothing is sent again',
    ).to.have.length(1)
    host.lists = [[aTaskRecord(), aTaskRecord({ taskId: 7, externalDocId: 'other' })]]
    expect(await create()).to.include({ taskId: 1001, adopted: true })
  })

  it('trusts no round in which a look failed', async () => {
    host.lists = [[], timedOut(), [], [], [], [], []]
    await create()
    expect(calls.filter((call) => call === 'list')).to.have.length(7)
  })

  it('holds the document when no look can be relied on, and looks again when it is sent again', async () => {
    host.lists = [timedOut()]
    expect((await failure(anOnce().createTask(aCreateBody()))).code).to.equal('OUTCOME_UNKNOWN')
    calls.length = 0
    host.lists = [[aTaskRecord()]]
    expect(await create()).to.include({ adopted: true })
    expect(calls).to.deep.equal(['list'])
  })

  it('holds it when several tasks carry the id', async () => {
    host.lists = [[aTaskRecord(), aTaskRecord({ taskId: 1002 })]]
    const held = await failure(anOnce().createTask(aCreateBody()))
    expect([held.code, held.taskIds]).to.deep.equal(['SEVERAL_TASKS', [1001, 1002]])
  })

  for (const status of ['Retracted', 'Rejected', 'Failed', 'Cancelled'] as const) {
    it(`never adopts a task that is ${status}; one that was created since holds the document`, async () => {
      host.lists = [[aTaskRecord({ status, createdAt: new Date(clock.now() + 1000).toISOString() })]]
      expect((await failure(anOnce().createTask(aCreateBody()))).code).to.equal('TASK_ENDED')
      expect(calls.filter((call) => call === 'post')).to.have.length(1)
    })

    it(`leaves an earlier task alone that is ${status}`, async () => {
      host.lists = [[aTaskRecord({ taskId: 9, status, createdAt: '2025-01-01T00:00:00Z' })]]
      expect(await create()).to.include({ taskId: 1001, adopted: false })
    })
  }

  it('takes up an intent that a crash left behind, counted from when its POST was over', async () => {
    const killed = anOnce({
      client: { createTask: () => new Promise(() => {}), listTasks: async () => [] },
      clock: new FakeClock(clock.now()),
    })
    void killed.createTask(aCreateBody())
    await settle()
    const start = clock.now()
    host.posts = [created]
    await create()
    expect(calls).to.deep.equal(['list', 'list', 'list', 'list', 'post'])
    expect(clock.now() - start, 'time limit and settle window').to.be.at.least(150_000)
  })

  it('does not take what was made of other content for this one', async () => {
    await failure(anOnce({ settleMs: 0, maxRounds: 0 }).createTask(aCreateBody()))
    host.lists = [[aTaskRecord()]]
    const held = await failure(anOnce().createTask(aCreateBody({ effectiveDate: '2026-01-16' })))
    expect(held.code).to.equal('CONTENT_DIFFERS')
  })

  it('stops waiting when it is told to, and knows the intent afterwards', async () => {
    const stop = new AbortController()
    const work = failure(anOnce().createTask(aCreateBody(), { signal: stop.signal }))
    await settle()
    stop.abort(new Error('closing'))
    expect((await work).message).to.equal('closing')
    host.lists = [[aTaskRecord()]]
    expect(await create()).to.include({ adopted: true })
  })
})
