/** Receivers of MLLP that answer as real ones do: twice, late, of an earlier message, in the enhanced mode, without a control id. */
import { createServer, type Socket } from 'node:net'
import { idOf } from './mllp-peers.ts'

export type OddReceiver = (ids: readonly string[]) => { now: readonly string[]; later?: readonly string[] }

const HOST = '127.0.0.1'

/** An answer as `AA M1`; without a control id as `AA`. */
export const ODD = {
  twice: (ids) => ({ now: [`AA ${ids.at(-1)}`, `AA ${ids.at(-1)}`] }),
  'again later': (ids) => ({ now: [`AA ${ids.at(-1)}`], later: [`AA ${ids.at(-1)}`] }),
  'to all messages before, first': (ids) => ({ now: ids.map((id) => `AA ${id}`) }),
  'as many times as there were messages': (ids) => ({ now: ids.map(() => `AA ${ids.at(-1)}`) }),
  'out of order': (ids) => ({ now: [`AA ${ids.at(-2) ?? 'OLD'}`, `AE ${ids.at(-2) ?? 'OLD'}`, `AA ${ids.at(-1)}`] }),
  'in the enhanced mode': (ids) => ({ now: [`CA ${ids.at(-1)}`], later: [`AA ${ids.at(-1)}`] }),
  'in the enhanced mode, at once': (ids) => ({ now: [`CA ${ids.at(-1)}`, `AA ${ids.at(-1)}`] }),
  'without a control id': () => ({ now: ['AA'] }),
  'without a control id, twice': () => ({ now: ['AA'], later: ['AA'] }),
} as const satisfies Record<string, OddReceiver>

/** @param port 0 for a free one */
export async function anOddReceiver(port: number, answers: OddReceiver) {
  const received: string[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    let bytes = Buffer.alloc(0)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      for (let end = bytes.indexOf('\x1c\r'); end >= 0; end = bytes.indexOf('\x1c\r')) {
        received.push(idOf(bytes.subarray(1, end)))
        bytes = bytes.subarray(end + 2)
        const { now, later = [] } = answers(received)
        socket.write(now.map(framedAnswer).join(''))
        // After the next message may have come.
        if (later.length > 0) setTimeout(() => socket.writable && socket.write(later.map(framedAnswer).join('')), 20)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(port, HOST, resolve))
  return {
    received,
    port: (server.address() as { port: number }).port,
    /** Sends an answer over each connection. */
    say(answer: string) {
      for (const socket of open) socket.write(framedAnswer(answer))
    },
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function framedAnswer(answer: string): string {
  const [code, id = ''] = answer.split(' ')
  return `\x0bMSH|^~\\&|R|R|S|S|20260101||ACK|A|P|2.5.1\rMSA|${code}|${id}\r\x1c\r`
}
