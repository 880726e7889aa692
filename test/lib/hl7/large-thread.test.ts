import { expect } from 'chai'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { createLargeReader, LARGE, MANY_LINES } from '../../../nodes/shared/large/in-thread.ts'
import { anOrder, PDF } from '../../support/hl7/an-order.ts'

const map = readMapFile({ documentTypes: { CMS485: { documentTypeId: 1 } } })
const HEAP_MB = 64
const LONG_MS = 1_000_000
/** Mapped within little memory. */
const ordinary = anOrder({ OBX: [`OBX|1|ED|PDF||^application^pdf^Base64^${PDF}`, `NTE|1||${'A'.repeat(2 * LARGE)}`] })
const ordinaryLines = Buffer.from(anOrder()).toString()
/** Each of its lines becomes objects, of which the heap consists. */
const heavy = anOrder({ OBX: Array.from({ length: 190_000 }, () => 'OBX|1|TX|PDF||JVBERi0x') })

describe('The thread that reads large messages', function () {
  this.timeout(600_000)

  it('ends when a message takes too much memory: the message is held, and the next one is mapped in another thread', async () => {
    const reader = createLargeReader({ ms: LONG_MS, heapMb: HEAP_MB })
    expect((await reader.map(ordinary, map)).mapped.ok).to.equal(true)
    const { mapped, origin } = await reader.map(heavy, map)
    expect(mapped).to.deep.equal({ ok: false, held: [tooMuch('1000', HEAP_MB)] })
    expect(origin).to.equal(undefined)
    expect((await reader.map(ordinary, map)).mapped.ok).to.equal(true)
    // With more memory, the same message is judged by what it says.
    const within = await createLargeReader({ ms: LONG_MS, heapMb: 320 }).map(heavy, map)
    expect(within.mapped.ok ? [] : within.mapped.held.join(' ')).to.match(/^OBX-5/)
  })

  it('ends when a message takes too long: the message is held', async () => {
    // No machine maps 190,000 segments in a thousandth of a second.
    const reader = createLargeReader({ ms: 1, heapMb: 320 })
    expect((await reader.map(heavy, map)).mapped).to.deep.equal({ ok: false, held: [tooMuch('0.001', 320)] })
  })

  it('reads a small message of many lines, too: each line ends with CR, LF, or both', async () => {
    const reader = createLargeReader({ ms: 1, heapMb: 320 })
    const lines = (count: number, end: string) => Buffer.from(ordinaryLines.concat(`NTE|${end}`.repeat(count)))
    const held = { ok: false, held: [tooMuch('0.001', 320)] }
    for (const end of ['\r', '\n', '\r\n']) {
      const many = lines(MANY_LINES, end)
      expect(many.length).to.be.lessThan(LARGE)
      for (const message of [many, many.toString()]) expect((await reader.map(message, map)).mapped).to.deep.equal(held)
      // What is read at once has no limit of time.
      expect((await reader.map(lines(MANY_LINES / 4, end), map)).mapped.ok).to.equal(true)
    }
  })

  it('does not read many small messages in one turn of the event loop, and keeps their order', async () => {
    const reader = createLargeReader({ ms: LONG_MS, heapMb: HEAP_MB })
    const small = Buffer.from(`${ordinaryLines}NTE|1||${'A'.repeat(0.6 * LARGE)}\r`)
    let turns = 0
    let turning = setImmediate(function turn() {
      turns += 1
      turning = setImmediate(turn)
    })
    const read: number[] = []
    const inTurns = new Set<number>()
    await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        expect((await reader.map(small, map)).mapped.ok).to.equal(true)
        read.push(index)
        inTurns.add(turns)
      }),
    )
    clearImmediate(turning)
    expect(read).to.deep.equal([0, 1, 2, 3, 4, 5])
    expect(inTurns.size).to.equal(6)
  })

  it('shows a message of very many lines, and takes it back, in less memory than its line ends would take', async () => {
    // A thread that ends itself for lack of memory is not enough: V8 ends the process when one call takes too much at once.
    const reader = createLargeReader({ ms: 600_000, heapMb: 96 })
    const payload = Buffer.alloc(6 * 1024 * 1024, 'A \r')
    const { text } = JSON.parse(Buffer.from(await reader.textInJson(payload)).toString()) as { text: string }
    expect(text.startsWith('A \nA \n')).to.equal(true)
    expect(payload.equals((await reader.payload(text, payload)) as Buffer)).to.equal(true)
  })

  it('reads a large object in the thread, too', async () => {
    const reader = createLargeReader({ ms: 1, heapMb: 320 })
    const payload = { resourceType: 'Bundle', entry: Array.from({ length: 100_000 }, (_, id) => ({ id })) }
    const refused = await reader.textInJson(payload).catch((failure: unknown) => failure)
    expect(refused).to.include({ code: 'TOO_SLOW' })
  })

  it('ends for texts too: the error says that the message takes too much', async () => {
    const reader = createLargeReader({ ms: 1, heapMb: 320 })
    const refused = await reader.textInJson(Buffer.from(heavy)).catch((failure: unknown) => failure)
    expect(refused).to.include({ code: 'TOO_SLOW', message: tooMuch('0.001', 320) })
  })
})

const tooMuch = (seconds: string, megabytes: number) =>
  `The message takes more than ${seconds} s or ${megabytes} MB of memory to read. ` +
  'Check its delimiters, and let the sender divide it into smaller messages.'
