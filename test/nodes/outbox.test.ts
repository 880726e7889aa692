/** What waits to be sent over MLLP, as a node opens it: how often it is tried, and what is said meanwhile. */
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { MllpError } from '../../lib/hl7/mllp/mllp-error.ts'
import { createSeal } from '../../nodes/shared/carry/seal.ts'
import { type Outbox, type OutboxOptions, openOutbox } from '../../nodes/shared/mllp/outbox.ts'
import { aFolder } from '../support/a-folder.ts'
import { eventually } from '../support/eventually.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { aMessage, idOf } from '../support/hl7/mllp-peers.ts'

const MINUTE = 60_000
const unanswered = () => new MllpError('unanswered', true)
const untrusted = () => new MllpError('untrusted', false, 'DEPTH_ZERO_SELF_SIGNED_CERT')

describe('an outbox', () => {
  let clock: FakeClock
  let file: string
  /** What the receiver does with the next messages; it accepts those after them. */
  let failures: (() => MllpError)[]
  let sent: string[]
  let said: string[]
  let opened: Outbox

  beforeEach(() => {
    clock = new FakeClock()
    file = join(aFolder(), 'outbox.sqlite')
    failures = []
    sent = []
    said = []
  })
  afterEach(() => opened.close(false))

  function open(more: Partial<OutboxOptions> = {}): Outbox {
    opened = openOutbox({
      file,
      nodeId: 'out',
      seal: createSeal('a secret'),
      clock,
      random: () => 0.5,
      sender: {
        async send(message) {
          sent.push(idOf(message))
          const failure = failures.shift()
          if (failure) throw failure()
          return Buffer.from(`MSH|^~\\&|||||||ACK|A1|P|2.5.1\rMSA|AA|${idOf(message)}\r`)
        },
      },
      maxBytes: 100_000,
      maxTries: 3,
      setAside: async ({ payload }) => void said.push(`set aside ${idOf(payload as Uint8Array)}`),
      onDropped: () => {},
      onTryFailed: ({ code }) => void said.push(code),
      onDelivery: (_, { code, failure }) => void said.push(`delivered ${code ?? failure?.code}`),
      onError: ({ code }) => void said.push(`error ${code}`),
      ...more,
    })
    return opened
  }
  const put = (outbox: Outbox, id: string) => outbox.put({ payload: aMessage(id) })
  /** Puts the clock forward; what follows from that has happened. */
  const passes = async (ms: number) => {
    for (let turns = 0; turns < 5; turns += 1) await turn()
    clock.advance(ms)
    for (let turns = 0; turns < 5; turns += 1) await turn()
  }

  it('counts a message when it is on the disk, not before', async () => {
    const outbox = open()
    const kept = put(outbox, 'M1')
    expect(outbox.count).to.equal(0)
    await kept
    expect(outbox.count).to.equal(1)
  })

  it('sets aside a message whose answer has ended the process twice, and delivers those behind it', async () => {
    /** As a process that ends while it reads the answer: nothing comes after that. */
    const sender: OutboxOptions['sender'] = {
      send(_, isOurs) {
        isOurs?.(Buffer.from('an answer'))
        return new Promise(() => {})
      },
    }
    const first = open({ sender })
    await put(first, 'A')
    await put(first, 'B')
    await clock.pass(0)
    open({ sender })
    await clock.pass(0)
    open()
    await eventually(() => expect(said).to.deep.equal(['set aside A', 'delivered AA']))
    expect(sent).to.deep.equal(['B'])
  })

  it('counts the tries of a message over a restart', async () => {
    failures = [unanswered, unanswered, unanswered]
    await put(open(), 'M1')
    await passes(1000)
    expect(said).to.deep.equal(['UNANSWERED', 'UNANSWERED'])
    await opened.close(false)
    open()
    await passes(0)
    expect(said).to.deep.equal(['UNANSWERED', 'UNANSWERED', 'delivered UNANSWERED'])
    expect(sent).to.deep.equal(['M1', 'M1', 'M1'])
  })

  it('counts the tries of each message for itself', async () => {
    failures = [unanswered, unanswered]
    await put(open(), 'M1')
    await put(opened, 'M2')
    await passes(1000)
    await passes(2000)
    failures = [unanswered, unanswered]
    await put(opened, 'M3')
    await passes(1000)
    await passes(2000)
    expect(said.filter((one) => one !== 'UNANSWERED')).to.deep.equal(['delivered AA', 'delivered AA', 'delivered AA'])
  })

  it('tries again only after a minute, and without counting, when a certificate is refused', async () => {
    failures = [untrusted, untrusted, untrusted, untrusted]
    await put(open(), 'M1')
    await passes(MINUTE - 1)
    expect(said).to.deep.equal(['UNTRUSTED'])
    for (const minutes of [1, 2, 4, 8]) await passes(minutes * MINUTE)
    expect(said).to.deep.equal([...Array(4).fill('UNTRUSTED'), 'delivered AA'])
  })

  it('pauses before it sends a message again that it could not take out', async () => {
    let fails = true
    const onDelivery = () => {
      if (fails) throw new Error('as when the disk is full')
    }
    await put(open({ onDelivery }), 'M1')
    await passes(9000)
    expect(sent).to.deep.equal(['M1'])
    fails = false
    await passes(1000)
    expect(sent).to.deep.equal(['M1', 'M1'])
    expect(said).to.deep.equal(['error INTERNAL'])
    expect(opened.count).to.equal(0)
  })
})
