/**
 * A process that takes messages over MLLP as Node-RED does: its frames, judgment, journal, and mapping in the thread.
 * Says of each message what became of it, and what it cost. Its argument is a folder for its files.
 */

import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock } from '../../../lib/clock.ts'
import { isBatch } from '../../../lib/hl7/batch.ts'
import { serveMllp } from '../../../lib/hl7/mllp/serve.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { createSeal } from '../../../nodes/shared/carry/seal.ts'
import { summaryOf } from '../../../nodes/shared/held/summary.ts'
import { openIntake } from '../../../nodes/shared/intake/intake.ts'
import { taken } from '../../../nodes/shared/intake/taken.ts'
import { mapLargeHl7 } from '../../../nodes/shared/large/in-thread.ts'
import { createReceive } from '../../../nodes/shared/mllp/receive.ts'
import type { Message } from '../../../nodes/shared/runtime/node-red.ts'
import { workOfThread } from '../load/work-of-thread.ts'

/** What became of a message, what it cost, and what is wrong with that. */
export interface Became {
  became: 'mapped' | 'held' | 'refused' | 'broken' | 'known'
  /** The most processor time of the main thread between two turns of the event loop, in ms. */
  block: number
  /** The longest delay of the event loop by the clock, in ms. */
  delay: number
  /** The most memory of this process until now, in MB. */
  memory: number
  wrong?: string
}

const LIMIT_BYTES = 32 * 1024 * 1024
const ROOM = 2 ** 30
const [, , folder = '.'] = process.argv
const map = readMapFile({ documentTypes: { CMS485: { documentTypeId: 1 } } })
const seal = createSeal('a secret of the test')
const fail = (failure: unknown) => {
  throw failure
}

const intake = openIntake({
  file: join(folder, 'intake.sqlite'),
  nodeId: 'in',
  seal,
  clock: systemClock,
  maxBytes: ROOM,
  repeatMs: 0,
  emit: (message) => void mapStored(message).catch(fail),
  setAside: fail,
  onDropped: () => {},
  onError: fail,
})

/** As the node order from HL7 does. */
async function mapStored(message: Message): Promise<void> {
  const { mapped } = await mapLargeHl7(message.payload as Buffer, map)
  const shown = mapped.ok ? [] : summaryOf({ ...message, held: [...mapped.held] }).reasons
  taken(message)
  noteOne(mapped.ok ? 'mapped' : 'held', mapped.ok || shown.length > 0 ? undefined : 'It is held without a reason.')
}

/** What came with one frame, which may be a batch. */
let ofFrame: { toCome: number; became?: Became['became']; wrong?: string | undefined } = { toCome: 0 }

/** Notes what became of a message, and says it when it was the last one of its frame. */
function noteOne(became: Became['became'], wrong = ofFrame.wrong): void {
  ofFrame = { toCome: ofFrame.toCome - 1, became, wrong }
  if (ofFrame.toCome === 0) say(became, wrong)
}

const receive = createReceive({
  intake: {
    async accept(message, bytes) {
      ofFrame.toCome += 1
      const put = await intake.accept(message, bytes)
      if (put === 'known') noteOne('known')
      if (put === 'full') noteOne('refused')
      return put
    },
  },
  limitBytes: LIMIT_BYTES,
  processingIds: ['P'],
  now: () => new Date(),
  newId: () => 'A1',
  hasRoomToHold: () => true,
  onStored: (failure) => failure && fail(failure),
  onHeld: () => {},
  onRefused: () => {},
  onUnframed: () => {},
})
const server = await serveMllp({
  port: 0,
  host: '127.0.0.1',
  limitBytes: LIMIT_BYTES,
  async onFrame(frame, sender) {
    const size = frame.kind === 'message' ? frame.bytes.length : 0
    const isOfBatch = frame.kind === 'message' && isBatch(frame.bytes)
    ofFrame = { toCome: 1 }
    const answers = await receive(frame, sender)
    const isLong = answers.some(({ length }) => length > (isOfBatch ? Math.max(size, 4_000_000) : 512 * 1024))
    noteOne(
      frame.kind === 'message' ? (ofFrame.became ?? 'refused') : 'broken',
      isLong ? 'Its answer is too long.' : undefined,
    )
    return answers
  },
})

const delays = monitorEventLoopDelay({ resolution: 1 })
let work = workOfThread()
let block = 0
let turning: NodeJS.Immediate | undefined

/** Looks at each turn of the event loop. */
function turn(): void {
  block = Math.max(block, work())
  work = workOfThread()
  turning = setImmediate(turn)
}

function say(became: Became['became'], wrong?: string): void {
  // What happens in this turn is still part of it.
  setImmediate(() => {
    clearImmediate(turning)
    block = Math.max(block, work())
    delays.disable()
    const memory = Math.round(process.resourceUsage().maxRSS / 1000)
    process.send?.({ became, block, delay: delays.max / 1e6, memory, ...(wrong && { wrong }) } satisfies Became)
  })
}

process.on('message', () => {
  block = 0
  delays.reset()
  delays.enable()
  work = workOfThread()
  turn()
  process.send?.({ begins: true })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ port: server.port })
