/**
 * A database of queues that was changed by a program which does not have credentialSecret: no message is sent in the place of another
 * one, nothing ends Node-RED, and the other messages of the queue are sent.
 */
import { expect } from 'chai'
import type { SharedDatabase } from '../../nodes/shared/database/shared-database.ts'
import { openIntake } from '../../nodes/shared/intake/intake.ts'
import { acceptedBy } from '../../nodes/shared/intake/taken.ts'
import type { Message } from '../../nodes/shared/runtime/node-red.ts'
import { eventually } from '../support/eventually.ts'
import { query } from '../support/store/postgres/a-postgres.ts'
import { sharedProcesses } from '../support/store/postgres/shared-processes.ts'

const BEAT_MS = 100
const LARGEST = '9223372036854775807'
/** The smallest number that JavaScript does not keep. */
const NOT_KEPT = '9007199254740993'

describe('a changed database of queues', function () {
  this.timeout(60_000)
  const shared = sharedProcesses(BEAT_MS)
  const { ending, seal, aProcess, aDesk } = shared
  let one: SharedDatabase
  beforeEach(async () => {
    one = await aProcess('one')
  })
  const change = (sql: string) => query(shared.url, sql)

  interface Side {
    sent: string[]
    aside: string[]
    errors: string[]
    messages: Message[]
    accept(text: string): Promise<unknown>
    close(): Promise<void>
  }

  function anIntake(database: SharedDatabase, nodeId = 'in'): Side {
    const intake = openIntake({
      file: { database, queue: `intake-${nodeId}` },
      nodeId,
      seal,
      clock: shared.clock,
      maxBytes: 100_000,
      repeatMs: 0,
      emit(message) {
        side.sent.push(String(message.payload))
        side.messages.push(message)
      },
      setAside: async (message) => void side.aside.push(String(message.payload)),
      onDropped: () => {},
      onError: ({ code }) => void side.errors.push(code),
    })
    const side: Side = {
      sent: [],
      aside: [],
      errors: [],
      messages: [],
      accept: (text) => intake.accept({ payload: Buffer.from(text) }, Buffer.from(text)),
      close: () => intake.close(false),
    }
    return side
  }

  /** Accepts messages of two nodes, ends the process as a deploy does, and makes another one that reads them from the database. */
  async function left(): Promise<SharedDatabase> {
    const [first, other] = [anIntake(one), anIntake(one, 'other')]
    for (const text of ['a', 'b', 'c']) await first.accept(text)
    await other.accept('z')
    await first.close()
    await other.close()
    await one.close()
    await change(`UPDATE countersign_run SET until = now() - interval '1 second'`)
    return aProcess('two')
  }

  const ACCEPTED = 'countersign_accepted'
  const at = (index: number) =>
    `queue = 'intake-in' AND id = (SELECT id FROM ${ACCEPTED} WHERE queue = 'intake-in' ORDER BY id OFFSET ${index} LIMIT 1)`
  const part = (column: string, index: number) => `(SELECT ${column} FROM ${ACCEPTED} WHERE ${at(index)})`
  const loose = `ALTER TABLE ${ACCEPTED} DROP CONSTRAINT countersign_accepted_queue_digest_key;`
  const copied = (id: string, digest: string) =>
    `INSERT INTO ${ACCEPTED} (queue, id, digest, at, size, sealed, owner)
     SELECT queue, ${id}, ${digest}, at, size, sealed, owner FROM ${ACCEPTED} WHERE ${at(0)};`
  const mark = (id: string, stage: number, deaths = 1, owner = 'gone') =>
    `INSERT INTO countersign_under_way (queue, id, deaths, stage, owner)
     VALUES ('intake-in', ${id}, ${deaths}, ${stage}, '${owner}');`

  const cases: [what: string, sql: string, sent: string[], errors: string[], aside?: string[]][] = [
    [
      'the bytes of two rows exchanged',
      `UPDATE ${ACCEPTED} AS row SET sealed = CASE WHEN row.id = ${part('id', 0)} THEN ${part('sealed', 1)} ELSE ${part('sealed', 0)} END
       WHERE queue = 'intake-in' AND id <> ${part('id', 2)}`,
      ['c'],
      ['CANNOT_OPEN', 'CANNOT_OPEN'],
    ],
    [
      'a row of another node',
      `UPDATE ${ACCEPTED} SET queue = 'intake-in' WHERE queue = 'intake-other'`,
      ['a', 'b', 'c'],
      ['CANNOT_OPEN'],
    ],
    [
      'the digest of another message',
      `UPDATE ${ACCEPTED} SET digest = repeat('0', 64) WHERE ${at(0)}`,
      ['b', 'c'],
      ['CANNOT_OPEN'],
    ],
    ['no bytes', `UPDATE ${ACCEPTED} SET sealed = '' WHERE ${at(0)}`, ['b', 'c'], ['CANNOT_OPEN']],
    ['few bytes', `UPDATE ${ACCEPTED} SET sealed = substr(sealed, 1, 13) WHERE ${at(0)}`, ['b', 'c'], ['CANNOT_OPEN']],
    [
      'bytes of which one is changed',
      `UPDATE ${ACCEPTED} SET sealed = set_byte(sealed, 30, 255 - get_byte(sealed, 30)) WHERE ${at(0)}`,
      ['b', 'c'],
      ['CANNOT_OPEN'],
    ],
    ['NULL for the bytes', `UPDATE ${ACCEPTED} SET sealed = NULL WHERE ${at(0)}`, ['b', 'c'], []],
    [
      'NULL for a digest',
      `ALTER TABLE ${ACCEPTED} ALTER digest DROP NOT NULL; UPDATE ${ACCEPTED} SET digest = NULL WHERE ${at(0)}`,
      ['b', 'c'],
      ['CANNOT_OPEN'],
    ],
    ['a size below zero', `UPDATE ${ACCEPTED} SET size = -2147483648 WHERE ${at(0)}`, ['a', 'b', 'c'], []],
    ['a size that is very large', `UPDATE ${ACCEPTED} SET size = 2147483647 WHERE ${at(0)}`, ['a', 'b', 'c'], []],
    ['the largest number', `UPDATE ${ACCEPTED} SET id = ${LARGEST} WHERE ${at(0)}`, ['b', 'c'], []],
    [
      'a number that JavaScript does not keep',
      `UPDATE ${ACCEPTED} SET id = ${NOT_KEPT} WHERE ${at(0)}`,
      ['b', 'c'],
      [],
    ],
    ['a number below zero', `UPDATE ${ACCEPTED} SET id = -5 WHERE ${at(0)}`, ['b', 'c'], []],
    ['a copy under another digest', copied('5', "'ab'"), ['a', 'b', 'c'], ['CANNOT_OPEN']],
    ['an owner that never lived', `UPDATE ${ACCEPTED} SET owner = '' WHERE ${at(0)}`, ['a', 'b', 'c'], []],
    ['a mark of no number', mark("'abc'", 3) + mark("'NaN'", 2) + mark("''", 1), ['a', 'b', 'c'], []],
    ['a mark of the largest number', mark(`'${LARGEST}0'`, 3), ['a', 'b', 'c'], []],
    ['a mark with the most ends', mark("'77'", 2, 2147483647), ['a', 'b', 'c'], []],
    ['a mark in a stage that there is not', mark("'77'", -9) + mark("'78'", 99), ['a', 'b', 'c'], []],
    ['a mark that condemns a message', mark(part('id::text', 0), 3), ['b', 'c'], [], ['a']],
  ]
  for (const [what, sql, sent, errors, aside = []] of cases)
    it(`with ${what} sends the other messages, each in its own name`, async () => {
      const two = await left()
      await change(sql)
      const side = anIntake(two)
      ending.push(side.close)
      await side.accept('new')
      await eventually(() => {
        expect(side.sent.toSorted()).to.deep.equal([...sent, 'new'].toSorted())
        expect(side.errors).to.deep.equal(errors)
        expect(side.aside).to.deep.equal(aside)
      })
      for (const message of side.messages) expect(acceptedBy(message)?.nodeId).to.equal('in')
    })

  it('with two rows of one message sends no other one', async () => {
    const two = await left()
    await change(loose + copied('5', 'digest'))
    const side = anIntake(two)
    ending.push(side.close)
    await eventually(() => expect(side.sent).to.deep.equal(['a', 'a', 'b', 'c']))
  })

  it('with a count that is full counts on', async () => {
    const side = anIntake(one)
    ending.push(side.close)
    await side.accept('a')
    await change(`UPDATE ${ACCEPTED} SET tries = 2147483647`)
    const { openSharedIntakeStore } = await import('../../nodes/shared/intake/intake-in-database.ts')
    const store = openSharedIntakeStore({ database: one, queue: 'intake-in' })
    const id = acceptedBy(await eventually(() => side.messages[0] ?? expect.fail('not sent')))!.entry
    expect(store.countTry(id)).to.equal(2147483647)
    store.close(false)
  })

  it('with news that no process has told goes on', async () => {
    const heard: unknown[] = []
    ending.push(one.onNews((news) => heard.push(news)))
    const two = await aProcess('two')
    await eventually(() => {
      two.tell({ part: 'before' })
      expect(heard).to.deep.include({ part: 'before' })
    })
    for (const text of ['', '{', 'null', '5', '"text"', '[]', '{}', '{"part":5}', '{"part":null,"run":null}'])
      await change(`SELECT pg_notify('countersign_journal', '${text}')`)
    two.tell({ part: 'after' })
    await eventually(() => expect(heard).to.deep.include({ part: 'after' }))
    expect(heard.filter((news) => !['before', 'after'].includes((news as { part: string }).part))).to.deep.equal([])
  })

  const HELD = 'countersign_held'
  const heldAt = (index: number) => `id = (SELECT id FROM ${HELD} ORDER BY id OFFSET ${index} LIMIT 1)`
  const held: [what: string, sql: string, opens: string[], shown: number][] = [
    [
      'the bytes of another message',
      `UPDATE ${HELD} SET message = (SELECT message FROM ${HELD} WHERE ${heldAt(1)}) WHERE ${heldAt(0)}`,
      ['CANNOT_OPEN', 'b'],
      2,
    ],
    [
      'the summary of another message',
      `UPDATE ${HELD} SET summary = (SELECT summary FROM ${HELD} WHERE ${heldAt(1)}) WHERE ${heldAt(0)}`,
      ['a', 'b'],
      1,
    ],
    [
      'few bytes and no summary',
      `UPDATE ${HELD} SET message = 'x', summary = '' WHERE ${heldAt(0)}`,
      ['CANNOT_OPEN', 'b'],
      1,
    ],
    [
      'the largest times',
      `UPDATE ${HELD} SET at = ${LARGEST}, resent_at = -${LARGEST} WHERE ${heldAt(0)}`,
      ['a', 'b'],
      2,
    ],
    ['the largest number', `UPDATE ${HELD} SET id = ${LARGEST} WHERE ${heldAt(0)}`, ['b'], 1],
    ['a number that JavaScript does not keep', `UPDATE ${HELD} SET id = ${NOT_KEPT} WHERE ${heldAt(0)}`, ['b'], 1],
    [
      'a row of another node',
      `INSERT INTO ${HELD} (queue, id, digest, at, size, summary, message) SELECT queue, 5, 'ab', at, size, summary, message FROM ${HELD} WHERE ${heldAt(0)}`,
      ['CANNOT_OPEN', 'a', 'b'],
      2,
    ],
    [
      'marks of no number',
      "INSERT INTO countersign_under_way VALUES ('held-desk', 'abc', 1, 3, 'gone'), ('held-desk', '', 1, 2, 'gone')",
      ['a', 'b'],
      2,
    ],
  ]
  for (const [what, sql, opens, shown] of held)
    it(`with ${what} in a held message shows and opens the others`, async () => {
      ending.push(one.retain())
      const first = aDesk(one, () => {})
      for (const payload of ['a', 'b']) await first.hold({ payload })
      first.close(false)
      await change(sql)
      const desk = aDesk(one, () => {})
      ending.push(() => desk.close(false))
      await desk.resendLeftOver()
      await desk.resendLeftOver()
      const codeOf = (failure: { code?: string }) => failure.code
      const opened = await Promise.all([...desk.ids()].map((id) => desk.payload(id).catch(codeOf)))
      expect(opened).to.deep.equal(opens)
      expect(desk.list().filter(({ canBeOpened }) => canBeOpened)).to.have.length(shown)
    })
})
