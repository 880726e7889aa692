/** Posts that this Node-RED sends to itself through its public URL, to find out whether callbacks arrive. */
import { randomUUID } from 'node:crypto'

/** The replies that are waited for, by what asks for each. No one else can know either. */
const expected = new Map<string, string>()

export interface RoundTrip {
  /** The body to post. */
  body: string
  /** The answer given when the post arrives here. */
  reply: string
  /** Forgets it. */
  end(): void
}

export function beginRoundTrip(): RoundTrip {
  const body = JSON.stringify({ countersignRoundTrip: randomUUID() })
  const reply = JSON.stringify({ arrived: randomUUID() })
  expected.set(body, reply)
  return { body, reply, end: () => void expected.delete(body) }
}

/** Returns the reply to a post of ours; undefined for any other. */
export const replyOf = (payload: Buffer): string | undefined =>
  expected.size > 0 ? expected.get(payload.toString()) : undefined
