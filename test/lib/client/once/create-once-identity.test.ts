/** A document stays the same document under another address or another key: never two tasks of it, and never none. */
import { expect } from 'chai'
import { UnreachableError } from '../../../../lib/client/errors.ts'
import { type CreateOnce, createOnce } from '../../../../lib/client/once/create-once.ts'
import type { HeldError } from '../../../../lib/client/once/held-error.ts'
import type { TaskStatus } from '../../../../lib/contract/task/task.ts'
import { createJournal } from '../../../../lib/journal/journal.ts'
import { SqliteStore } from '../../../../lib/journal/sqlite-store.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { aCreateBody, aTaskRecord } from '../../support/bodies.ts'

const SCOPES = ['first-address', 'second-address']

/** One host with several organizations, that answers or loses its answers, and lists what it has. */
function aHost() {
  const clock = new FakeClock()
  const tasks: { organization: string; taskId: number; externalDocId: string; status?: TaskStatus }[] = []
  const state = { isAnswerLost: false, isPostLost: false, isAway: false }
  const clientOf = (organization: string) => ({
    createTask: async ({ body }: { body: ReturnType<typeof aCreateBody> }) => {
      if (state.isPostLost) throw new UnreachableError('createTask', 'ETIMEDOUT', true)
      const taskId = 1001 + tasks.length
      tasks.push({ organization, taskId, externalDocId: body.document.externalDocId })
      if (state.isAnswerLost) throw new UnreachableError('createTask', 'ETIMEDOUT', true)
      return { taskId, status: 'Received' as const, statusReason: null }
    },
    readTask: async ({ params: { id } }: { params: { id: number } }) => {
      const { organization: _, ...task } = tasks.find(({ taskId }) => taskId === id)!
      return aTaskRecord(task)
    },
    listTasks: async () => {
      if (state.isAway) throw new UnreachableError('listTasks', 'ECONNREFUSED', false)
      return tasks
        .filter((task) => task.organization === organization)
        .map(({ organization: _, ...task }) => aTaskRecord(task))
    },
  })
  const journal = createJournal(new SqliteStore(':memory:', 'create'))
  const once = (where: { scope: string; sender?: string; organization: string }): CreateOnce =>
    createOnce({
      client: clientOf(where.organization) as unknown as Parameters<typeof createOnce>[0]['client'],
      journal,
      scope: where.scope,
      ...(where.sender !== undefined && { sender: where.sender }),
      otherScopes: async () => SCOPES.filter((scope) => scope !== where.scope),
      clock,
      random: () => 0.5,
      run: `run-${where.sender}-${where.scope}`,
      maxAttempts: 2,
    })
  const outcome = (work: Promise<{ taskId: number }>) =>
    clock.until(
      work.then(
        ({ taskId }) => taskId,
        (error: HeldError) => error.code as string,
      ),
    )
  return { clock, tasks, state, journal, once, outcome }
}

const CHANGES = {
  restart: { scope: 'first-address', sender: 'key-1' },
  'another key': { scope: 'first-address', sender: 'key-2' },
  'another address': { scope: 'second-address', sender: 'key-1' },
  'another address and key': { scope: 'second-address', sender: 'key-2' },
}
const before = { scope: 'first-address', sender: 'key-1', organization: 'one' }

describe('a document under another address or key', () => {
  for (const [change, after] of Object.entries(CHANGES)) {
    for (const stage of ['new', 'lost on its way', 'created, with the answer lost', 'created'] as const)
      it(`has one task after ${change}, when it was ${stage}`, async () => {
        const { clock, tasks, state, once, outcome } = aHost()
        if (stage !== 'new') {
          state.isPostLost = stage === 'lost on its way'
          state.isAnswerLost = stage === 'created, with the answer lost'
          const stop = new AbortController()
          const first = outcome(once(before).createTask(aCreateBody(), { signal: stop.signal }))
          await clock.pass(1)
          stop.abort(new Error('Node-RED is killed'))
          await first
          Object.assign(state, { isPostLost: false, isAnswerLost: false })
        }
        const answers = [await outcome(once({ ...before, ...after }).createTask(aCreateBody()))]
        answers.push(await outcome(once({ ...before, ...after }).createTask(aCreateBody())))
        answers.push(await outcome(once(before).createTask(aCreateBody())))
        expect(tasks.length, 'tasks at the host').to.equal(1)
        expect(answers).to.deep.equal([1001, 1001, 1001])
      })
  }

  it('is held when the key belongs to another organization, and sent when a person has decided so', async () => {
    const { tasks, once, outcome } = aHost()
    await outcome(once(before).createTask(aCreateBody()))
    const other = once({ scope: 'first-address', sender: 'key-of-two', organization: 'two' })
    expect(await outcome(other.createTask(aCreateBody()))).to.equal('OTHER_KEY')
    expect(tasks).to.have.length(1)
    expect(await outcome(other.createTask(aCreateBody(), { isDecided: true }))).to.equal(1002)
    expect(await outcome(other.createTask(aCreateBody()))).to.equal(1002)
    expect(tasks.map(({ organization }) => organization)).to.deep.equal(['one', 'two'])
  })

  it('is held for another organization, too, when it was found after its answer was lost', async () => {
    const { tasks, state, once, outcome } = aHost()
    state.isAnswerLost = true
    expect(await outcome(once(before).createTask(aCreateBody()))).to.equal(1001)
    const other = once({ scope: 'first-address', sender: 'key-of-two', organization: 'two' })
    expect(await outcome(other.createTask(aCreateBody()))).to.equal('OTHER_KEY')
    expect(tasks).to.have.length(1)
  })

  for (const [stage, stopMs] of [
    ['on its way', 1],
    ['held', 3_600_000],
  ] as const)
    it(`has one task under another address, when the first address knows it as ${stage} and the host lists it late`, async () => {
      const { clock, tasks, state, once, outcome } = aHost()
      Object.assign(state, { isAnswerLost: true, isAway: true })
      const stop = new AbortController()
      const first = outcome(once(before).createTask(aCreateBody(), { signal: stop.signal }))
      await clock.pass(stopMs)
      stop.abort(new Error('Node-RED is killed'))
      await first
      Object.assign(state, { isAnswerLost: false, isAway: false })
      expect(await outcome(once({ ...before, scope: 'second-address' }).createTask(aCreateBody()))).to.equal(1001)
      expect(tasks).to.have.length(1)
    })

  it('is withdrawn with the task that was created under another address, or with another id', async () => {
    const { once, clock } = aHost()
    await clock.until(once(before).createTask(aCreateBody(), { aliases: ['PLACER|9'] }))
    const elsewhere = once({ ...before, scope: 'second-address' })
    const taskIds = async (id: string, except?: string) =>
      (await clock.until(elsewhere.withdraw(id, { except }))).taskIds
    expect(await taskIds('EHR|DOC-000123')).to.deep.equal([1001])
    expect(await taskIds('PLACER|9', 'EHR|DOC-000124')).to.deep.equal([1001])
    expect(await taskIds('PLACER|9', 'EHR|DOC-000123')).to.deep.equal([])
  })

  it('belongs to the key that reads it when no key was noted, and to each key of an object that has no name for it', async () => {
    const { tasks, state, once, outcome } = aHost()
    const { sender: _, ...unnamed } = before
    await outcome(once(unnamed).createTask(aCreateBody()))
    state.isAway = true
    expect(await outcome(once(before).createTask(aCreateBody()))).to.equal(1001)
    state.isAway = false
    await outcome(once(before).createTask(aCreateBody({ externalDocId: 'EHR|DOC-000124' })))
    state.isAway = true
    expect(await outcome(once(unnamed).createTask(aCreateBody({ externalDocId: 'EHR|DOC-000124' })))).to.equal(1002)
    expect(tasks).to.have.length(2)
  })

  it('has the status with which another key sees it', async () => {
    const { clock, tasks, once } = aHost()
    await clock.until(once(before).createTask(aCreateBody()))
    tasks[0]!.status = 'Completed'
    expect(await clock.until(once({ ...before, sender: 'key-2' }).createTask(aCreateBody()))).to.include({
      taskId: 1001,
      status: 'Completed',
      duplicate: true,
    })
  })

  it('is not sent while the host cannot be asked whether the new key sees it', async () => {
    const { tasks, state, once, outcome } = aHost()
    await outcome(once(before).createTask(aCreateBody()))
    state.isAway = true
    expect(await outcome(once({ ...before, sender: 'key-2' }).createTask(aCreateBody()))).to.equal('ECONNREFUSED')
    state.isAway = false
    expect(await outcome(once({ ...before, sender: 'key-2' }).createTask(aCreateBody()))).to.equal(1001)
    expect(tasks).to.have.length(1)
  })

  it('is looked up before a person sends it, and never sent when it is there', async () => {
    const { tasks, once, outcome, journal } = aHost()
    await outcome(once(before).createTask(aCreateBody()))
    for await (const [key] of journal.entries()) await journal.delete(key)
    expect(await outcome(once(before).createTask(aCreateBody(), { isDecided: true }))).to.equal(1001)
    expect(tasks).to.have.length(1)
  })
})
