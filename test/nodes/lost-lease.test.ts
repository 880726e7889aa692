/** A process that is slow, not dead, and has lost its lease: what another process has taken over, it changes no more. */
import { expect } from 'chai'
import { UnreachableError } from '../../lib/client/errors.ts'
import { createOnce } from '../../lib/client/once/create-once.ts'
import { createWaits } from '../../lib/client/watch/waits.ts'
import { openAcceptedJournal } from '../../nodes/shared/accepted/accepted-journal.ts'
import { chooseJournal } from '../../nodes/shared/database/journal-choice.ts'
import type { SharedDatabase } from '../../nodes/shared/database/shared-database.ts'
import { createDatabaseMarks } from '../../nodes/shared/handling/marks-in-database.ts'
import { type Intake, openIntake } from '../../nodes/shared/intake/intake.ts'
import { taken } from '../../nodes/shared/intake/taken.ts'
import { type Outbox, openOutbox } from '../../nodes/shared/mllp/outbox.ts'
import type { Message, Runtime, RuntimeNode } from '../../nodes/shared/runtime/node-red.ts'
import type { ServiceNode } from '../../nodes/shared/service/connection.ts'
import { createJournals } from '../../nodes/shared/service/journals.ts'
import { eventually } from '../support/eventually.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { query } from '../support/store/postgres/a-postgres.ts'
import { settle, sharedProcesses } from '../support/store/postgres/shared-processes.ts'

/** Each process says once that it lives: its lease ends, and comes back, where a test says so. */
const BEAT_MS = 3_600_000

describe('a process that has lost its lease', function () {
  this.timeout(60_000)
  const shared = sharedProcesses(BEAT_MS)
  const { ending, seal } = shared
  let url: string
  let clock: FakeClock
  let slow: SharedDatabase
  let other: SharedDatabase
  beforeEach(async () => {
    ;({ url, clock } = shared)
    slow = await shared.aProcess('slow')
    other = await shared.aProcess('other')
  })

  const setLease = (of: string, until: string) =>
    query(url, `UPDATE countersign_run SET until = now() + interval '${until}' WHERE run = '${of}'`)
  const losesLease = () => setLease(slow.run, '-1 second')
  const hasLeaseAgain = () => setLease(slow.run, '1 hour')

  function anIntake(database: SharedDatabase) {
    const messages: Message[] = []
    const intake: Intake = openIntake({
      file: { database, queue: 'intake-in' },
      nodeId: database === slow ? 'slow' : 'other',
      // Both have the seal of one node.
      seal: {
        ...seal,
        sealBytes: (bytes) => seal.sealBytes(bytes, ''),
        openBytes: (bytes) => seal.openBytes(bytes, ''),
      },
      clock,
      maxBytes: 100_000,
      repeatMs: 0,
      emit: (message) => void messages.push(message),
      setAside: async () => {},
      onDropped: () => {},
      onError: (failure) => {
        throw failure
      },
    })
    ending.push(() => intake.close(false))
    return { intake, messages }
  }

  it('does not take out a message that another process handles, and leaves its mark', async () => {
    const ours = anIntake(slow)
    await ours.intake.accept({ payload: 'text' }, Buffer.from('text'))
    await settle()
    expect(ours.messages).to.have.length(1)
    await losesLease()
    const theirs = anIntake(other)
    await settle()
    expect(theirs.messages).to.have.length(1)
    await hasLeaseAgain()
    taken(ours.messages[0]!)
    await settle()
    const left = await query(url, 'SELECT owner FROM countersign_accepted WHERE sealed IS NOT NULL')
    expect(left).to.deep.equal([{ owner: other.run }])
    expect(await query(url, 'SELECT owner FROM countersign_under_way')).to.deep.equal([{ owner: other.run }])
    taken(theirs.messages[0]!)
    await eventually(async () =>
      expect(await query(url, 'SELECT 1 FROM countersign_accepted WHERE sealed IS NOT NULL')).to.deep.equal([]),
    )
  })

  it('marks nothing as its own that another process has under way', async () => {
    const [ours, theirs] = [slow, other].map((database) => createDatabaseMarks<string>(database, 'handled', String))
    ours!.begin(['order'])
    await losesLease()
    expect(theirs!.recover().suspects).to.deep.equal([{ id: 'order', deaths: 1 }])
    theirs!.begin(['order'])
    await hasLeaseAgain()
    ours!.begin(['order'])
    ours!.rest('order')
    ours!.end(['order'])
    expect(await query(url, 'SELECT owner, stage FROM countersign_under_way')).to.deep.equal([
      { owner: other.run, stage: 1 },
    ])
  })

  function aDesk(database: SharedDatabase) {
    const messages: Message[] = []
    const desk = shared.aDesk(database, (message) => void messages.push(message))
    ending.push(() => desk.close(false))
    return { desk, messages }
  }

  it('neither removes a held message that another process has resent, nor holds it again', async () => {
    const ours = aDesk(slow)
    await ours.desk.hold({ payload: 'text', held: ['a reason'] })
    const { heldId } = ours.desk.list()[0]!
    await ours.desk.resend(heldId)
    await losesLease()
    const theirs = aDesk(other)
    await theirs.desk.resendLeftOver()
    clock.advance(60_000)
    await eventually(() => expect(theirs.messages).to.have.length(1))
    await hasLeaseAgain()
    ours.desk.taken(heldId)
    await ours.desk.hold({ ...ours.messages[0]!, held: ['another reason'] })
    const [row] = theirs.desk.list()
    expect(row).to.include({ heldId }).and.not.include({ resentAt: null })
    theirs.desk.taken(heldId)
    expect(theirs.desk.list()).to.deep.equal([])
  })

  it('writes no wait that another process has taken over', async () => {
    const [ours, theirs] = [
      createJournals({ database: slow }, 'service'),
      createJournals({ database: other }, 'service'),
    ]
    ending.push(
      () => ours.close(),
      () => theirs.close(),
    )
    const own = await ours.openOwn('waits')
    const waits = createWaits({ journal: own, onBegin: () => {}, onCancel: () => {} })
    await waits.add(7, { status: 'Pending', meta: { of: 'ours' } })
    await losesLease()
    const left = await theirs.openOwn('waits')
    expect(await left.takeOver()).to.equal(1)
    expect(await left.get('7')).to.deep.equal({ status: 'Pending', meta: { of: 'ours' } })
    await left.set('7', { of: 'theirs' })
    await hasLeaseAgain()
    await waits.save(7, waits.get(7)!)
    await waits.forget(7, waits.get(7)!)
    expect(await left.get('7')).to.deep.equal({ of: 'theirs' })
  })

  /** The journal of one node's accepted orders, in a process. */
  function anAcceptedJournal(database: SharedDatabase) {
    const journals = createJournals({ database }, 'service')
    ending.push(() => journals.close(), chooseJournal(database.run, { database }))
    const eachNode = (see: (node: object) => void) =>
      see({ id: database.run, type: 'countersign-service', journal: 'postgres' })
    return openAcceptedJournal({
      runtime: { settings: { credentialSecret: 'a secret' }, nodes: { eachNode }, _: String } as unknown as Runtime,
      node: { id: 'create', warn: () => {} } as unknown as RuntimeNode,
      config: { id: 'create', type: 'countersign-create-task', keepLimit: '10' },
      service: { ownJournal: (namespace: string) => journals.openOwn(namespace) } as unknown as ServiceNode,
    })
  }
  const orders = async (journal: ReturnType<typeof anAcceptedJournal>) =>
    (await journal.read()).map(({ id, entry: { taskId }, contents }) => ({
      id,
      taskId,
      text: contents?.message.payload,
    }))

  it('puts no task into an accepted order that another process has taken over', async () => {
    const ours = anAcceptedJournal(slow)
    expect(await ours.write('order', { message: { payload: 'accepted' } })).to.equal(true)
    await losesLease()
    const theirs = anAcceptedJournal(other)
    expect(await theirs.takeOver()).to.equal(1)
    expect(await orders(theirs)).to.deep.equal([{ id: 'order', taskId: undefined, text: 'accepted' }])
    await hasLeaseAgain()
    await ours.rewrite('order', { message: { payload: 'sent' } }, 7)
    expect(await orders(anAcceptedJournal(other))).to.deep.equal([{ id: 'order', taskId: undefined, text: 'accepted' }])
    await theirs.rewrite('order', { message: { payload: 'sent by the other' } }, 8)
    expect(await orders(anAcceptedJournal(other))).to.deep.equal([
      { id: 'order', taskId: 8, text: 'sent by the other' },
    ])
  })

  it('brings no accepted order back that another process has finished', async () => {
    const ours = anAcceptedJournal(slow)
    await ours.write('order', { message: { payload: 'accepted' } })
    await losesLease()
    const theirs = anAcceptedJournal(other)
    await theirs.takeOver()
    await theirs.read()
    await theirs.remove('order')
    await hasLeaseAgain()
    await ours.rewrite('order', { message: { payload: 'sent' } }, 7)
    for (const database of [slow, other]) expect(await orders(anAcceptedJournal(database))).to.deep.equal([])
  })

  it('is the only one whose entries others replace, and only as they have read them', async () => {
    const journals = createJournals({ database: other }, 'service')
    ending.push(() => journals.close())
    const journal = await journals.open('creates')
    await journal.set('document', { of: 'slow' })
    const replace = (known: object) => journal.replaceOfEnded!('document', known, { of: 'other' }, slow.run)
    expect(await replace({ of: 'slow' }), 'the process lives').to.equal(false)
    await losesLease()
    expect(await replace({ of: 'another one' }), 'the entry has changed').to.equal(false)
    expect(await replace({ of: 'slow' })).to.equal(true)
    expect(await journal.get('document')).to.deep.equal({ of: 'other' })
  })

  it('loses its claim on a document, which a process that lives does not', async () => {
    const journals = [createJournals({ database: slow }, 'service'), createJournals({ database: other }, 'service')]
    ending.push(...journals.map((each) => () => each.close()))
    const posts: string[] = []
    /** Its host refuses the first connection, and is reached from then on. */
    const creating = async (database: SharedDatabase, at: number, ownClock: FakeClock) => {
      const journal = await journals[at]!.open('creates')
      return createOnce({
        client: {
          async createTask() {
            posts.push(database.run)
            if (posts.length === 1) throw new UnreachableError('createTask', 'ECONNREFUSED', false)
            return { taskId: 1001, status: 'Received', statusReason: null }
          },
          listTasks: async () => [],
        },
        journal,
        scope: 'service',
        clock: ownClock,
        processes: { run: database.run, isLeased: true, replaceOfEnded: journal.replaceOfEnded! },
      })
    }
    const ownClock = new FakeClock(clock.now())
    const first = (await creating(slow, 0, ownClock)).createTask(aCreateBody())
    await eventually(async () => {
      expect(posts).to.have.length(1)
      // It waits before it sends once more.
      const [entry] = await query(url, `SELECT value FROM countersign_journal WHERE value LIKE '%"claim"%'`)
      expect(String(entry!.value)).to.include('"state":"new"')
    })
    const second = (await creating(other, 1, clock)).createTask(aCreateBody())
    await eventually(() => expect(clock.timers, 'it waits for the other one').to.be.above(0))
    expect(posts).to.deep.equal([slow.run])
    await losesLease()
    // Less than the time for which the claim of the slow process would last.
    clock.advance(5_000)
    expect(await second).to.include({ taskId: 1001, duplicate: false })
    await hasLeaseAgain()
    const ended = first.catch((failure: unknown) => failure)
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    await eventually(() => {
      ownClock.advance(1_000)
      expect(isOver).to.equal(true)
    })
    expect(await ended).to.include({ taskId: 1001, duplicate: true })
    expect(posts).to.deep.equal([slow.run, other.run])
  })

  it('sends no message once more when the turn is that of another process', async () => {
    let isOurs = true
    const takeTurns = () => ({
      get isOurs() {
        return isOurs
      },
      leave() {},
    })
    const database: SharedDatabase = Object.assign(Object.create(slow) as SharedDatabase, { takeTurns })
    let tries = 0
    const failures: string[] = []
    const outbox: Outbox = openOutbox({
      file: { database, queue: 'outbox-out', isOrdered: true },
      nodeId: 'out',
      seal,
      clock,
      random: () => 0.5,
      maxBytes: 100_000,
      maxTries: 3,
      sender: {
        async send(bytes, isAnswer) {
          tries += 1
          const code = tries === 1 ? 'AE' : 'AA'
          const answer = Buffer.from(`MSH|^~\\&|B|B|A|A|20260101||ACK|1|P|2.5\rMSA|${code}|1\r`)
          expect(Buffer.from(bytes).toString()).to.include('|1|P|')
          isAnswer(answer, true)
          return answer
        },
      },
      onDelivery: () => {},
      onDropped: () => {},
      onTryFailed: ({ code }) => void failures.push(code),
      setAside: async () => {},
      onError: (failure) => {
        throw failure
      },
    })
    ending.push(() => outbox.close(false))
    await outbox.put({ payload: Buffer.from('MSH|^~\\&|A|A|B|B|20260101||ORU^R01|1|P|2.5\r') })
    await eventually(() => expect(failures).to.deep.equal(['NOT_ACCEPTED']))
    isOurs = false
    await eventually(() => expect(clock.timers).to.be.above(0))
    await clock.pass(3_600_000)
    expect(tries).to.equal(1)
    expect(outbox.count).to.equal(1)
  })
})
