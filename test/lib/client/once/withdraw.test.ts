/** A document that its sender withdraws: before it is sent, while it is sent, after an answer was lost, by any of its ids. */
import { expect } from 'chai'
import { RefusedError, UnreachableError } from '../../../../lib/client/errors.ts'
import type { CreateOnceOptions } from '../../../../lib/client/once/create-once.ts'
import type { HeldError } from '../../../../lib/client/once/held-error.ts'
import type { ResultOf } from '../../../../lib/contract/calls.ts'
import { settle } from '../../../support/fake-clock.ts'
import { aCreateBody, aTaskRecord } from '../../support/bodies.ts'
import { emptyJournal } from '../../support/empty-journal.ts'
import { created, creating, timedOut } from './creating.ts'

const DOCUMENT = 'EHR|DOC-000123'
const FILLER = 'LAB|F-7'

describe('a document that is withdrawn', () => {
  const { clock, journal, host, calls, anOnce, failure, create } = creating()
  const posts = () => calls.filter((call) => call === 'post').length
  const withdraw = (options: Partial<CreateOnceOptions> = {}, id = DOCUMENT, aliases: string[] = []) =>
    clock.until(anOnce(options).withdraw(id, { aliases }))
  const refused = async (
    options: Partial<CreateOnceOptions> = {},
    call: { isDecided?: boolean; aliases?: string[] } = {},
  ) => (await failure(anOnce(options).createTask(aCreateBody(), call))) as Error as HeldError

  it('is not sent any more, also when a person had decided about something else', async () => {
    const { withdrawnAt, taskIds } = await withdraw()
    expect(taskIds).to.deep.equal([])
    await clock.pass(400 * 86_400_000)
    const error = await refused()
    expect(error).to.include({ name: 'HeldError', code: 'WITHDRAWN', withdrawnAt })
    expect(error.message).to.include(new Date(withdrawnAt).toISOString()).and.not.include('DOC-000123')
    expect((await refused({ looksFirst: true })).code).to.equal('WITHDRAWN')
    calls.length = 0
    expect((await refused()).code).to.equal('WITHDRAWN')
    expect(calls, 'nothing is looked for, because nothing was sent').to.deep.equal([])
    expect((await refused({}, { isDecided: true })).code).to.equal('WITHDRAWN')
    expect(posts()).to.equal(0)
  })

  it('is sent once a person has lifted exactly the withdrawals that they know of', async () => {
    const { withdrawnAt } = await withdraw()
    const { withdrawnAt: again } = await withdraw()
    expect(again).to.be.greaterThan(withdrawnAt)
    await anOnce().liftWithdrawal([DOCUMENT], withdrawnAt)
    expect((await refused()).code).to.equal('WITHDRAWN')
    await anOnce().liftWithdrawal([DOCUMENT], again)
    expect(await create()).to.include({ taskId: 1001, duplicate: false })
  })

  it('is not looked for any longer when its caller gives up', async () => {
    host.posts = [timedOut()]
    const stopped = new AbortController()
    const lost = anOnce().createTask(aCreateBody(), { signal: stopped.signal })
    await clock.pass(1)
    stopped.abort(new Error('closing'))
    await failure(lost)
    const stop = new AbortController()
    const start = clock.now()
    const withdrawing = failure(anOnce().withdraw(DOCUMENT, { signal: stop.signal }))
    await settle()
    stop.abort(new Error('given up'))
    expect((await withdrawing).message).to.equal('given up')
    expect(clock.now() - start, 'of a window of 120 s').to.be.lessThan(60_000)
    expect((await refused()).code, 'and it stays withdrawn').to.equal('WITHDRAWN')
  })

  it('is sent again after it was forgotten', async () => {
    await withdraw()
    await anOnce().forget(DOCUMENT)
    expect(await anOnce().knows(DOCUMENT)).to.equal(false)
    expect(await create()).to.include({ duplicate: false })
  })

  it('is the task that was created, which the caller retracts', async () => {
    await create()
    expect((await withdraw()).taskIds).to.deep.equal([1001])
    expect(await create()).to.include({ taskId: 1001, duplicate: true })
    expect(posts()).to.equal(1)
  })

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

  for (const who of ['the same object', 'another process'])
    it(`is awaited while ${who} sends it`, async () => {
      const { client, answer } = slowPost()
      const sender = anOnce({ client })
      const sent = sender.createTask(aCreateBody())
      await settle()
      const withdrawn = (who === 'the same object' ? sender : anOnce()).withdraw(DOCUMENT)
      let isOver = false
      void withdrawn.then(() => {
        isOver = true
      })
      await clock.pass(600_000)
      expect(isOver).to.equal(false)
      answer(created)
      expect(await sent).to.include({ taskId: 1001 })
      expect((await clock.until(withdrawn)).taskIds).to.deep.equal([1001])
    })

  it('is not sent a second time by a call that was about to', async () => {
    host.posts = [new UnreachableError('createTask', 'ECONNREFUSED', false), created]
    const sent = anOnce().createTask(aCreateBody())
    await settle()
    expect(posts()).to.equal(1)
    const withdrawn = anOnce().withdraw(DOCUMENT)
    expect((await failure(sent)).code).to.equal('WITHDRAWN')
    expect((await clock.until(withdrawn)).taskIds).to.deep.equal([])
    expect(posts()).to.equal(1)
  })

  /** Sends the document, and ends the call while it is unknown what became of it. */
  async function sendAndStop() {
    host.posts = [timedOut()]
    host.lists = [timedOut()]
    const stop = new AbortController()
    const sent = failure(anOnce().createTask(aCreateBody(), { signal: stop.signal }))
    await clock.pass(1000)
    stop.abort(new Error('closing'))
    await sent
    host.posts = [created]
  }

  it('is looked for when the answer to it was lost', async () => {
    await sendAndStop()
    host.lists = [[], [aTaskRecord({ taskId: 7, externalDocId: DOCUMENT })]]
    expect((await withdraw()).taskIds).to.deep.equal([7])
    expect(await create()).to.include({ taskId: 7, duplicate: true })
  })

  it('is not sent any more when it was lost on its way', async () => {
    await sendAndStop()
    host.lists = [[]]
    expect((await withdraw()).taskIds).to.deep.equal([])
    expect((await refused()).code).to.equal('WITHDRAWN')
    expect(posts()).to.equal(1)
  })

  it('is not sent, and its withdrawal fails, while nobody can know whether there is a task', async () => {
    await sendAndStop()
    expect((await failure(anOnce().withdraw(DOCUMENT))).code).to.equal('OUTCOME_UNKNOWN')
    host.lists = [[]]
    expect((await refused()).code).to.equal('WITHDRAWN')
    expect((await withdraw()).taskIds).to.deep.equal([])
    expect(posts()).to.equal(1)
  })

  it('gives every task when there are several', async () => {
    await sendAndStop()
    host.lists = [[7, 8].map((taskId) => aTaskRecord({ taskId, externalDocId: DOCUMENT }))]
    expect((await withdraw()).taskIds).to.deep.equal([7, 8])
  })

  it('is withdrawn by another of its ids, before it comes and afterwards', async () => {
    await withdraw({}, FILLER)
    expect((await refused({}, { aliases: [FILLER] })).code).to.equal('WITHDRAWN')
    await anOnce().liftWithdrawal([FILLER], Number.POSITIVE_INFINITY)
    await clock.until(anOnce().createTask(aCreateBody(), { aliases: [FILLER] }))
    expect((await withdraw({}, FILLER)).taskIds).to.deep.equal([1001])
  })

  it('is awaited by a withdrawal that knows another of its ids', async () => {
    const { client, answer } = slowPost()
    const sent = anOnce({ client }).createTask(aCreateBody(), { aliases: [FILLER] })
    await settle()
    const withdrawn = anOnce().withdraw(FILLER)
    await clock.pass(60_000)
    answer(created)
    await sent
    expect((await clock.until(withdrawn)).taskIds).to.deep.equal([1001])
  })

  it('is withdrawn under each id that its withdrawal names', async () => {
    await withdraw({}, FILLER, [DOCUMENT])
    expect((await refused()).code).to.equal('WITHDRAWN')
  })

  it('stays withdrawn under another address or key, whatever is known of it there', async () => {
    const there = { scope: 'there', otherScopes: async () => ['here'] }
    const here = { scope: 'here', otherScopes: async () => ['there'] }
    // Known as tried at the other address, so that nothing else would be looked up.
    host.posts = [new UnreachableError('createTask', 'ECONNREFUSED', false)]
    await failure(anOnce({ ...there, maxAttempts: 1 }).createTask(aCreateBody()))
    host.posts = [created]
    const { withdrawnAt } = await withdraw(here)
    expect((await refused(there)).code).to.equal('WITHDRAWN')
    expect((await refused({ ...here, sender: 'another-key' })).code).to.equal('WITHDRAWN')
    await anOnce(there).liftWithdrawal([DOCUMENT], withdrawnAt)
    expect(await create(aCreateBody(), there)).to.include({ duplicate: false })
  })

  describe('by another of its ids, after it was sent to another address of the service', () => {
    const there = { scope: 'there', otherScopes: async () => ['here'] }
    const reads: number[] = []
    /** A host at which `taskId` is of this document. */
    const client = (externalDocId: string | Error | undefined): CreateOnceOptions['client'] => ({
      createTask: async () => created,
      listTasks: async () => [],
      readTask: async ({ params: { id } }) => {
        reads.push(id)
        if (externalDocId instanceof Error) throw externalDocId
        return aTaskRecord({ taskId: id, externalDocId })
      },
    })
    const here = (externalDocId: string | Error | undefined) => ({
      scope: 'here',
      otherScopes: async () => ['there'],
      client: client(externalDocId),
    })
    const send = () => clock.until(anOnce(there).createTask(aCreateBody(), { aliases: [FILLER] }))
    const notFound = new RefusedError('readTask', 404, ['no such task'])
    beforeEach(() => reads.splice(0))

    it('gives its task when this address has the task with the document', async () => {
      await send()
      expect((await withdraw(here(DOCUMENT), FILLER)).taskIds).to.deep.equal([1001])
      expect((await refused({ ...here(DOCUMENT) }, { aliases: [FILLER] })).code).to.equal('WITHDRAWN')
    })

    it('never gives the task of another document that has the number at this address', async () => {
      await send()
      for (const other of ['EHR|DOC-000999', notFound])
        expect((await withdraw(here(other), FILLER)).taskIds).to.deep.equal([])
      expect(reads).to.deep.equal([1001, 1001])
    })

    it('fails while nothing shows whether this address has its task, and sends nothing all the same', async () => {
      await send()
      const { readTask: _, ...cannotRead } = client(DOCUMENT)
      for (const options of [here(undefined), { ...here(undefined), client: cannotRead }])
        expect((await failure(anOnce(options).withdraw(FILLER))).code).to.equal('OUTCOME_UNKNOWN')
      expect((await failure(anOnce(here(undefined)).withdraw(FILLER))).taskIds).to.deep.equal([1001])
      const denied = new RefusedError('readTask', 403, ['no'])
      expect(await failure(anOnce(here(denied)).withdraw(FILLER))).to.equal(denied)
      const away = new UnreachableError('readTask', 'ECONNREFUSED', false)
      expect(await failure(anOnce(here(away)).withdraw(FILLER))).to.equal(away)
      expect((await refused({ scope: 'here' }, { aliases: [FILLER] })).code).to.equal('WITHDRAWN')
    })

    it('fails when the answer to its POST was lost, and gives nothing when no POST arrived', async () => {
      const lost = { ...there, maxRounds: 1, settleMs: 1 }
      host.posts = [timedOut()]
      host.lists = [new UnreachableError('listTasks', 'ECONNREFUSED', false)]
      await failure(anOnce(lost).createTask(aCreateBody(), { aliases: [FILLER] }))
      expect((await failure(anOnce(here(DOCUMENT)).withdraw(FILLER))).code).to.equal('OUTCOME_UNKNOWN')
      await emptyJournal(journal)
      host.posts = [new UnreachableError('createTask', 'ECONNREFUSED', false)]
      await failure(anOnce({ ...there, maxAttempts: 1 }).createTask(aCreateBody(), { aliases: [FILLER] }))
      expect((await withdraw(here(DOCUMENT), FILLER)).taskIds).to.deep.equal([])
      expect(reads).to.deep.equal([])
    })

    it('does not give the task of the document that replaces it', async () => {
      await send()
      const replaced = anOnce(here(DOCUMENT)).withdraw(FILLER, { except: DOCUMENT })
      expect((await clock.until(replaced)).taskIds).to.deep.equal([])
    })
  })

  it('is not sent by a person who decided that the key is another one', async () => {
    await clock.until(anOnce({ sender: 'key-1' }).createTask(aCreateBody()))
    expect((await refused({ sender: 'key-2' })).code).to.equal('OTHER_KEY')
    await withdraw({ sender: 'key-2' })
    expect((await refused({ sender: 'key-2' }, { isDecided: true })).code).to.equal('WITHDRAWN')
    expect(posts()).to.equal(1)
  })

  it('is withdrawn later than before although a clock was set back, at the latest time of all its ids', async () => {
    const first = await withdraw()
    const set = { ...clock, now: () => first.withdrawnAt - 3_600_000 } as unknown as CreateOnceOptions['clock']
    const ofOther = await anOnce(set && { clock: set }).withdraw(FILLER)
    expect(ofOther.withdrawnAt).to.equal(first.withdrawnAt - 3_600_000)
    const again = await anOnce(set && { clock: set }).withdraw(FILLER, { aliases: [DOCUMENT] })
    expect(again.withdrawnAt).to.equal(first.withdrawnAt + 1)
    expect(await anOnce().knows(DOCUMENT)).to.equal(true)
    const error = await refused({}, { aliases: [FILLER] })
    expect(error).to.include({ code: 'WITHDRAWN', withdrawnAt: first.withdrawnAt + 1 })
    expect(error.taskIds).to.deep.equal([])
  })

  it('is not looked for by another of its ids when an answer was lost: its own id is not known', async () => {
    host.posts = [timedOut()]
    host.lists = [new UnreachableError('listTasks', 'ECONNREFUSED', false)]
    await failure(anOnce({ maxRounds: 1, settleMs: 1 }).createTask(aCreateBody(), { aliases: [FILLER] }))
    host.lists = [[]]
    const lists = calls.length
    expect((await failure(anOnce().withdraw(FILLER))).code).to.equal('OUTCOME_UNKNOWN')
    expect(calls).to.have.length(lists)
  })

  it('leaves no id in the journal', async () => {
    await withdraw({}, DOCUMENT, [FILLER])
    await anOnce().liftWithdrawal([DOCUMENT, FILLER], Number.POSITIVE_INFINITY)
    await clock.until(anOnce().createTask(aCreateBody(), { aliases: [FILLER] }))
    for await (const entry of journal.entries()) expect(JSON.stringify(entry)).to.not.match(/DOC-000123|F-7/)
  })
})
