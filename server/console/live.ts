/**
 * Tells open pages that something changed, and how the workers are, and nothing else: what changed, each page asks for with
 * its own session.
 */
import type { Response } from 'express'
import { statesOf, type Workers } from './health.ts'

export interface Live {
  /** Keeps the answer open and writes a line at each change. */
  follow(res: Response): void
  changed(): void
  /** Ends all open answers, so that the service can stop. */
  close(): void
}

/** Changes come in bursts; a page need not ask after each. */
const GATHER_MS = 250
/** Often enough for a person who watches, and for proxies, which end what is silent. */
const HEALTH_EVERY_MS = 5_000

export function createLive(workers: Workers): Live {
  const followers = new Set<Response>()
  let gathering: NodeJS.Timeout | null = null
  const tell = (text: string) => {
    for (const follower of followers) follower.write(text)
  }
  const health = () => `event: workers\ndata: ${JSON.stringify(statesOf(workers))}\n\n`
  const telling = setInterval(() => tell(health()), HEALTH_EVERY_MS)
  telling.unref()

  return {
    follow(res) {
      res.setHeader('Content-Type', 'text/event-stream')
      res.flushHeaders()
      res.write(`retry: 5000\n\n${health()}`)
      followers.add(res)
      res.once('close', () => followers.delete(res))
    },
    changed() {
      gathering ??= setTimeout(() => {
        gathering = null
        tell('event: changed\ndata:\n\n')
      }, GATHER_MS)
    },
    close() {
      clearInterval(telling)
      if (gathering) clearTimeout(gathering)
      for (const follower of followers) follower.end()
    },
  }
}
