/** The held messages of a node on the disk: until they are resent and taken over, or discarded, and within their limits. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { createSeal } from '../../nodes/shared/carry/seal.ts'
import {
  type HeldQueue,
  type HeldQueueOptions,
  MOST_LISTED,
  openHeldQueue,
} from '../../nodes/shared/held/held-queue.ts'
import type { Message } from '../../nodes/shared/runtime/node-red.ts'
import { aFolder } from '../support/a-folder.ts'
import { FakeClock, settle } from '../support/fake-clock.ts'
import { mdm } from '../support/hl7/an-order.ts'

const HELD = ['TXA-2: the code "X" is not in documentTypes of the map']

describe('held messages', () => {
  let clock: FakeClock
  let file: string
  let sent: Message[]
  let failures: unknown[]
  const opened: HeldQueue[] = []

  beforeEach(() => {
    clock = new FakeClock()
    file = join(aFolder(), 'held.sqlite')
    sent = []
    failures = []
  })
  afterEach(() => {
    for (const queue of opened.splice(0)) queue.close(false)
  })

  function open(more: Partial<HeldQueueOptions> = {}): HeldQueue {
    const queue = openHeldQueue({
      where: file,
      nodeId: 'held',
      run: 'first run',
      seal: createSeal('a secret'),
      clock,
      maxMessages: 10,
      maxBytes: 100_000,
      endedReason: 'ended',
      emit: (message) => void sent.push(message),
      onChanged: () => {},
      onDropped: () => {},
      onError: (failure) => void failures.push((failure as { code?: string }).code),
      ...more,
    })
    opened.push(queue)
    return queue
  }
  const hold = (queue: HeldQueue, payload: unknown, more: object = {}) => queue.hold({ payload, held: HELD, ...more })
  const codeOf = async (work: () => unknown): Promise<unknown> => {
    try {
      await work()
    } catch (failure) {
      return (failure as { code?: string }).code
    }
    return 'none'
  }
  const idsIn = (queue: HeldQueue) => queue.list().map(({ heldId }) => heldId)

  it('of an early file, which has them in Base64, are there as before', async () => {
    await hold(open(), 'first')
    await hold(opened[0]!, Buffer.from('second'))
    await hold(opened[0]!, 'third')
    opened[0]!.discard(3)
    const before = opened[0]!.list()
    opened.splice(0)[0]!.close(false)
    const database = new DatabaseSync(file)
    database.function('to_base64', (bytes) => Buffer.from(bytes as Uint8Array).toString('base64'))
    database.exec(`CREATE TABLE early (
        id INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, size INTEGER NOT NULL,
        resent_at INTEGER, resent_by TEXT, summary TEXT NOT NULL, message TEXT NOT NULL
      ) STRICT;
      INSERT INTO early SELECT id, digest, at, size, resent_at, resent_by, summary, to_base64(message) FROM held;
      UPDATE sqlite_sequence SET seq = 3 WHERE name = 'early';
      DROP TABLE held; ALTER TABLE early RENAME TO held`)
    database.close()

    const queue = open()
    expect(queue.list()).to.deep.equal(before)
    expect([await queue.payload(1), await queue.payload(2)]).to.deep.equal(['first', Buffer.from('second')])
    await hold(queue, 'fourth')
    expect(idsIn(queue)).to.deep.equal([1, 2, 4])
    queue.close(false)
    opened.splice(0)
    expect(await open().payload(4)).to.equal('fourth')
  })

  it('of 32 MB are the same when they are read again', async () => {
    const queue = open({ maxBytes: 40_000_000 })
    const payload = Buffer.alloc(32 * 1024 * 1024, 'MSH|^~\\&|A')
    await hold(queue, payload)
    await hold(queue, 'small')
    expect(((await queue.payload(1)) as Buffer).equals(payload)).to.equal(true)
    await queue.resend(1)
    expect((sent[0]!.payload as Buffer).equals(payload)).to.equal(true)
    expect(idsIn(queue)).to.deep.equal([1, 2])
  })

  it('are held in the order in which they come, and as they are then', async () => {
    const queue = open({ maxMessages: 2 })
    await hold(queue, 'a', { intake: 'in/1' })
    await queue.resend(1)
    const again = queue.hold({ payload: 'as it was', held: HELD, intake: 'held/1' })
    await queue.edit(1, 'corrected')
    await again
    expect(await queue.payload(1)).to.equal('corrected')
    await hold(queue, 'b', { intake: 'in/2' })
    const failures = await Promise.allSettled(
      ['c', 'b'].map((payload, index) => hold(queue, payload, { intake: `in/${3 - index}` })),
    )
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled'])
    expect(idsIn(queue)).to.deep.equal([1, 2])
  })

  it('are listed with why, when and what names them', async () => {
    const queue = open()
    await hold(queue, Buffer.from(`${mdm.MSH}\r???\r`), { topic: 'kept' })
    await hold(queue, { resourceType: 'Bundle' })
    const at = new Date(clock.now()).toISOString()
    const both = { canBeOpened: true, at, resentAt: null, reasons: HELD }
    expect(queue.list()).to.deep.equal([
      { heldId: 1, ...both, controlId: 'MSG1', messageType: 'MDM^T02' },
      { heldId: 2, ...both, controlId: null, messageType: null },
    ])
    expect(await queue.payload(2)).to.deep.equal({ resourceType: 'Bundle' })
  })

  it('are listed up to a limit, the newest of them, and are all counted, resent after a crash, and found by their ids', async () => {
    const count = MOST_LISTED + 10
    const queue = open({ maxMessages: count, maxBytes: 10_000_000 })
    for (let number = 1; number <= count; number++) await hold(queue, number)
    expect(idsIn(queue)).to.deep.equal(Array.from({ length: MOST_LISTED }, (_, index) => index + 11))
    expect(queue.count).to.equal(count)
    const ids = [...queue.ids()]
    expect(ids).to.deep.equal(Array.from({ length: count }, (_, index) => index + 1))
    for (const id of ids) await queue.resend(id)
    opened.splice(0)[0]!.close(false)
    sent = []
    const next = open({ run: 'second run' })
    await next.resendLeftOver()
    // As many as may be under way at once; the rest follows as they are taken over.
    expect(sent.map(({ payload }) => payload)).to.deep.equal(ids.slice(0, 100))
    for (let from = 0; from < count; from += 100) {
      for (const id of ids.slice(from, from + 100)) next.taken(id)
      await nextTurn()
    }
    expect(sent.map(({ payload }) => payload)).to.deep.equal(ids)
    expect(next.count).to.equal(0)
    // A count does not read the messages.
    const database = new DatabaseSync(file, { readOnly: true })
    const plan = database.prepare('EXPLAIN QUERY PLAN SELECT count(*), sum(size) FROM held').all()
    database.close()
    expect(JSON.stringify(plan)).to.contain('COVERING INDEX')
  })

  it('of many megabytes are not all resent at once after a crash', async () => {
    const queue = open({ maxMessages: 10, maxBytes: 500_000_000 })
    for (let number = 1; number <= 4; number++) await hold(queue, Buffer.alloc(30_000_000, number))
    for (const id of queue.ids()) await queue.resend(id)
    opened.splice(0)[0]!.close(false)
    sent = []
    const next = open({ run: 'second run' })
    await next.resendLeftOver()
    expect(sent).to.have.length(3)
    next.taken(2)
    while (sent.length < 4) await nextTurn()
  }).timeout(120_000)

  it('stay until another node has taken over what was resent', async () => {
    const queue = open()
    await hold(queue, 'a', { topic: 'kept', intake: 'in/3' })
    queue.taken(1)
    await queue.resend(1)
    expect(sent).to.deep.equal([{ payload: 'a', topic: 'kept', intake: 'held/1' }])
    expect(queue.list()[0]!.resentAt).to.equal(new Date(clock.now()).toISOString())
    queue.taken(1)
    expect(idsIn(queue)).to.deep.equal([])
    expect(await codeOf(() => queue.resend(1))).to.equal('NOT_HELD')
  })

  it('get new reasons when they are held again, under the same number', async () => {
    const queue = open()
    await hold(queue, 'a')
    await queue.resend(1)
    await queue.hold({ ...sent[0]!, held: ['another reason'] })
    queue.taken(1)
    expect(queue.list().map(({ heldId, reasons, resentAt }) => [heldId, reasons, resentAt])).to.deep.equal([
      [1, ['another reason'], null],
    ])
  })

  it('keep a correction, whatever comes back of the message as it was', async () => {
    const queue = open()
    await hold(queue, 'a')
    await queue.resend(1)
    await queue.edit(1, 'corrected')
    await queue.hold({ ...sent[0]!, held: ['too late'] })
    queue.taken(1)
    expect(await queue.payload(1)).to.equal('corrected')
    expect(queue.list()[0]!.reasons).to.deep.equal(HELD)
    await queue.resend(1)
    expect(sent.map(({ payload }) => payload)).to.deep.equal(['a', 'corrected'])
  })

  it('are held once when they come again after a crash, and twice when they are two', async () => {
    const queue = open()
    await hold(queue, 'a', { intake: 'in/1' })
    await hold(queue, 'a', { intake: 'in/1' })
    await hold(queue, 'b', { intake: 'in/1' })
    await hold(queue, 'a', { intake: 'in/2' })
    await hold(queue, 'a')
    await hold(queue, 'a')
    expect(queue.count).to.equal(5)
  })

  it('are resent once more by the next process, unless somebody has taken them over, and not by a deploy', async () => {
    const queue = open()
    for (const payload of ['taken', 'under way', 'held']) await hold(queue, payload)
    await queue.resend(1)
    await queue.resend(2)
    queue.taken(1)
    sent = []
    await open().resendLeftOver()
    await settle()
    expect(sent).to.deep.equal([])
    const next = open({ run: 'second run' })
    await next.resendLeftOver()
    await next.resendLeftOver()
    await settle()
    expect(sent).to.deep.equal([{ payload: 'under way', intake: 'held/2' }])
    expect(idsIn(next)).to.deep.equal([2, 3])
  })

  it('are as many and as large as the form allows, and no more', async () => {
    const queue = open({ maxMessages: 2, maxBytes: 1000 })
    expect(await codeOf(() => hold(queue, 'a'.repeat(1000)))).to.equal('HELD_FULL')
    await hold(queue, 'a')
    await hold(queue, 'b')
    expect(await codeOf(() => hold(queue, 'c'))).to.equal('HELD_FULL')
    await queue.resend(1)
    await queue.hold({ ...sent[0]!, held: HELD })
    queue.discard(2)
    await hold(queue, 'c')
    expect(idsIn(queue)).to.deep.equal([1, 3])
  })

  it('are counted when they have been held for too long', async () => {
    const queue = open()
    await hold(queue, 'a')
    clock.advance(60_000)
    await hold(queue, 'b')
    expect([59_999, 60_000].map((ms) => queue.heldFor(ms))).to.deep.equal([1, 0])
  })

  it('are sealed, and are listed without a word of them when they cannot be opened', async () => {
    const queue = open()
    await hold(queue, 'PID|||WC100001^^^WILLOW^MR||Whitfield^Alma')
    await queue.resend(1)
    const written = [file, `${file}-wal`].map((name) => readFileSync(name, 'latin1')).join('')
    expect(written).to.not.match(/Whitfield|WC100001|TXA-2/)
    const other = open({ seal: createSeal('another secret'), run: 'second run' })
    expect(other.list()[0]).to.include({ heldId: 1, canBeOpened: false, controlId: null })
    expect(await codeOf(() => other.payload(1))).to.equal('CANNOT_OPEN')
    await other.resendLeftOver()
    await settle()
    expect(failures).to.deep.equal(['CANNOT_OPEN'])
    other.discard(1)
    expect(other.count).to.equal(0)
  })

  it('are not accepted when they cannot be written', async () => {
    const queue = open()
    opened.splice(0)
    queue.close(true)
    expect(await codeOf(() => hold(queue, 'a'))).to.equal('CANNOT_KEEP')
  })
})
