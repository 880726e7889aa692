/** What the stream of changes costs: look-ups for all of its listeners together, and no memory for one who does not read. */
import { randomBytes } from 'node:crypto'
import { PassThrough, Writable } from 'node:stream'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { timeOf } from '../../../lib/clock.ts'
import { MAX_UNREAD_STREAM_BYTES } from '../../../server/choices.ts'
import { createKeyring, type Keyring } from '../../../server/keys/keyring.ts'
import { newSession } from '../../../server/people/new-session.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { createLive, type Live, type LiveParts } from '../../../server/workers/live.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const BY = { kind: 'operator', id: null } as const
const ROUND_MS = 1_000
const GATHER_MS = 250

describe('Listeners of changes', () => {
  const clock = new FakeClock()
  let store: Store
  let keyring: Keyring
  let live: Live
  /** Look-ups that were begun, by what was asked. */
  let looked: string[]
  /** Holds back the answers of the store while it is set. */
  let held: Promise<void> | null
  const open: Writable[] = []

  before(async () => {
    store = await openStore(':memory:', Buffer.alloc(32))
    keyring = createKeyring(store, 'test', randomBytes)
  })
  after(() => store.close())
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
    looked = []
    held = null
    const counted: LiveParts['store'] = {
      sessions: {
        async standings(...args) {
          looked.push(`${args[0].length} sessions`)
          await held
          return store.sessions.standings(...args)
        },
      },
      operatorKeys: {
        async openFor(...args) {
          looked.push(`${args[0].length} keys`)
          await held
          return store.operatorKeys.openFor(...args)
        },
      },
    }
    live = createLive({ store: counted, workers: {}, clock })
  })
  afterEach(() => {
    live.close()
    for (const stream of open.splice(0)) stream.destroy()
    mock.timers.reset()
  })

  async function aKey(): Promise<string> {
    const terms = { organizationId: null, description: 'Watches', expiresAt: null, scopes: [] }
    return (await keyring.issueToOperator(terms, timeOf(clock), BY)).keyId
  }
  async function aSession(): Promise<string> {
    const at = timeOf(clock)
    const email = `${randomBytes(8).toString('hex')}@example.org`
    const person = { email, name: 'Robin Hale', role: 'operator', npi: null, organizationId: null } as const
    const personId = await store.people.create({ ...person, passwordHash: null }, at, BY)
    if (personId === null) throw new Error('The account was not made.')
    const { session } = newSession(randomBytes, at, '127.0.0.1')
    expect(await store.sessions.open({ ...session, personId, passwordHash: null })).to.equal(true)
    return session.digest
  }
  function follow(by: 'key' | 'session', id: string, to: Writable = new PassThrough().resume()): Writable {
    open.push(to)
    live.follow(to, { by, id, role: 'operator', organizationId: null })
    return to
  }
  /** The store works in a thread of its own: its answers come in later turns of the event loop. */
  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await turn()
  }

  it('are looked up together: two look-ups a round, however many there are', async () => {
    const [key, other, session] = [await aKey(), await aKey(), await aSession()]
    for (let count = 0; count < 200; count++) {
      follow('key', key)
      follow('key', other)
      follow('session', session)
    }
    mock.timers.tick(ROUND_MS)
    await until(() => looked.length === 2)
    expect(looked).to.deep.equal(['1 sessions', '2 keys'])
    expect(open.filter(({ writableEnded }) => writableEnded)).to.deep.equal([])
  })

  it('wait for a store that is slow: no round begins before the last has ended, and none when all have gone', async () => {
    let answer = () => {}
    held = new Promise((resolve) => {
      answer = resolve
    })
    const [staying, revoked] = [await aKey(), await aKey()]
    const stream = follow('key', staying)
    const ending = follow('key', revoked)
    mock.timers.tick(ROUND_MS)
    expect(looked).to.deep.equal(['2 keys'])
    mock.timers.tick(60 * ROUND_MS)
    await turn()
    expect(looked).to.deep.equal(['2 keys'])
    await store.operatorKeys.revoke(revoked, timeOf(clock), BY)
    answer()
    await until(() => ending.writableEnded)
    expect(stream.writableEnded).to.equal(false)
    mock.timers.tick(ROUND_MS)
    await until(() => looked.length === 2)
    expect(looked[1]).to.equal('1 keys')
    stream.destroy()
    await until(() => stream.closed)
    mock.timers.tick(60 * ROUND_MS)
    await turn()
    expect(looked).to.have.length(2)
  })

  it('receive one event for a burst of changes, and another one for what changes later', async () => {
    let text = ''
    const reading = new PassThrough().setEncoding('utf8')
    reading.on('data', (part: string) => {
      text += part
    })
    follow('key', await aKey(), reading)
    const events = () => text.split('event: changed').length - 1
    for (const changes of [12, 1, 3]) {
      const before = events()
      for (let change = 0; change < changes; change++) live.changed()
      mock.timers.tick(GATHER_MS - 1)
      // A comment that is written last has been read when everything before it was.
      reading.write(`: ${changes}\n\n`)
      await until(() => text.endsWith(`: ${changes}\n\n`))
      expect(events()).to.equal(before)
      mock.timers.tick(1)
      await until(() => events() > before)
      expect(events()).to.equal(before + 1)
    }
  })

  it('who do not read are dropped, with little kept for them, and the others are told', async () => {
    const key = await aKey()
    const stuck = follow('key', key, new Writable({ write() {} }))
    let heard = ''
    const reading = new PassThrough().setEncoding('utf8')
    reading.on('data', (text: string) => {
      heard += text
    })
    follow('key', key, reading)
    let most = 0
    let changes = 0
    while (!stuck.destroyed) {
      live.changed()
      mock.timers.tick(250)
      changes++
      most = Math.max(most, stuck.writableLength)
      await turn()
    }
    expect(most)
      .to.be.above(MAX_UNREAD_STREAM_BYTES)
      .and.below(MAX_UNREAD_STREAM_BYTES + 1024)
    expect(heard.split('event: changed').length - 1).to.equal(changes)
    expect(reading.destroyed).to.equal(false)
  })
})
