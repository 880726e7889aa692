/** Keeps what the inbox shows up to date: the service tells of changes, and while it does not, the page asks from time to time. */
import { type EventStream, openEventStream } from '../shared/live/event-stream.ts'

/** How often the page asks while nothing tells it of changes. */
const ASK_EVERY_MS = 15_000
/** How often a signer who reads and scrolls, and so calls nothing, is told to the service, which ends sessions that are not in use. */
const TELL_USE_EVERY_MS = 5 * 60 * 1000

const touches = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const

/**
 * Calls `load` when something may have changed, as long as the page is in sight. `isUse` says whether someone has touched the page
 * since the last time: a page that no one uses must not keep its session open. Returns a function that ends this.
 */
export function keepUpToDate(load: (isUse: boolean) => Promise<void>): () => void {
  let stream: EventStream | null = null
  let isTouched = false
  let usedAt = Date.now()
  const touch = () => {
    isTouched = true
  }
  const ask = () => {
    if (isTouched) usedAt = Date.now()
    void load(isTouched)
    isTouched = false
  }
  // Out of sight there is none: a browser keeps few connections to a host, for all of its windows.
  const follow = () => {
    const isInSight = document.visibilityState === 'visible'
    if (isInSight) stream ??= openEventStream('/inbox/api/changes', { changed: ask })
    else close()
  }
  const close = () => {
    stream?.close()
    stream = null
  }
  const comeIntoSight = () => {
    follow()
    if (stream) ask()
  }
  const timer = setInterval(() => {
    if (!stream) return
    const isUseToTell = isTouched && Date.now() - usedAt >= TELL_USE_EVERY_MS
    if (isUseToTell || !stream.isOpen()) ask()
  }, ASK_EVERY_MS)
  follow()
  for (const event of touches) addEventListener(event, touch, { passive: true, capture: true })
  document.addEventListener('visibilitychange', comeIntoSight)
  return () => {
    clearInterval(timer)
    close()
    for (const event of touches) removeEventListener(event, touch, { capture: true })
    document.removeEventListener('visibilitychange', comeIntoSight)
  }
}
