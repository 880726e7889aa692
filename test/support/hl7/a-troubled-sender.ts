/** Hands messages over to mllp in as engines do on a bad day: connections break, answers are lost, and each is sent until it is accepted. */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { framed } from '../../../lib/hl7/mllp/frames.ts'
import { MllpError } from '../../../lib/hl7/mllp/mllp-error.ts'
import type { Random } from '../random.ts'
import { aSender } from './mllp-peers.ts'

/** What happens to a message before it is accepted for the last time. */
const TROUBLES = ['answer lost', 'doubled', 'cut within the frame'] as const

type Trouble = (typeof TROUBLES)[number]

/** How many messages had each trouble. */
export type Tally = Record<Trouble, number>

const TROUBLED_SHARE = 0.4
const AGAIN_MS = 50

export interface TroubledOptions {
  port: number
  messages: readonly Uint8Array[]
  /** Over so many connections at once. */
  connections: number
  random: Random
  /** Told of each message that was accepted. */
  onAccepted: () => void
  /** Ends it. */
  signal: AbortSignal
}

/** Resolves when every message was accepted. Rejects when one is refused. */
export async function sendsTroubled({
  port,
  messages,
  connections,
  random,
  onAccepted,
  signal,
}: TroubledOptions): Promise<Tally> {
  const tally: Tally = { 'answer lost': 0, doubled: 0, 'cut within the frame': 0 }
  const next = messages.values()
  const one = async () => {
    const sender = aSender(port)
    try {
      for (const message of next) {
        const trouble = random.isSo(TROUBLED_SHARE) ? random.pick(TROUBLES) : null
        if (trouble) tally[trouble] += 1
        if (trouble === 'doubled') await untilAccepted(sender, message, signal)
        else if (trouble) await breakOff(trouble, { port, message, random })
        await untilAccepted(sender, message, signal)
        onAccepted()
      }
    } finally {
      sender.close()
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  return tally
}

/** While the receiver is killed, nobody takes messages. */
async function untilAccepted(
  sender: ReturnType<typeof aSender>,
  message: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const answer = await sender.send(message).catch((failure: unknown) => {
      if (failure instanceof MllpError) return null
      throw failure
    })
    if (answer?.code === 'AA') return
    if (answer) throw new Error(`mllp in answered ${answer.code}: ${answer.reason}`)
    await pause(AGAIN_MS, undefined, { signal })
  }
}

/** Sends a message, or a part of it, over a connection that breaks before the answer. */
async function breakOff(
  trouble: Exclude<Trouble, 'doubled'>,
  { port, message, random }: Pick<TroubledOptions, 'port' | 'random'> & { message: Uint8Array },
): Promise<void> {
  const frame = framed(message)
  const sent = trouble === 'answer lost' ? frame : frame.subarray(0, 1 + random.below(frame.length - 2))
  const socket = connect(port, '127.0.0.1')
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.on('error', () => {})
  socket.write(sent, () => socket.destroy())
  await closed
}
