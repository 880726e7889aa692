/** A listener of server-sent events, outside of a browser. */
import { eventually } from '../eventually.ts'
import { overhear } from '../overheard.ts'

export type ServerSent = Awaited<ReturnType<typeof listenTo>>

export async function listenTo(url: string, headers: Record<string, string>) {
  const gone = new AbortController()
  const { status, headers: answered, body } = await fetch(url, { headers, signal: gone.signal })
  let heard = ''
  let isOver = false
  const listening = (async () => {
    for await (const piece of body ?? []) heard += Buffer.from(piece as Uint8Array).toString()
  })()
    .catch(() => {})
    .finally(() => {
      isOver = true
    })
  const count = () => heard.split('event: changed\n').length - 1
  return {
    status,
    headers: answered,
    heard: () => heard,
    isOver: () => isOver,
    /** How often it was told that something changed. */
    count,
    /** Resolves when it was told so often. */
    told: (times: number) =>
      eventually(() => {
        if (count() < times) throw new Error(`Told ${count()} times, not ${times}.`)
      }),
    /** Resolves when the service has ended the stream. */
    ended: () => listening,
    async leave() {
      gone.abort()
      await listening
      overhear(heard)
    },
  }
}
