/** Large held messages: other work has its turn while a person acts on them, and what happens to them in between counts. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { createSeal } from '../../nodes/shared/carry/seal.ts'
import { type HeldQueue, type HeldQueueOptions, openHeldQueue } from '../../nodes/shared/held/held-queue.ts'
import type { Message } from '../../nodes/shared/runtime/node-red.ts'
import { aFolder } from '../support/a-folder.ts'
import { FakeClock, settle } from '../support/fake-clock.ts'
import { turnsUntil } from '../support/turns-until.ts'

const large = (letter: string) => Buffer.alloc(2 * 1024 * 1024, letter)
const HELD = ['a reason']

describe('a large held message', () => {
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
      maxBytes: 100_000_000,
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
  const codeOf = (failure: { code?: string }) => failure.code
  const lettersOf = (messages: readonly Message[]) => messages.map(({ payload }) => String(payload).slice(0, 1))

  it('is held, read, corrected, resent, and held again in several turns of the event loop', async () => {
    const queue = open()
    // A turn each to tell apart, pack, encrypt and write; to read and decrypt; and both for a correction.
    expect(await turnsUntil(queue.hold({ payload: large('a'), held: HELD })), 'hold').to.be.at.least(3)
    expect(await turnsUntil(queue.payload(1)), 'payload').to.be.at.least(2)
    expect(await turnsUntil(queue.message(1)), 'message').to.be.at.least(2)
    expect(await turnsUntil(queue.edit(1, large('b'))), 'edit').to.be.at.least(6)
    expect(await turnsUntil(queue.resend(1)), 'resend').to.be.at.least(3)
    expect(await turnsUntil(queue.hold({ ...sent[0]!, held: HELD })), 'hold again').to.be.at.least(3)
    expect(lettersOf([await queue.message(1)])).to.deep.equal(['b'])
  })

  it('that may have ended the process is sent, or held again, in several turns of the event loop', async () => {
    const first = open()
    for (const letter of ['a', 'b', 'c']) await first.hold({ payload: large(letter), held: HELD })
    for (const id of [1, 2, 3]) await first.resend(id)
    opened.splice(0)[0]!.close(false)
    const database = new DatabaseSync(file)
    database.exec(`DELETE FROM under_way; INSERT INTO under_way SELECT id, 0, 1 FROM held WHERE id < 3`)
    database.exec('UPDATE under_way SET deaths = 2, stage = 3 WHERE id = 1')
    database.close()
    sent = []

    const next = open({ run: 'second run' })
    const turns = await turnsUntil(next.resendLeftOver())
    expect(turns, 'held again').to.be.at.least(6)
    expect(next.list()[0])
      .to.include({ heldId: 1, resentAt: null })
      .and.have.property('reasons')
      .deep.equal([...HELD, 'ended'])
    while (sent.length < 1) await nextTurn()
    expect(lettersOf(sent), 'the one that may have ended it is alone').to.deep.equal(['b'])
    next.taken(2)
    while (sent.length < 2) await nextTurn()
    expect(lettersOf(sent)).to.deep.equal(['b', 'c'])
    expect(failures).to.deep.equal([])
  })

  it('that is discarded while it is corrected or resent stays discarded, and is not sent', async () => {
    const queue = open()
    for (const letter of ['a', 'b']) await queue.hold({ payload: large(letter), held: HELD })
    const editing = queue.edit(1, large('c')).catch(codeOf)
    queue.discard(1)
    expect(await editing).to.equal('NOT_HELD')
    const resending = queue.resend(2).catch(codeOf)
    await nextTurn()
    queue.discard(2)
    expect(await resending).to.equal('NOT_HELD')
    expect([queue.count, sent]).to.deep.equal([0, []])
    const database = new DatabaseSync(file, { readOnly: true })
    expect(database.prepare('SELECT * FROM under_way').all()).to.deep.equal([])
    database.close()
  })

  it('is corrected as the last of several corrections says', async () => {
    const queue = open()
    await queue.hold({ payload: large('a'), held: HELD })
    await Promise.all([queue.edit(1, large('b')), queue.edit(1, 'small'), queue.resend(1)])
    expect(await queue.payload(1)).to.equal('small')
    expect(sent.map(({ payload }) => payload)).to.deep.equal(['small'])
  })

  it('is as it was when the queue is closed while it is corrected or resent', async () => {
    const queue = open()
    await queue.hold({ payload: large('a'), held: HELD })
    const acting = [queue.edit(1, large('b')), queue.hold({ payload: large('c'), held: HELD }), queue.resend(1)]
    const codes = Promise.all(acting.map((act) => act.catch(codeOf)))
    await nextTurn()
    opened.splice(0)[0]!.close(false)
    expect((await codes)[0]).to.equal('STOPPED')
    await settle()
    const again = open()
    expect(lettersOf([await again.message(1)])).to.deep.equal(['a'])
    expect([again.count, sent, failures]).to.deep.equal([1, [], []])
  })
})
