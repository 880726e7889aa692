/** Who stands at the other end of the MLLP nodes: a sender that reads whole answers, and a receiver that answers as it is told. */
import { readAnswer } from '../../../lib/hl7/acknowledgement.ts'
import { createMllpSender, type MllpSenderOptions } from '../../../lib/hl7/mllp/send.ts'
import { serveMllp } from '../../../lib/hl7/mllp/serve.ts'
import { parseMessage } from '../../../lib/hl7/parse-message.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'

const HOST = '127.0.0.1'

/** A message of a type that makes no task, with more fields of its header from MSH-11 on. */
export const aMessage = (id: string, fromMsh11 = 'P|2.5.1'): Buffer =>
  Buffer.from(`MSH|^~\\&|WILLOW|CREEK|CS|CS|20260115||ADT^A08|${id}|${fromMsh11}\rPID|1||WC100001||Whitfield^Alma\r`)

export const idOf = (message: Uint8Array): string => valueAt(parseMessage(message), 'MSH-10')

/** Sends messages, each until it is answered; `unasked` are the frames that came beside the answers. */
export function aSender(port: number, options: Partial<MllpSenderOptions> = {}) {
  const unasked: string[] = []
  const onUnasked = (frame: Uint8Array) => void unasked.push(valueAt(parseMessage(frame), 'MSA-1'))
  const sender = createMllpSender({ host: HOST, port, onUnasked, ...options })
  return {
    unasked,
    /** Resolves with the code of the answer, and why. */
    async send(message: Uint8Array): Promise<{ code: string; error: string; reason: string; controlId: string }> {
      const answer = parseMessage(await sender.send(message, (frame) => readAnswer(parseMessage(frame)) !== null))
      const of = (place: string) => valueAt(answer, place)
      return { code: of('MSA-1'), error: of('ERR-3'), reason: of('ERR-8'), controlId: of('MSA-2') }
    },
    close: () => sender.close(),
  }
}

/**
 * Answers with the codes that it is given, the last of them again and again; null for no answer at all.
 * @param noted what is kept of each message; its control id when left out
 */
export async function aReceiver(
  port: number,
  codes: readonly (string | null)[],
  noted: (message: Uint8Array) => string = idOf,
) {
  const received: string[] = []
  const left = [...codes]
  const server = await serveMllp({
    port,
    host: HOST,
    onFrame: async (frame) => {
      if (frame.kind !== 'message') return []
      const id = idOf(frame.bytes)
      received.push(noted(frame.bytes))
      const code = left.length > 1 ? left.shift() : left[0]
      if (code === null) return []
      return [
        Buffer.from(
          `MSH|^~\\&|||||20260115||ACK|A${received.length}|P|2.5.1\rMSA|${code?.replace('*', '')}|${code?.endsWith('*') ? 'X' : id}\r`,
        ),
      ]
    },
  })
  return { received, port: server.port, stop: () => server.stop(100) }
}
