/** A callback of the foreign host: its own header names, milliseconds, and the text of the secret as the key. */
import { createHmac, randomUUID } from 'node:crypto'
import type { ForeignTask } from './records.ts'

export interface Subscriber {
  url: string
  description: unknown
  secret: string
}

/** Returns the status that the subscriber answered. */
export async function callBack({ url, secret }: Subscriber, { taskId, status, reason }: ForeignTask): Promise<number> {
  const eventId = randomUUID()
  const event = {
    eventId,
    eventType: 'document.status_changed',
    taskId,
    status,
    ...(reason !== null && { statusReason: reason }),
    occurredAtUtc: new Date().toISOString(),
    region: 'unknown to the interface',
  }
  const body = JSON.stringify(event)
  const timestamp = String(Date.now())
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'X-Acme-Signature': `sha256=${digest}`,
      'X-Acme-Timestamp': timestamp,
      'X-Acme-Event-Id': eventId,
      'X-Acme-Event-Type': event.eventType,
    },
  })
  return answer.status
}
