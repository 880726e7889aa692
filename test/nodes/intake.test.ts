/** The journal of accepted messages, as a node opens it: on the disk, in order, once, and again until somebody takes them. */
import { copyFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { pack } from '../../nodes/shared/carry/pack.ts'
import { createSeal } from '../../nodes/shared/carry/seal.ts'
import { type Intake, type IntakeOptions, openIntake } from '../../nodes/shared/intake/intake.ts'
import { taken } from '../../nodes/shared/intake/taken.ts'
import type { Message } from '../../nodes/shared/runtime/node-red.ts'
import { aFolder } from '../support/a-folder.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { turnsUntil } from '../support/turns-until.ts'

describe('an intake', () => {
  const MINUTE = 60_000
  let clock: FakeClock
  let file: string
  let sent: Message[]
  let aside: Message[]
  let failures: string[]
  const opened: Intake[] = []

  beforeEach(() => {
    clock = new FakeClock()
    file = join(aFolder(), 'intake.sqlite')
    sent = []
    aside = []
    failures = []
  })
  afterEach(async () => {
    for (const intake of opened.splice(0)) await intake.close(false)
  })

  function open(more: Partial<IntakeOptions> = {}): Intake {
    const intake = openIntake({
      file,
      nodeId: 'in',
      seal: createSeal('a secret'),
      clock,
      maxBytes: 100_000,
      repeatMs: 10 * MINUTE,
      emit: (message) => void sent.push(message),
      setAside: async (message) => void aside.push(message),
      onDropped: () => {},
      onError: ({ code }) => void failures.push(code),
      ...more,
    })
    opened.push(intake)
    return intake
  }
  const accept = (intake: Intake, text: string) => intake.accept({ payload: Buffer.from(text) }, Buffer.from(text))
  const texts = () => sent.map(({ payload }) => String(payload))
  /** Lets what is due in the next turns of the event loop happen. */
  const settle = async () => {
    for (let turns = 0; turns < 5; turns += 1) await turn()
  }
  /** As after a kill: nothing is closed, and a new process reads the file. */
  const killed = async () => {
    sent = []
    const intake = open()
    await settle()
    return intake
  }

  it('sends messages on in the order of their arrival, with what names them', async () => {
    const intake = open()
    expect(await Promise.all(['a', 'b', 'c'].map((text) => accept(intake, text)))).to.deep.equal(['new', 'new', 'new'])
    await settle()
    expect(texts()).to.deep.equal(['a', 'b', 'c'])
    const first = clock.now() + 1
    expect(sent.map(({ intake: id }) => id)).to.deep.equal([`in/${first}`, `in/${first + 1}`, `in/${first + 2}`])
    expect(intake.waiting).to.equal(3)
  })

  it('sends large messages on in several turns of the event loop, although there is room for all of them', async () => {
    const intake = open({ maxBytes: 100_000_000 })
    for (let number = 1; number <= 4; number++)
      await intake.accept({ payload: Buffer.alloc(9_000_000, number) }, Buffer.from([number]))
    for (const { close } of opened.splice(0)) await close(false)
    sent = []
    let turns = 0
    const inTurns = new Set<number>()
    open({ maxBytes: 100_000_000, emit: (message) => void (sent.push(message) && inTurns.add(turns)) })
    for (; sent.length < 4; turns += 1) await turn()
    expect(inTurns.size).to.equal(4)
  })

  it('encrypts and writes large messages in turns of their own, in the order of their arrival, from bytes that it has read at once', async () => {
    const intake = open({ maxBytes: 100_000_000 })
    const large = Buffer.alloc(2 * 1024 * 1024, 'a')
    const accepting = [intake.accept({ payload: large }, large), accept(intake, 'b')]
    large.fill('z')
    expect(await turnsUntil(accepting[0]!)).to.be.at.least(3)
    expect(await Promise.all(accepting)).to.deep.equal(['new', 'new'])
    await settle()
    expect(texts().map((text) => text.slice(0, 1))).to.deep.equal(['a', 'b'])
  })

  it('is full at once, when messages that are not yet written leave no room', async () => {
    const intake = open({ maxBytes: 3 * 1024 * 1024 })
    const puts = ['a', 'b'].map((letter) => accept(intake, letter.repeat(2 * 1024 * 1024)))
    expect(await Promise.all(puts)).to.deep.equal(['new', 'full'])
    expect(intake.waiting).to.equal(1)
  })

  it('sends again after a crash what nobody has taken, and nothing else', async () => {
    const intake = open()
    for (const text of ['a', 'b', 'c']) await accept(intake, text)
    await settle()
    taken(sent[1]!)
    await settle()
    const next = await killed()
    clock.advance(3000)
    await settle()
    expect(texts()).to.deep.equal(['a', 'c'])
    expect(next.waiting).to.equal(2)
  })

  it('knows a message that comes again, before and after it was taken, and after a crash', async () => {
    const intake = open()
    expect(await accept(intake, 'a')).to.equal('new')
    expect(await accept(intake, 'a')).to.equal('known')
    await settle()
    taken(sent[0]!)
    await settle()
    expect(await accept(intake, 'a')).to.equal('known')
    expect(await accept(await killed(), 'a')).to.equal('known')
    await settle()
    expect(sent).to.deep.equal([])
  })

  it('forgets after a week what was taken, but nothing that waits', async () => {
    const intake = open()
    await accept(intake, 'taken')
    await accept(intake, 'waits')
    await settle()
    taken(sent[0]!)
    await settle()
    clock.advance(8 * 24 * 60 * MINUTE)
    await Promise.all(Array.from({ length: 1000 }, (_, index) => accept(intake, `n${index}`)))
    expect(await accept(intake, 'waits')).to.equal('known')
    expect(await accept(intake, 'taken')).to.equal('new')
  })

  it('sends a message again in the time of the form, while nobody takes it', async () => {
    const intake = open()
    await accept(intake, 'a')
    await settle()
    clock.advance(9 * MINUTE)
    await settle()
    expect(texts()).to.deep.equal(['a'])
    clock.advance(2 * MINUTE)
    await settle()
    expect(texts()).to.deep.equal(['a', 'a'])
    taken(sent[0]!)
    await settle()
    clock.advance(30 * MINUTE)
    await settle()
    expect(texts()).to.deep.equal(['a', 'a'])
  })

  it('accepts nothing more when it is full, until something was taken', async () => {
    const intake = open({ maxBytes: 700 })
    expect(await accept(intake, 'a'.repeat(400))).to.equal('new')
    expect(await accept(intake, 'b'.repeat(400))).to.equal('full')
    await settle()
    taken(sent[0]!)
    await settle()
    expect(await accept(intake, 'b'.repeat(400))).to.equal('new')
  })

  it('learns when it opens what was taken while it was closed', async () => {
    const intake = open()
    await accept(intake, 'a')
    await settle()
    opened.splice(0)
    await intake.close(false)
    taken(sent[0]!)
    expect((await killed()).waiting).to.equal(0)
    expect(sent).to.deep.equal([])
  })

  it('of a node that comes back after it was deleted still has what no node has taken', async () => {
    const deleted = open()
    for (const text of ['late', 'later']) await accept(deleted, text)
    await settle()
    await opened.pop()!.close(true)
    const [late, later] = sent.splice(0)
    taken(late!)
    clock.advance(1000)
    const intake = open()
    await accept(intake, 'a')
    await settle()
    expect(texts()).to.deep.equal(['later', 'a'])
    taken(later!)
    await settle()
    expect(intake.waiting).to.equal(1)
  })

  it('keeps messages sealed, and says once for each when they cannot be opened', async () => {
    const text = 'PID|||WC100001^^^WILLOW^MR||Whitfield^Alma'
    await accept(open(), text)
    const written = [file, `${file}-wal`].map((name) => readFileSync(name, 'latin1')).join('')
    expect(written).to.not.match(/Whitfield|WC100001/)
    open({ seal: createSeal('another secret') })
    sent = []
    await settle()
    expect(failures).to.deep.equal(['CANNOT_OPEN'])
  })

  it('opens an early file, in which messages are text, and goes on with its numbers', async () => {
    const digest = 'a'.repeat(64)
    const packed = pack({ payload: Buffer.from('early') }, { maxBytes: 1000 })
    const database = new DatabaseSync(file)
    database.exec(`CREATE TABLE accepted (
        id INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, size INTEGER NOT NULL, sealed TEXT
      ) STRICT;
      CREATE INDEX accepted_waiting ON accepted (id, size) WHERE sealed IS NOT NULL;`)
    const insert = database.prepare('INSERT INTO accepted VALUES (?, ?, ?, ?, ?)')
    insert.run(7, digest, clock.now(), 100, createSeal('a secret').seal(packed.bytes, `intake/in/${digest}`))
    insert.run(8, 'b'.repeat(64), clock.now(), 100, null)
    database.close()
    const intake = open()
    await settle()
    expect(texts()).to.deep.equal(['early'])
    expect(sent[0]!.intake).to.equal('in/7')
    await accept(intake, 'new')
    await settle()
    expect(sent[1]!.intake).to.equal('in/9')
    taken(sent[0]!)
    taken(sent[1]!)
    await settle()
    expect((await killed()).waiting).to.equal(0)
  })

  it('sets aside what has ended the process twice, and sends the rest one at a time before anything new', async () => {
    /** The file as an end of the process leaves it, at which the timers of the intake end, too. */
    async function ended(): Promise<void> {
      const copy = join(aFolder(), 'intake.sqlite')
      for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${copy}${end}`)
      await opened.pop()!.close(false)
      file = copy
      clock = new FakeClock(clock.now())
      sent = []
    }
    const first = open()
    for (const text of ['a', 'poison', 'b']) await accept(first, text)
    await settle()
    await ended()
    const second = open()
    await accept(second, 'new')
    await settle()
    expect(texts()).to.deep.equal(['a'])
    await clock.pass(3000)
    expect(texts()).to.deep.equal(['a', 'poison'])
    expect(aside).to.deep.equal([])
    await ended()
    const third = open()
    await settle()
    expect(aside.map(({ payload, intake }) => [String(payload), intake])).to.deep.equal([
      ['poison', 'in/1772442000002'],
    ])
    expect(texts()).to.deep.equal(['a'])
    taken(sent[0]!)
    await settle()
    await clock.pass(3000)
    await settle()
    expect(texts()).to.deep.equal(['a', 'b', 'new'])
    expect(third.waiting).to.equal(2)
  })

  it('keeps a message that cannot be set aside, and does not send it', async () => {
    const setAside = () => {
      throw new Error('of the disk')
    }
    const database = () => new DatabaseSync(file)
    await accept(open(), 'poison')
    await opened.pop()!.close(false)
    const marked = database()
    marked.exec('INSERT INTO under_way SELECT id, 1, 2 FROM accepted')
    marked.close()
    const second = open({ setAside })
    await settle()
    expect(sent).to.deep.equal([])
    expect(second.waiting).to.equal(1)
    await opened.pop()!.close(false)
    open()
    await settle()
    expect(aside).to.have.length(1)
  })

  it('copies a long message from the log into its file in a turn of its own', async () => {
    const bytes = Buffer.alloc(24 * 1024 * 1024, 'x')
    const intake = open({ maxBytes: 2 * bytes.length })
    await intake.accept({ payload: bytes }, bytes)
    expect(statSync(file).size).to.be.lessThan(bytes.length)
    while (statSync(file).size < bytes.length) await turn()
    expect(intake.waiting).to.equal(1)
  })

  it('says that it cannot write', async () => {
    const intake = open()
    opened.splice(0)
    await intake.close(true)
    const failure = await accept(intake, 'a').catch((reason: unknown) => reason)
    expect(failure).to.include({ code: 'CANNOT_KEEP' })
    expect(intake.waiting).to.equal(0)
  })
})
