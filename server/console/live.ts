/** Tells open pages that something changed, and nothing else: what it was, each page asks for with its own session. */
import type { Response } from 'express'

export interface Live {
  /** Keeps the answer open and writes a line at each change. */
  follow(res: Response): void
  changed(): void
  /** Ends all open answers, so that the service can stop. */
  close(): void
}

/** Changes come in bursts; a page need not ask after each. */
const GATHER_MS = 250
/** Proxies end what is silent. */
const BREATH_MS = 25_000

export function createLive(): Live {
  const followers = new Set<Response>()
  let gathering: NodeJS.Timeout | null = null
  const tell = (text: string) => {
    for (const follower of followers) follower.write(text)
  }
  const breath = setInterval(() => tell(':\n\n'), BREATH_MS)
  breath.unref()

  return {
    follow(res) {
      res.setHeader('Content-Type', 'text/event-stream')
      res.flushHeaders()
      res.write('retry: 5000\n\n')
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
      clearInterval(breath)
      if (gathering) clearTimeout(gathering)
      for (const follower of followers) follower.end()
    },
  }
}
