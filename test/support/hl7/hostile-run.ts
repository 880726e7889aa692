/** Takes hostile messages the way that a message takes into Node-RED: frames, judgment, acknowledgment, mapping. */
import { expect } from 'chai'
import { acknowledge } from '../../../lib/hl7/acknowledgement.ts'
import { breaksFrame, createFrameReader, framed } from '../../../lib/hl7/mllp/frames.ts'
import { writeMessage } from '../../../lib/hl7/write-message.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { summaryOf } from '../../../nodes/shared/held/summary.ts'
import { mapLargeHl7 } from '../../../nodes/shared/large/in-thread.ts'
import { judge } from '../../../nodes/shared/mllp/judged.ts'
import { workOfThread } from '../load/work-of-thread.ts'
import { randomFrom } from '../random.ts'
import { type Hostile, hostileMessage } from './hostile-messages.ts'

export interface HostileRun {
  /** What became of them. */
  counts: Record<'mapped' | 'held' | 'refused' | 'broken', number>
  /** The most processor time of this thread that one took, in ms, and which. */
  worst: { ms: number; what: string; bytes: number }
  /** The most memory of the process, in MB. */
  memory: number
}

/** As TCP gives them. */
const CHUNK = 64 * 1024
const map = readMapFile({ documentTypes: { CMS485: { documentTypeId: 1 } } })

/** @param sizes how long each message is about */
export async function hostileRun(
  seed: number,
  sizes: Iterable<number>,
  onMessage: (message: Hostile, index: number) => Promise<void> | void = () => {},
): Promise<HostileRun> {
  const random = randomFrom(seed)
  const run: HostileRun = {
    counts: { mapped: 0, held: 0, refused: 0, broken: 0 },
    worst: { ms: 0, what: '', bytes: 0 },
    memory: 0,
  }
  const look = () => {
    run.memory = Math.max(run.memory, Math.round(process.memoryUsage.rss() / 1e6))
  }
  const looking = setInterval(look, 20).unref()
  let index = 0
  for (const size of sizes) {
    const message = hostileMessage(random, size)
    const stream = streamOf(message.bytes)
    const work = workOfThread()
    run.counts[await takenIn(stream, message)] += 1
    const ms = work()
    look()
    if (ms > run.worst.ms) run.worst = { ms: Math.round(ms), what: message.what, bytes: message.bytes.length }
    await onMessage(message, index++)
  }
  clearInterval(looking)
  return run
}

const streamOf = (bytes: Uint8Array): Uint8Array =>
  breaksFrame(bytes) ? Buffer.concat([Uint8Array.of(0x0b), bytes, Uint8Array.of(0x1c, 0x0d)]) : framed(bytes)

async function takenIn(stream: Uint8Array, { what, bytes }: Hostile): Promise<keyof HostileRun['counts']> {
  const reader = createFrameReader(32 * 1024 * 1024)
  const frames = []
  for (let at = 0; at < stream.length; at += CHUNK) frames.push(...reader.take(stream.subarray(at, at + CHUNK)))
  expect(frames, what).to.have.length(1)
  const [frame] = frames
  if (frame?.kind !== 'message') return 'broken'
  expect(frame.bytes.length, what).to.equal(bytes.length)
  const { message, refusal } = judge(frame.bytes, { processingIds: ['P'] })
  const code = refusal === null ? 'AA' : 'AR'
  const answer = writeMessage(acknowledge(message, { code, id: 'A1', at: new Date(0), reason: refusal?.reason ?? '' }))
  expect(answer.length, what).to.be.lessThan(512 * 1024)
  // A message that is refused here may still come from elsewhere, such as a file.
  const { mapped } = await mapLargeHl7(frame.bytes, map)
  if (!mapped.ok) {
    expect(mapped.held, what).to.not.have.length(0)
    expect(summaryOf({ payload: frame.bytes, held: [...mapped.held] }).reasons, what).to.deep.equal(mapped.held)
  }
  if (refusal !== null) return 'refused'
  return mapped.ok ? 'mapped' : 'held'
}
