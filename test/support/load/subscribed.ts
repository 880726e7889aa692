/** Two subscriptions of a sender, each with a receiver of its own: one stays as it is, the other is changed under load. */
import { type Acknowledged, nothingYet } from './acknowledged.ts'
import { aReceiver, type Receiver } from './receiver.ts'
import type { Sender } from './sender.ts'

export interface Subscribed {
  acknowledged: Acknowledged
  receivers: { steady: Receiver; moved: Receiver }
  /** The id of the subscription that is changed, and its receiver. */
  moved: { id: number; receiver: Receiver }
  stop(): Promise<void>
}

/** @param refuseOneIn of the events of the second one; a queue then waits for its receiver when it is changed */
export async function subscribed(sender: Sender, refuseOneIn: number): Promise<Subscribed> {
  const receivers = { steady: await aReceiver(), moved: await aReceiver(refuseOneIn) }
  await subscribe(sender, receivers.steady)
  const id = await subscribe(sender, receivers.moved)
  const acknowledged = nothingYet()
  acknowledged.urls.set(id, [urlOf(receivers.moved)])
  return {
    acknowledged,
    receivers,
    moved: { id, receiver: receivers.moved },
    async stop() {
      await Promise.all(Object.values(receivers).map((receiver) => receiver.stop()))
    },
  }
}

const urlOf = (receiver: Receiver): string => receiver.at('/callbacks')

async function subscribe(sender: Sender, receiver: Receiver): Promise<number> {
  const body = { url: urlOf(receiver) }
  const path = '/api/v1/signature/webhooks'
  const made = await sender.ask({ name: 'subscribe', method: 'POST', path, body, expected: 201 })
  const { id, secret } = made as { id: number; secret: string }
  receiver.secret = secret
  return id
}
