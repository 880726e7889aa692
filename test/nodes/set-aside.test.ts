/** Messages that ended the process twice: held in several turns of the event loop, and lost or doubled by no end of the process. */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { createSeal } from '../../nodes/shared/carry/seal.ts'
import { createSetAside, type SetAside } from '../../nodes/shared/held/set-aside.ts'
import { type Intake, type IntakeOptions, openIntake } from '../../nodes/shared/intake/intake.ts'
import type { Runtime, RuntimeNode } from '../../nodes/shared/runtime/node-red.ts'
import { aFolder } from '../support/a-folder.ts'
import { FakeClock } from '../support/fake-clock.ts'

/** One turn each to begin, tell apart, pack, seal, and write. */
const LEAST_TURNS = 4

describe('a message that is set aside', () => {
  let userDir: string
  let errors: string[]
  let counts: number[]
  const closing: (() => void | Promise<void>)[] = []
  const files = ['intake-in', 'held-in']
  const fileOf = (name: string, folder = userDir) => join(folder, 'countersign', `${name}.sqlite`)

  beforeEach(() => {
    userDir = aFolder()
    mkdirSync(join(userDir, 'countersign'))
    errors = []
    counts = []
  })
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  })

  function setAside(onCount: (count: number) => void = () => {}): SetAside {
    const aside = createSetAside({
      runtime: {
        settings: { credentialSecret: 'of a test', userDir },
        nodes: { eachNode: () => {} },
        _: (key: string) => key,
      } as unknown as Runtime,
      node: { id: 'in', error: (text: string) => void errors.push(text) } as unknown as RuntimeNode,
      emit: () => {},
      onCount(count) {
        counts.push(count)
        onCount(count)
      },
    })
    closing.push(() => aside.close(false))
    return aside
  }

  function intake(hold: IntakeOptions['setAside']): Intake {
    const opened = openIntake({
      file: fileOf('intake-in'),
      nodeId: 'in',
      seal: createSeal('a secret'),
      clock: new FakeClock(),
      maxBytes: 100_000,
      repeatMs: 0,
      emit: () => {},
      setAside: hold,
      onDropped: () => {},
      onError: ({ message }) => void errors.push(message),
    })
    closing.push(() => opened.close(false))
    return opened
  }

  /** Leaves messages of which each ended the process twice. */
  async function condemn(...texts: string[]): Promise<void> {
    const opened = intake(async () => {})
    for (const text of texts) await opened.accept({ payload: Buffer.from(text) }, Buffer.from(text))
    await closing.pop()!()
    const database = new DatabaseSync(fileOf('intake-in'))
    database.exec('INSERT INTO under_way SELECT id, 1, 2 FROM accepted')
    database.exec('UPDATE under_way SET deaths = 2, stage = 3')
    database.close()
  }

  it('of 32 MB is held in several turns of the event loop', async () => {
    const aside = setAside()
    let isHeld = false
    const holding = aside.hold({ payload: Buffer.alloc(32 * 1024 * 1024, 'x'), intake: 'in/1' }).then(() => {
      isHeld = true
    })
    let turns = 0
    for (; !isHeld; turns += 1) await nextTurn()
    await holding
    expect(turns).to.be.at.least(LEAST_TURNS)
    expect(aside.hasRoom({ messages: 1, bytes: Number.POSITIVE_INFINITY })).to.equal(false)
  })

  it('stays in its queue until it is held, and the next one waits', async () => {
    await condemn('first', 'second')
    const begun: string[] = []
    let end = () => {}
    const opened = intake(({ payload }) => {
      begun.push(String(payload))
      return new Promise((resolve) => {
        end = resolve
      })
    })
    while (begun.length < 1) await nextTurn()
    // It is written after whatever the queue had to write before.
    await opened.accept({ payload: Buffer.from('new') }, Buffer.from('new'))
    expect([begun, opened.waiting]).to.deep.equal([['first'], 3])
    end()
    while (begun.length < 2) await nextTurn()
    expect([begun, opened.waiting]).to.deep.equal([['first', 'second'], 2])
    end()
    while (opened.waiting > 1) await nextTurn()
  })

  it('is held once when the process ends after it was held and before it leaves its queue', async () => {
    await condemn('poison')
    const killed = aFolder()
    mkdirSync(join(killed, 'countersign'))
    const copy = () => {
      for (const name of files)
        for (const end of ['', '-wal']) copyFileSync(`${fileOf(name)}${end}`, `${fileOf(name, killed)}${end}`)
    }
    const before = intake(setAside((count) => count === 1 && copy()).hold)
    while (before.waiting > 0) await nextTurn()
    expect(counts).to.deep.equal([1])
    for (const close of closing.splice(0).toReversed()) await close()

    userDir = killed
    const aside = setAside()
    const after = intake(aside.hold)
    expect(after.waiting).to.equal(1)
    while (after.waiting > 0) await nextTurn()
    expect(aside.hasRoom({ messages: 2, bytes: Number.POSITIVE_INFINITY })).to.equal(true)
    expect(aside.hasRoom({ messages: 1, bytes: Number.POSITIVE_INFINITY })).to.equal(false)
  })

  it('stays in its queue when the node closes before it is held', async () => {
    await condemn('poison')
    const aside = setAside()
    const opened = intake(aside.hold)
    aside.close(false)
    await opened.close(false)
    expect(counts).to.deep.equal([])
    closing.splice(0)
    const again = intake(setAside().hold)
    expect(again.waiting).to.equal(1)
    while (again.waiting > 0) await nextTurn()
    expect(counts).to.deep.equal([1])
  })
})
