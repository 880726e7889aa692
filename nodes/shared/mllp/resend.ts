/** Resends a held message into the flow, once nothing keeps a flow from using it. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { takeApart } from '../../../lib/hl7/batch.ts'
import type { SetAside } from '../held/set-aside.ts'
import type { Intake } from '../intake/intake.ts'
import { LARGE } from '../intake/queue-file.ts'
import { taken } from '../intake/taken.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import { type Judging, judge } from './judged.ts'
import { propertiesOf } from './receive.ts'

export interface ResendOptions extends Judging {
  intake: Pick<Intake, 'accept'>
  aside: Pick<SetAside, 'holdFor'>
  /** Sends a message into the flow. */
  emit: (message: Message) => void
  /** Called when a message could not be resent, such as one of a batch without room; it then stays with the held ones. */
  onError: (failure: unknown) => void
}

/**
 * Returns what resends a message. What is still wrong with it holds it again, with the reasons as they are now: neither a resend that
 * corrects nothing, nor a mistake in a correction, brings into the flow what the node would not have let in.
 */
export function createResend({ intake, aside, emit, onError, ...judging }: ResendOptions): (message: Message) => void {
  async function acceptAll(messages: readonly Uint8Array[]): Promise<void> {
    for (const one of messages) {
      const { message, refusal } = judge(one, judging)
      const properties = propertiesOf(one, message)
      const put = await intake.accept(refusal ? { ...properties, held: [refusal.reason] } : properties, one)
      if (put === 'full')
        throw new NodeError('INTAKE_FULL', 'There is no room for the messages of a batch. Resend it later.')
    }
  }

  async function resendBytes(bytes: Buffer, resent: Message): Promise<void> {
    // Taking a message of 32 MB apart and judging it take up to 0.1 s each.
    const turn = async () => {
      if (bytes.length >= LARGE) await nextTurn()
    }
    await turn()
    const batch = takeApart(bytes)
    await turn()
    if (batch === null) {
      const { message, refusal } = judge(bytes, judging)
      if (refusal) aside.holdFor(resent, [refusal.reason])
      else emit({ ...resent, ...propertiesOf(bytes, message) })
    } else if (batch.findings.length > 0) aside.holdFor(resent, batch.findings)
    else {
      await acceptAll(batch.groups.flatMap(({ messages }) => messages))
      taken(resent)
    }
  }

  return (resent) => {
    // A message that this node has adopted may be of another kind.
    if (Buffer.isBuffer(resent.payload)) resendBytes(resent.payload, resent).catch(onError)
    else emit(resent)
  }
}
