/** The queues of nodes in a PostgreSQL that two processes share: what one keeps, the other knows, and takes over when the first has ended. */
import { expect } from 'chai'
import { createSeal } from '../../nodes/shared/carry/seal.ts'
import type { SharedDatabase } from '../../nodes/shared/database/shared-database.ts'
import { type Intake, openIntake } from '../../nodes/shared/intake/intake.ts'
import { acceptedBy, listenForTaken, taken } from '../../nodes/shared/intake/taken.ts'
import { type Outbox, openOutbox } from '../../nodes/shared/mllp/outbox.ts'
import type { Message } from '../../nodes/shared/runtime/node-red.ts'
import { createJournals } from '../../nodes/shared/service/journals.ts'
import { eventually } from '../support/eventually.ts'
import type { FakeClock } from '../support/fake-clock.ts'
import { query } from '../support/store/postgres/a-postgres.ts'
import { settle, sharedProcesses } from '../support/store/postgres/shared-processes.ts'

/** Beats come often; leases end only where a test ends them. */
const BEAT_MS = 100

describe('queues that two processes share', function () {
  this.timeout(60_000)
  const queue = 'intake-in'
  const shared = sharedProcesses(BEAT_MS)
  const { ending, seal, aProcess, aDesk } = shared
  let url: string
  let clock: FakeClock
  let one: SharedDatabase
  let two: SharedDatabase
  beforeEach(async () => {
    ;({ url, clock } = shared)
    one = await aProcess('one')
    two = await aProcess('two')
  })

  /** As a kill and the time of a lease: it says no more that it lives, and nothing is closed. */
  async function ends(database: SharedDatabase) {
    await database.close()
    await query(url, `UPDATE countersign_run SET until = now() - interval '1 second' WHERE run = '${database.run}'`)
  }

  /** What a killed process was doing ends with it; in this process, the turn of its suspect has to be ended. */
  const leaveLine = async (queue: { close(isDeleted: boolean): unknown }) => {
    try {
      await queue.close(false)
    } catch (failure) {
      expect((failure as { code?: string }).code).to.be.oneOf(['AWAY', 'CANNOT_KEEP'])
    }
  }

  const noneWaits = () =>
    eventually(async () =>
      expect(await query(url, 'SELECT id FROM countersign_accepted WHERE sealed IS NOT NULL')).to.deep.equal([]),
    )

  interface Side {
    intake: Intake
    sent: string[]
    aside: string[]
    failures: string[]
    messages: Message[]
  }

  function anIntake(database: SharedDatabase, nodeId: string, by = seal): Side {
    const side = { sent: [], aside: [], failures: [], messages: [] } as unknown as Side
    side.intake = openIntake({
      file: { database, queue },
      nodeId,
      seal: by,
      clock,
      maxBytes: 100_000,
      repeatMs: 0,
      emit(message) {
        side.sent.push(String(message.payload))
        side.messages.push(message)
      },
      setAside: async (message) => void side.aside.push(String(message.payload)),
      onDropped: () => {},
      onError: ({ code }) => void side.failures.push(code),
    })
    return side
  }
  const accept = ({ intake }: Side, text: string) => intake.accept({ payload: Buffer.from(text) }, Buffer.from(text))

  it('send each message into one flow, and know one that comes again at the other', async () => {
    // The seal of a message is bound to its node, so both have the same one; what is taken is told within a process.
    const [a, b] = [anIntake(one, 'in'), anIntake(two, 'in')]
    ending.push(
      () => a.intake.close(false),
      () => b.intake.close(false),
    )
    expect(await accept(a, 'first')).to.equal('new')
    expect(await accept(b, 'first')).to.equal('known')
    expect(await accept(b, 'second')).to.equal('new')
    await settle()
    expect(a.sent).to.deep.equal(['first'])
    expect(b.sent).to.deep.equal(['second'])
  })

  it('take over what a process has left that has ended, one at a time, and not before', async () => {
    const a = anIntake(one, 'in')
    for (const text of ['x', 'y']) await accept(a, text)
    await settle()
    const b = anIntake(two, 'in')
    ending.push(() => b.intake.close(false))
    await settle()
    expect(b.sent, 'the first process lives').to.deep.equal([])
    await ends(one)
    await leaveLine(a.intake)
    await eventually(() => expect(b.sent).to.deep.equal(['x']))
    taken(b.messages[0]!)
    await eventually(() => expect(b.sent).to.deep.equal(['x', 'y']))
    taken(b.messages[1]!)
    await noneWaits()
  })

  it('are read by no process that has another secret: it says so, and leaves each message for one that has the right one', async () => {
    const a = anIntake(one, 'in')
    expect(await accept(a, 'Whitfield^Alma')).to.equal('new')
    const [row] = await query(url, 'SELECT sealed FROM countersign_accepted')
    expect((row!.sealed as Buffer).toString('latin1')).to.not.match(/Whitfield|Alma/)
    await ends(one)
    await leaveLine(a.intake)
    const b = anIntake(two, 'in', createSeal('another secret'))
    await eventually(() => expect(b.failures).to.include('CANNOT_OPEN'))
    expect([b.sent, b.aside]).to.deep.equal([[], []])
    await b.intake.close(false)
    await ends(two)
    const c = anIntake(await aProcess('three'), 'in')
    ending.push(() => c.intake.close(false))
    await eventually(() => expect(c.sent).to.deep.equal(['Whitfield^Alma']))
  })

  it('set aside what has ended three processes', async () => {
    const a = anIntake(one, 'in')
    await accept(a, 'deadly')
    await settle()
    await ends(one)
    await leaveLine(a.intake)
    const b = anIntake(two, 'in')
    await eventually(() => expect(b.sent).to.deep.equal(['deadly']))
    const three = await aProcess('three')
    await ends(two)
    await leaveLine(b.intake)
    const c = anIntake(three, 'in')
    await eventually(() => expect(c.sent).to.deep.equal(['deadly']))
    const four = await aProcess('four')
    await ends(three)
    await leaveLine(c.intake)
    const d = anIntake(four, 'in')
    ending.push(() => d.intake.close(false))
    await eventually(() => expect(d.aside).to.deep.equal(['deadly']))
    await noneWaits()
    expect(d.sent).to.deep.equal([])
  })

  it('refuse a message while the database is away, and take it when it is back', async () => {
    const a = anIntake(one, 'in')
    ending.push(() => a.intake.close(false))
    await shared.postgres.restart('immediate')
    const refused = await eventually(() =>
      accept(a, 'text').then(
        () => undefined,
        (failure) => failure,
      ),
    )
    if (refused) expect(refused).to.include({ code: 'CANNOT_KEEP' })
    await eventually(async () => expect(await accept(a, 'text')).to.be.oneOf(['new', 'known']))
    await eventually(() => expect(a.sent).to.deep.equal(['text']))
  })

  it('show held messages in both, and let one of them resend each', async () => {
    const sent: Message[] = []
    const toFlow = (message: Message) => void sent.push(message)
    const [a, b] = [aDesk(one, toFlow), aDesk(two, toFlow)]
    ending.push(
      () => a.close(false),
      () => b.close(false),
    )
    await a.hold({ payload: 'text', held: ['a reason'] })
    const [row] = b.list()
    expect(row).to.include({ canBeOpened: true, resentAt: null })
    await b.resend(row!.heldId)
    expect(sent.map(({ payload }) => payload)).to.deep.equal(['text'])
    await a.resendLeftOver()
    expect(sent, 'it is under way in the process that has resent it').to.have.length(1)
    b.taken(row!.heldId)
    expect(a.list()).to.deep.equal([])
    const codeOf = (failure: { code?: string }) => failure.code
    expect(await a.resend(row!.heldId).catch(codeOf)).to.equal('NOT_HELD')
  })

  it('send again what was resent by a process that has ended', async () => {
    const [byA, byB]: [Message[], Message[]] = [[], []]
    const [a, b] = [aDesk(one, (message) => void byA.push(message)), aDesk(two, (message) => void byB.push(message))]
    ending.push(() => b.close(false))
    await a.hold({ payload: 'text', held: ['a reason'] })
    await a.resend(a.list()[0]!.heldId)
    await ends(one)
    await leaveLine(a)
    await b.resendLeftOver()
    await eventually(() => expect(byB.map(({ payload }) => payload)).to.deep.equal(['text']))
  })

  function anOutbox(database: SharedDatabase, sent: string[]): Outbox {
    return openOutbox({
      file: { database, queue: 'outbox-out', isOrdered: true },
      nodeId: 'out',
      seal,
      clock,
      random: () => 0.5,
      maxBytes: 100_000,
      maxTries: 3,
      sender: {
        async send(bytes, isOurs) {
          const id = /^MSH(?:\|[^|]*){8}\|([^|]*)/.exec(Buffer.from(bytes).toString())![1]!
          sent.push(id)
          const answer = Buffer.from(`MSH|^~\\&|B|B|A|A|20260101||ACK|1|P|2.5\rMSA|AA|${id}\r`)
          isOurs(answer, true)
          return answer
        },
      },
      onDelivery: () => {},
      onDropped: () => {},
      onTryFailed: () => {},
      setAside: async () => {},
      onError: (failure) => {
        throw failure
      },
    })
  }
  const hl7 = (id: string) => ({ payload: Buffer.from(`MSH|^~\\&|A|A|B|B|20260101||ORU^R01|${id}|P|2.5\r`) })

  it('deliver the messages of both over one connection, and from the other process when the first has ended', async () => {
    const [byA, byB]: [string[], string[]] = [[], []]
    const a = anOutbox(one, byA)
    await eventually(async () => {
      const turns = await query(url, 'SELECT run FROM countersign_turn')
      expect(turns).to.deep.equal([{ run: one.run }])
    })
    const b = anOutbox(two, byB)
    ending.push(() => b.close(false))
    await a.put(hl7('1'))
    await b.put(hl7('2'))
    await eventually(() => expect(byA).to.deep.equal(['1', '2']))
    expect(byB).to.deep.equal([])
    await noneWaits()
    await ends(one)
    await b.put(hl7('3'))
    await eventually(() => expect(byB).to.deep.equal(['3']))
  })

  it('keep the entries of a part of the journal apart, and give those of an ended process to one other', async () => {
    const [a, b] = [createJournals({ database: one }, 'service'), createJournals({ database: two }, 'service')]
    const [ofA, ofB] = [await a.openOwn('waits'), await b.openOwn('waits')]
    await ofA.set('7', { of: 'a' })
    await ofB.set('8', { of: 'b' })
    expect(await ofB.get('7')).to.equal(undefined)
    await ofB.delete('7')
    expect(await ofA.get('7')).to.deep.equal({ of: 'a' })
    expect(await (await b.open('waits')).get('7'), 'for orphans').to.deep.equal({ of: 'a' })
    expect(await ofB.takeOver()).to.equal(0)
    expect(await b.parts()).to.deep.equal([{ namespace: 'waits', count: 2 }])
    await ends(one)
    expect(await (await b.openOwn('waits')).get('7'), 'whoever takes it over has to continue with it').to.equal(
      undefined,
    )
    expect(await ofB.takeOver()).to.equal(1)
    expect(await ofB.get('7')).to.deep.equal({ of: 'a' })
    await a.close()
    await b.close()
  })

  it('pass on news to the other process', async () => {
    const news: unknown[] = []
    ending.push(two.onNews((more) => void news.push(more)))
    await eventually(() => {
      one.tell({ part: 'p', taskId: 7 })
      expect(news.length).to.be.above(0)
    })
    expect(news[0]).to.deep.equal({ part: 'p', taskId: 7 })
  })

  it('say which node and entry a message is of, as in a file', async () => {
    const a = anIntake(one, 'in')
    const entries: number[] = []
    await accept(a, 'text')
    await settle()
    await a.intake.close(false)
    ending.push(listenForTaken('in', (entry) => void entries.push(entry)))
    taken(a.messages[0]!)
    expect(entries).to.deep.equal([acceptedBy(a.messages[0]!)!.entry])
  })
})
