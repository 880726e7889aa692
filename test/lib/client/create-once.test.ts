import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { bodyHash } from '../../../lib/client/body-hash.ts'
import { type CreateOnceOptions, createOnce } from '../../../lib/client/create-once.ts'
import {
  RefusedError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnreachableError,
} from '../../../lib/client/errors.ts'
import { serviceScope } from '../../../lib/client/service-scope.ts'
import type { CreateTask, Task } from '../../../lib/contract/task.ts'
import { type Journal, openJournal } from '../../../lib/journal/open.ts'
import { aBody, aTask } from '../support/bodies.ts'
import { type FakeClock, fakeClock, settle } from '../support/fake-clock.ts'

const created = { taskId: 1001, status: 'Received', statusReason: null } as const
const timedOut = () => new UnreachableError('createTask', 'ETIMEDOUT', true)

describe('creating a task once', () => {
  let clock: FakeClock
  let journal: Journal
  /** What the host answers to each POST and each list in turn; the last answer is repeated. */
  let posts: (typeof created | Error)[]
  let lists: (Task[] | Error)[]
  let calls: string[]

  beforeEach(async () => {
    clock = fakeClock()
    journal = await openJournal(':memory:', 'create')
    posts = [created]
    lists = [[]]
    calls = []
  })
  afterEach(() => journal.disconnect())

  const next = <T>(answers: (T | Error)[]): T => {
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!
    if (answer instanceof Error) throw answer
    return answer
  }
  const anOnce = (options: Partial<CreateOnceOptions> = {}) =>
    createOnce({
      client: {
        createTask: async () => {
          calls.push('post')
          return next(posts)
        },
        listTasks: async (call) => {
          calls.push('list')
          expect(call).to.deep.equal({ query: { externalDocId: 'EHR|DOC-000123' } })
          return next(lists)
        },
      },
      journal,
      scope: serviceScope('https://sign.example.org/', 'key'),
      clock,
      random: () => 0.5,
      ...options,
    })
  const failure = async (work: Promise<unknown>) =>
    (await clock.until(
      work.then(
        () => ({}),
        (error) => error,
      ),
    )) as Error & { code?: string; taskIds?: number[] }
  const create = (body: CreateTask = aBody(), options: Partial<CreateOnceOptions> = {}) =>
    clock.until(anOnce(options).createTask(body))

  it('sends a document once, and says so when it comes again, also after a restart', async () => {
    expect(await create()).to.deep.equal({ ...created, duplicate: false, adopted: false })
    expect(await create()).to.deep.equal({ ...created, duplicate: true, adopted: false })
    expect(calls).to.deep.equal(['post'])
  })

  it('sends it once when it comes ten times at once', async () => {
    const once = anOnce()
    const results = await Promise.all(Array.from({ length: 10 }, () => once.createTask(aBody())))
    expect(results.filter(({ duplicate }) => !duplicate)).to.have.length(1)
    expect(calls).to.deep.equal(['post'])
  })

  it('takes the same body in another order for the same', async () => {
    await create()
    const { patient, performers, document } = aBody()
    expect((await create({ document, performers, patient })).duplicate).to.equal(true)
    expect(bodyHash({ a: 1, b: [undefined, { c: undefined }] })).to.equal(bodyHash({ b: [null, {}], a: 1 }))
  })

  it('keeps the documents of two services and two keys apart', async () => {
    await create()
    for (const scope of [
      serviceScope('https://other.example.org', 'key'),
      serviceScope('https://sign.example.org', 'k2'),
    ])
      expect((await create(aBody(), { scope })).duplicate).to.equal(false)
    expect(serviceScope('https://sign.example.org', 'key')).to.equal(serviceScope('https://sign.example.org/', 'key'))
  })

  it('holds other content under the same externalDocId', async () => {
    await create()
    const held = await failure(anOnce().createTask(aBody({ effectiveDate: '2026-01-16' })))
    expect([held.code, held.taskIds]).to.deep.equal(['CONTENT_DIFFERS', [1001]])
    expect((await create()).duplicate, 'the first one still stands').to.equal(true)
  })

  describe('when the answer was lost', () => {
    beforeEach(() => {
      posts = [timedOut(), created]
    })

    it('adopts the task that the list shows', async () => {
      lists = [[aTask({ status: 'Pending' })]]
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

    it('adopts what the list shows late', async () => {
      lists = [[], [], [], [aTask()]]
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
        posts = [lost, created]
        lists = [[aTask()]]
        expect(await create(), lost.message).to.include({ adopted: true })
      }
    })

    it('takes only exactly the same externalDocId, and trusts no list that shows others', async () => {
      lists = [[aTask({ externalDocId: 'EHR|DOC-0001234' }), aTask({ externalDocId: 'ehr|doc-000123' })]]
      expect((await failure(anOnce().createTask(aBody()))).code).to.equal('OUTCOME_UNKNOWN')
      expect(
        calls.filter((call) => call === 'post'),
        'nothing is sent again',
      ).to.have.length(1)
      lists = [[aTask(), aTask({ taskId: 7, externalDocId: 'other' })]]
      expect(await create()).to.include({ taskId: 1001, adopted: true })
    })

    it('trusts no round in which a look failed', async () => {
      lists = [[], timedOut(), [], [], [], [], []]
      await create()
      expect(calls.filter((call) => call === 'list')).to.have.length(7)
    })

    it('holds the document when no look can be relied on, and looks again when it is sent again', async () => {
      lists = [timedOut()]
      expect((await failure(anOnce().createTask(aBody()))).code).to.equal('OUTCOME_UNKNOWN')
      calls.length = 0
      lists = [[aTask()]]
      expect(await create()).to.include({ adopted: true })
      expect(calls).to.deep.equal(['list'])
    })

    it('holds it when several tasks carry the id', async () => {
      lists = [[aTask(), aTask({ taskId: 1002 })]]
      const held = await failure(anOnce().createTask(aBody()))
      expect([held.code, held.taskIds]).to.deep.equal(['SEVERAL_TASKS', [1001, 1002]])
    })

    for (const status of ['Retracted', 'Rejected', 'Failed', 'Cancelled'] as const) {
      it(`never adopts a task that is ${status}; one that was created since holds the document`, async () => {
        lists = [[aTask({ status, createdAt: new Date(clock.now() + 1000).toISOString() })]]
        expect((await failure(anOnce().createTask(aBody()))).code).to.equal('TASK_ENDED')
        expect(calls.filter((call) => call === 'post')).to.have.length(1)
      })

      it(`leaves an earlier task alone that is ${status}`, async () => {
        lists = [[aTask({ taskId: 9, status, createdAt: '2025-01-01T00:00:00Z' })]]
        expect(await create()).to.include({ taskId: 1001, adopted: false })
      })
    }

    it('takes up an intent that a crash left behind, counted from when its POST was over', async () => {
      void anOnce({ client: { createTask: () => new Promise(() => {}), listTasks: async () => [] } }).createTask(
        aBody(),
      )
      await settle()
      const start = clock.now()
      posts = [created]
      await create()
      expect(calls).to.deep.equal(['list', 'list', 'list', 'list', 'post'])
      expect(clock.now() - start, 'time limit and settle window').to.be.at.least(150_000)
    })

    it('does not take what was made of other content for this one', async () => {
      await failure(anOnce({ settleMs: 0, maxRounds: 0 }).createTask(aBody()))
      lists = [[aTask()]]
      const held = await failure(anOnce().createTask(aBody({ effectiveDate: '2026-01-16' })))
      expect(held.code).to.equal('CONTENT_DIFFERS')
    })

    it('stops waiting when it is told to, and knows the intent afterwards', async () => {
      const stop = new AbortController()
      const work = failure(anOnce().createTask(aBody(), { signal: stop.signal }))
      await settle()
      stop.abort(new Error('closing'))
      expect((await work).message).to.equal('closing')
      lists = [[aTask()]]
      expect(await create()).to.include({ adopted: true })
    })
  })

  describe('when certainly nothing was created', () => {
    it('sends again after a pause that grows', async () => {
      const refused = new UnreachableError('createTask', 'ECONNREFUSED', false)
      posts = [refused, refused, refused, created]
      const start = clock.now()
      await create()
      expect(calls).to.deep.equal(['post', 'post', 'post', 'post'])
      expect(clock.now() - start).to.equal(1000 + 2000 + 4000)
    })

    it('gives up after some attempts, and starts afresh when asked again', async () => {
      posts = [new UnreachableError('createTask', 'ECONNREFUSED', false)]
      expect((await failure(anOnce().createTask(aBody()))).code).to.equal('ECONNREFUSED')
      expect(calls).to.have.length(5)
      posts = [created]
      calls.length = 0
      expect(await create()).to.include({ duplicate: false })
      expect(calls, 'no look is needed').to.deep.equal(['post'])
    })

    it('waits as long as a busy host says', async () => {
      posts = [new RefusedError('createTask', 429, ['too many'], 17), created]
      const start = clock.now()
      await create()
      expect(clock.now() - start).to.equal(17_000)
    })

    it('passes a refusal on, and sends the mended document', async () => {
      posts = [new RefusedError('createTask', 400, ['patient.sex: required']), created]
      expect(await failure(anOnce().createTask(aBody()))).to.be.instanceOf(RefusedError)
      expect(await create(aBody({ effectiveDate: '2026-01-16' }))).to.include({ duplicate: false })
      expect(calls).to.deep.equal(['post', 'post'])
    })

    it('leaves a refused key alone for a while', async () => {
      posts = [new UnauthorizedError('createTask', 403, ['unknown key']), created]
      const once = anOnce()
      for (let at = 0; at < 3; at++)
        expect(await failure(once.createTask(aBody({ externalDocId: `EHR|${at}` })))).to.be.instanceOf(
          UnauthorizedError,
        )
      expect(calls).to.deep.equal(['post'])
      await clock.advance(30_000)
      expect(await once.createTask(aBody())).to.include({ duplicate: false })
    })
  })

  describe('with a journal that was lost', () => {
    it('looks first when asked to', async () => {
      lists = [[aTask()]]
      expect(await create(aBody(), { looksFirst: true })).to.include({ adopted: true })
      expect(calls).to.deep.equal(['list'])
    })

    it('sends when there is none, and not when the look failed', async () => {
      lists = [timedOut()]
      expect((await failure(anOnce({ looksFirst: true }).createTask(aBody()))).code).to.equal('OUTCOME_UNKNOWN')
      await anOnce().forget('EHR|DOC-000123')
      lists = [[]]
      expect(await create(aBody(), { looksFirst: true })).to.include({ duplicate: false, adopted: false })
    })
  })

  it('sends nothing when the intent cannot be written', async () => {
    await journal.disconnect()
    expect(await failure(anOnce().createTask(aBody()))).to.be.instanceOf(Error)
    expect(calls).to.deep.equal([])
  })

  it('writes nothing of the patient, the document or the key into the journal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'create-once-'))
    const file = join(folder, 'create.sqlite')
    const onDisk = await openJournal(file, 'create')
    await create(aBody(), { journal: onDisk })
    const written = readFileSync(file, 'latin1') + readFileSync(`${file}-wal`, 'latin1')
    await onDisk.disconnect()
    rmSync(folder, { recursive: true })
    expect(written).to.contain('"state":"created"')
    for (const secret of [
      'DOC-000123',
      'Whitfield',
      'WC100001',
      '1948',
      'sign.example.org',
      aBody().document.attachment,
    ])
      expect(written).not.to.contain(secret)
  })
})
