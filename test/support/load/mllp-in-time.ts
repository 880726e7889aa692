/** Sends messages over MLLP at a rate, whether they are answered or not, and times each answer by the control id that it names. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createFrameReader, framed } from '../../../lib/hl7/mllp/frames.ts'

export interface Rate {
  port: number
  perSecond: number
  seconds: number
  connections: number
  bytes: number
}

export interface Answered {
  sent: number
  /** Those whose answer named them and accepted them. */
  accepted: number
  /** Answers that named another message than any that was waiting on the connection. */
  others: number
  /** Milliseconds from the write of a message to its answer. */
  p50: number
  p95: number
  p99: number
  longest: number
}

/** The time after the last message in which answers still count. */
const LATE_MS = 10_000

export async function sendInTime({ port, perSecond, seconds, connections, bytes }: Rate): Promise<Answered> {
  const waiting = Array.from({ length: connections }, () => new Map<string, number>())
  const times: number[] = []
  let others = 0
  const sockets = await Promise.all(
    waiting.map(async (mine): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true)
      const frames = createFrameReader(1_000_000)
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        for (const frame of frames.take(chunk)) {
          if (frame.kind !== 'message') continue
          const [, code, id = ''] = /\rMSA\|(\w\w)\|([^|\r]*)/.exec(Buffer.from(frame.bytes).toString('latin1')) ?? []
          const since = mine.get(id)
          if (code !== 'AA' || since === undefined) others += 1
          else times.push(performance.now() - since)
          mine.delete(id)
        }
      })
      await once(socket, 'connect')
      return socket
    }),
  )
  const count = perSecond * seconds
  const fill = Buffer.alloc(bytes, 'JVBERi0x').toString()
  const begun = performance.now()
  for (let sent = 0; sent < count; ) {
    for (; sent < Math.min(count, ((performance.now() - begun) / 1000) * perSecond); sent++) {
      const id = `R${process.pid}-${sent}`
      const text = `MSH|^~\\&|LOAD|B|CS|CS|20260115||MDM^T02|${id}|P|2.5.1\rOBX|1|ED|PDF||^^^Base64^${fill}\r`
      waiting[sent % connections]!.set(id, performance.now())
      sockets[sent % connections]!.write(framed(Buffer.from(text)))
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  for (const until = performance.now() + LATE_MS; performance.now() < until && waiting.some(({ size }) => size > 0); )
    await new Promise((resolve) => setTimeout(resolve, 50))
  for (const socket of sockets) socket.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round((times[Math.floor(share * (times.length - 1))] ?? Number.NaN) * 10) / 10
  return { sent: count, accepted: times.length, others, p50: at(0.5), p95: at(0.95), p99: at(0.99), longest: at(1) }
}
