/** Senders in a process of their own, so that they take neither time nor memory from the receiver: each sends when it was answered. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { framed } from '../../lib/hl7/mllp/frames.ts'

export interface Sending {
  port: number
  connections: number
  messages: number
  bytes: number
}

let number = 0

/** A document in Base64 of about as many bytes, each time another message. */
function message(bytes: number): Uint8Array {
  const head = `MSH|^~\\&|BENCH|B|CS|CS|20260115||MDM^T02|B${process.pid}-${++number}|P|2.5.1\rOBX|1|ED|PDF||^^^Base64^`
  return framed(Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 'JVBERi0x'), Buffer.from('\r')]))
}

async function send({ port, connections, messages, bytes }: Sending): Promise<number> {
  const ready = Array.from({ length: messages }, () => message(bytes))
  const begun = performance.now()
  const sender = async () => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true)
    await once(socket, 'connect')
    for (let next = ready.pop(); next; next = ready.pop()) {
      socket.write(next)
      let answer = ''
      while (!answer.includes('\x1c\r')) answer += String(await once(socket, 'data'))
      if (!answer.includes('MSA|AA')) throw new Error(`The receiver answered ${answer}`)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, sender))
  return performance.now() - begun
}

process.on('message', async (sending: Sending) => process.send!({ ms: await send(sending) }))
