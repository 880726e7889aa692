/** Writes to those who listen to server-sent events, and keeps nothing for one who does not read. */
import type { Writable } from 'node:stream'
import { MAX_UNREAD_STREAM_BYTES } from '../choices.ts'

const doesNotRead = (to: Writable) => to.writableLength > MAX_UNREAD_STREAM_BYTES

/** Closes the connection of a listener who has not read what came before. */
export function tell(to: Writable, text: string): void {
  if (doesNotRead(to)) to.destroy()
  else to.write(text)
}

/** Ends a stream, at once where no one reads to its end. */
export function dismiss(to: Writable): void {
  if (doesNotRead(to)) to.destroy()
  else to.end()
}
