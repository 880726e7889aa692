/** Sends hostile messages over MLLP to a process that does nothing but take them as Node-RED does, so that its costs are its own. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { breaksFrame, framed } from '../../../lib/hl7/mllp/frames.ts'
import { readMapFile } from '../../../lib/mapping/map-file.ts'
import { mapLargeHl7 } from '../../../nodes/shared/large/in-thread.ts'
import { aFolder } from '../a-folder.ts'
import { forked } from '../processes.ts'
import { randomFrom } from '../random.ts'
import { type Hostile, hostileMessage } from './hostile-messages.ts'
import type { Became } from './hostile-product.ts'

const map = readMapFile({ documentTypes: { CMS485: { documentTypeId: 1 } } })

export interface HostileRun {
  /** What became of them. */
  counts: Record<Became['became'], number>
  /** The longest block of the event loop in processor time, in ms, and of which message. */
  worst: { ms: number; what: string; bytes: number }
  /** The longest delay of the event loop by the clock, in ms: other programs of the machine are in it. */
  delay: number
  /** The most memory of the process, in MB. */
  memory: number
}

/** @param sizes how long each message is about */
export async function hostileRun(
  seed: number,
  sizes: Iterable<number>,
  onMessage: (message: Hostile, index: number) => Promise<void> | void = () => {},
): Promise<HostileRun> {
  const random = randomFrom(seed)
  const run: HostileRun = {
    counts: { mapped: 0, held: 0, refused: 0, broken: 0, known: 0 },
    worst: { ms: 0, what: '', bytes: 0 },
    delay: 0,
    memory: 0,
  }
  const product = forked(join(import.meta.dirname, 'hostile-product.ts'), [aFolder()])
  let said = ''
  product.stderr?.on('data', (chunk) => (said += chunk))
  const ended = once(product, 'exit').then(([code, signal]) => {
    throw new Error(`The process that takes the messages has ended: ${code ?? signal} ${said.slice(-2000)}`)
  })
  ended.catch(() => {})
  const hear = async <T>(): Promise<T> => (await Promise.race([once(product, 'message'), ended]))[0] as T
  try {
    const { port } = await hear<{ port: number }>()
    let index = 0
    for (const size of sizes) {
      const message = hostileMessage(random, size)
      const begins = hear()
      product.send('next')
      await begins
      const socket = connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume()
      const became = hear<Became>()
      socket.end(streamOf(message.bytes))
      const { block, delay, memory, wrong, became: what } = await became
      expect(wrong, message.what).to.equal(undefined)
      // It may still come from elsewhere, such as a file.
      if (what === 'refused') expect(await isHeldWithoutReason(message), message.what).to.equal(false)
      run.counts[what] += 1
      run.memory = Math.max(run.memory, memory)
      run.delay = Math.max(run.delay, Math.round(delay))
      if (block > run.worst.ms) run.worst = { ms: Math.round(block), what: message.what, bytes: message.bytes.length }
      await onMessage(message, index++)
    }
  } finally {
    product.disconnect()
  }
  return run
}

async function isHeldWithoutReason({ bytes }: Hostile): Promise<boolean> {
  const { mapped } = await mapLargeHl7(bytes, map)
  return !mapped.ok && mapped.held.length === 0
}

const streamOf = (bytes: Uint8Array): Uint8Array =>
  breaksFrame(bytes) ? Buffer.concat([Uint8Array.of(0x0b), bytes, Uint8Array.of(0x1c, 0x0d)]) : framed(bytes)
