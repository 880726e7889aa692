/**
 * Messages over MLLP, acknowledged when they are on the disk, beside their floor: a bare TCP server that looks for the end of a frame,
 * appends it to a file and answers after one fdatasync for all that have come meanwhile; no message is parsed, sealed or told from
 * another one. Then one message of 11 MB, as of a PDF of 8 MB: how long until its answer, and what memory it takes.
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../lib/clock.ts'
import { framed } from '../../lib/hl7/mllp/frames.ts'
import { serveMllp } from '../../lib/hl7/mllp/serve.ts'
import { createSeal } from '../../nodes/shared/carry/seal.ts'
import { openIntake } from '../../nodes/shared/intake/intake.ts'
import { taken } from '../../nodes/shared/intake/taken.ts'
import { createReceive } from '../../nodes/shared/mllp/receive.ts'
import type { Sending } from './mllp-senders.ts'

const LIMIT_BYTES = 64 * 1024 * 1024
/** Messages of 20 kB, and of 2 kB over as many connections as an engine opens. */
const MANY = [
  { messages: 3000, bytes: 2000, connections: 8 },
  { messages: 6000, bytes: 2000, connections: 32 },
  { messages: 1000, bytes: 20_000, connections: 1 },
  { messages: 1000, bytes: 20_000, connections: 32 },
]
const LARGE = { connections: 1, messages: 1, bytes: 11_200_000 }

const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
const senders = fork(new URL('./mllp-senders.ts', import.meta.url))

async function sent(sending: Sending): Promise<number> {
  senders.send(sending)
  const [{ ms }] = (await once(senders, 'message')) as [{ ms: number }]
  return ms
}

async function aFloor(): Promise<{ port: number; close: () => void }> {
  const file = openSync(join(folder, 'floor'), 'a')
  const answer = framed(Buffer.from('MSH|^~\\&|\rMSA|AA|\r'))
  let waiting: Socket[] = []
  const sync = () => {
    fdatasyncSync(file)
    for (const socket of waiting) socket.write(answer)
    waiting = []
  }
  const server = createServer((socket) => {
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      writeSync(file, chunk)
      if (chunk.at(-2) !== 0x1c) return
      if (waiting.length === 0) setImmediate(sync)
      waiting.push(socket)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

const intake = openIntake({
  file: join(folder, 'intake.sqlite'),
  nodeId: 'in',
  seal: createSeal('a secret'),
  clock: systemClock,
  maxBytes: 2 ** 40,
  repeatMs: 0,
  emit: taken,
  setAside: async () => {},
  onDropped: () => {},
  onError: (failure) => console.error(failure),
})
const receive = createReceive({
  intake,
  processingIds: ['P'],
  limitBytes: LIMIT_BYTES,
  now: () => new Date(),
  newId: randomUUID,
  hasRoomToHold: () => true,
  onStored: (failure) => failure && console.error(failure),
  onHeld: console.error,
  onRefused: console.error,
  onUnframed: console.error,
})
const server = await serveMllp({
  port: 0,
  host: '127.0.0.1',
  limitBytes: LIMIT_BYTES,
  maxPerAddress: 100,
  onFrame: receive,
})
const floor = await aFloor()

try {
  await sent({ port: server.port, connections: 1, messages: 50, bytes: 20_000 })
  const before = process.memoryUsage.rss()
  const ms = await sent({ port: server.port, ...LARGE })
  const peak = process.resourceUsage().maxRSS * 1024 - before
  console.log(`11 MB in one message: answered in ${ms.toFixed(0)} ms, ${(peak / 1e6).toFixed(0)} MB of memory at most`)
  for (const many of MANY) {
    const { messages, bytes, connections } = many
    const best = { floor: Number.POSITIVE_INFINITY, ours: Number.POSITIVE_INFINITY }
    /** Processor time of the receiver, which other processes do not change. */
    let ofProcessor = Number.POSITIVE_INFINITY
    for (let round = 0; round < 2; round += 1) {
      best.floor = Math.min(best.floor, await sent({ port: floor.port, ...many }))
      const begun = process.cpuUsage()
      best.ours = Math.min(best.ours, await sent({ port: server.port, ...many }))
      const { user, system } = process.cpuUsage(begun)
      ofProcessor = Math.min(ofProcessor, (user + system) / messages / 1000)
    }
    const rate = (took: number) => `${((messages / took) * 1000).toFixed(0).padStart(6)}/s`
    const ratio = (best.ours / best.floor).toFixed(2)
    console.log(
      `${bytes / 1000} kB over ${connections} connections: floor ${rate(best.floor)}, ours ${rate(best.ours)}   ${ratio}×, ` +
        `${ofProcessor.toFixed(2)} ms of processor time each`,
    )
  }
} finally {
  senders.kill()
  floor.close()
  await server.stop(100)
  await intake.close(true)
  rmSync(folder, { recursive: true, force: true })
}
