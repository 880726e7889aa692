/** What create-once does in a journal that several processes share and that knows which of them live. */
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import { UnreachableError } from '../../../../lib/client/errors.ts'
import type { Processes } from '../../../../lib/client/once/claim.ts'
import type { CreateOnceOptions } from '../../../../lib/client/once/create-once.ts'
import type { ResultOf } from '../../../../lib/contract/calls.ts'
import { FakeClock, settle } from '../../../support/fake-clock.ts'
import { aCreateBody, aTaskRecord } from '../../support/bodies.ts'
import { created, creating } from './creating.ts'

describe('creating a task once, in several processes that say that they live', () => {
  const { clock, journal, host, calls, anOnce, create } = creating()
  const posts = () => calls.filter((call) => call === 'post').length
  const started = new Set<string>()
  const ended = new Set<string>()
  beforeEach(() => {
    started.clear()
    ended.clear()
  })
  const hasLease = (run: string) => started.has(run) && !ended.has(run)

  const processes = (run: string): Processes => ({
    run,
    get isLeased() {
      return hasLease(run)
    },
    async replaceOfEnded(key, known, next, owner) {
      if (hasLease(owner)) return false
      const was = await journal.change(key, (is) => (isDeepStrictEqual(is, known) ? next : undefined))
      return isDeepStrictEqual(was, known)
    },
  })
  const inProcess = (run: string, options: Partial<CreateOnceOptions> = {}) => {
    started.add(run)
    return { ...options, processes: processes(run) }
  }

  /** A process whose POST is answered when the test says so. Its clock stands still. */
  async function posting(run: string) {
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
    const work = anOnce(inProcess(run, { client, clock: new FakeClock(clock.now()) })).createTask(aCreateBody())
    await settle()
    return { work, answer }
  }

  /** A process that looks for the task before it sends, and is not answered. */
  async function looking(run: string) {
    const client: CreateOnceOptions['client'] = {
      createTask: async () => {
        calls.push('post')
        return created
      },
      listTasks: () => new Promise(() => {}),
    }
    const options = inProcess(run, { client, looksFirst: true, clock: new FakeClock(clock.now()) })
    void anOnce(options).createTask(aCreateBody())
    await settle()
  }

  it('waits for a process that lives, whatever its clock says', async () => {
    const { answer, work } = await posting('first')
    const second = anOnce(inProcess('second')).createTask(aCreateBody())
    await clock.pass(15_000)
    expect(posts()).to.equal(1)
    answer(created)
    expect(await work).to.include({ duplicate: false })
    expect(await clock.until(second)).to.include({ taskId: 1001, duplicate: true })
  })

  it('takes the claim of a process that has ended over at once, when that had sent nothing', async () => {
    await looking('first')
    ended.add('first')
    const start = clock.now()
    expect(await create(aCreateBody(), inProcess('second'))).to.include({ taskId: 1001, duplicate: false })
    expect(clock.now()).to.equal(start)
    expect(posts()).to.equal(1)
  })

  it('waits until the claim of a call ends that does not name its process', async () => {
    const client: CreateOnceOptions['client'] = {
      createTask: async () => created,
      listTasks: () => new Promise(() => {}),
    }
    void anOnce({ client, looksFirst: true, clock: new FakeClock(clock.now()) }).createTask(aCreateBody())
    await settle()
    const start = clock.now()
    expect(await create(aCreateBody(), inProcess('second'))).to.include({ taskId: 1001, duplicate: false })
    expect(clock.now() - start).to.equal(20_000)
  })

  it('finds the task of a process that has ended at once', async () => {
    await posting('first')
    ended.add('first')
    host.lists = [[aTaskRecord({ taskId: 7 })]]
    const start = clock.now()
    expect(await create(aCreateBody(), inProcess('second'))).to.include({ taskId: 7, adopted: true })
    expect(clock.now()).to.equal(start)
    expect(posts()).to.equal(1)
  })

  it('sends nothing while the POST of a process that is slow and not dead may be under way', async () => {
    await posting('first')
    ended.add('first')
    const start = clock.now()
    expect(await create(aCreateBody(), inProcess('second'))).to.include({ duplicate: false })
    expect(clock.now() - start, 'time limit and settle window').to.equal(30_000 + 120_000)
    expect(posts()).to.equal(2)
  })

  it('does not wait longer for a POST after each further process that ends while it looks', async () => {
    await posting('first')
    ended.add('first')
    const start = clock.now()
    const own = new FakeClock(start)
    void anOnce(inProcess('second', { clock: own })).createTask(aCreateBody())
    await settle()
    ended.add('second')
    await clock.pass(10_000)
    await create(aCreateBody(), inProcess('third'))
    expect(clock.now() - start).to.equal(30_000 + 120_000)
  })

  it('sends nothing more once its own lease is lost, and continues when it has one again', async () => {
    host.posts = [new UnreachableError('createTask', 'ECONNREFUSED', false), created]
    const work = anOnce(inProcess('first')).createTask(aCreateBody())
    await settle()
    ended.add('first')
    await clock.pass(600_000)
    expect(posts()).to.equal(1)
    ended.delete('first')
    expect(await clock.until(work)).to.include({ taskId: 1001, duplicate: false })
    expect(posts()).to.equal(2)
  })

  it('gives both the task that a slow process has made after another one has taken over', async () => {
    const { work, answer } = await posting('first')
    ended.add('first')
    const second = anOnce(inProcess('second')).createTask(aCreateBody())
    await settle()
    ended.delete('first')
    host.lists = [[aTaskRecord({ taskId: 7 })]]
    answer({ ...created, taskId: 7 })
    expect(await work).to.include({ taskId: 7 })
    expect(await clock.until(second)).to.include({ taskId: 7 })
    expect(posts()).to.equal(1)
  })
})
