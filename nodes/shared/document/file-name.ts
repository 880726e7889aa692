/** File names for signed PDFs: readable, valid on every system, and different for different ids. */
import { createHash } from 'node:crypto'

/**
 * Fills `{taskId}` and `{externalDocId}` into the pattern. A character that cannot be in a name becomes `_` in the pattern,
 * which all names share, and its code, such as `%2F`, in an id, so that `a/b` and `a|b` stay different.
 */
export function fileName(pattern: string, values: Record<string, string | number>): string {
  const name = pattern.replace(/\{(\w+)\}|[^\p{L}\p{M}\p{N} ._()-]/gu, (found, key?: string) =>
    key !== undefined && Object.hasOwn(values, key)
      ? String(values[key]).replace(UNSAFE, escaped)
      : found.replace(UNSAFE, '_'),
  )
  return shortened(name.replace(HIDDEN, escaped).replace(DROPPED, escaped).replace(DEVICE, escaped)) || 'signed.pdf'
}

/** The name with a mark of the content, for a document whose name another document has. */
export const markedName = (name: string, sha256: string): string => withMark(name, sha256.slice(0, 12))

const UNSAFE = /[^\p{L}\p{M}\p{N} ._()-]/gu
/** A leading dot hides a file, or leads out of its folder. */
const HIDDEN = /^\./
/** Windows drops these from the end of a name. */
const DROPPED = /[. ]$/
/** The first letter of a name that Windows takes for a device, with any extension. */
const DEVICE = /^[capnl](?=(on|rn|ux|ul|om[0-9¹²³]|pt[0-9¹²³]) *(\.|$))/i

const escaped = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** File systems allow 255 bytes, and a mark of the content needs some of them. */
const MAX_BYTES = 200

/** Cuts a name that is too long, and ends it in a mark of the whole name. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name
  return withMark(name, createHash('sha256').update(name).digest('hex').slice(0, 16), MAX_BYTES)
}

/** `name~mark.pdf`. No other name holds a `~`, because ids and patterns lose theirs. */
function withMark(name: string, mark: string, maxBytes = Number.POSITIVE_INFINITY): string {
  const extension = /\.\w{1,8}$/.exec(name)?.[0] ?? ''
  const end = `~${mark}${extension}`
  let start = ''
  for (const character of name.slice(0, name.length - extension.length)) {
    if (Buffer.byteLength(start + character + end) > maxBytes) break
    start += character
  }
  return start + end
}
