/** Notices that no one has touched the page for a while. */

/** A touch in another window may have kept the session in use, so the call is repeated for as long as no one touches this one. */
const REPEAT_MS = 60 * 1000

const touches = ['pointerdown', 'keydown', 'scroll'] as const

/** Calls after the given time without a touch, and again each minute until there is one. Returns a function that ends this. */
export function whenIdle(ms: number, onIdle: () => void): () => void {
  const idle = () => {
    timer = setTimeout(idle, REPEAT_MS)
    onIdle()
  }
  let timer = setTimeout(idle, ms)
  const touch = () => {
    clearTimeout(timer)
    timer = setTimeout(idle, ms)
  }
  for (const event of touches) addEventListener(event, touch, { passive: true, capture: true })
  return () => {
    clearTimeout(timer)
    for (const event of touches) removeEventListener(event, touch, { capture: true })
  }
}
