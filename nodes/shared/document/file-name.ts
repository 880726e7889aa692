/** Names of files for signed PDFs: readable, good on every system, and different where the ids in them differ. */
import { createHash } from 'node:crypto'

/**
 * `{taskId}` and `{externalDocId}` in the pattern are filled. What is no good in a name becomes `_` in the pattern, which is
 * the same for all, and `%2F` in an id, so that `a/b` and `a|b` do not meet.
 */
export function fileName(pattern: string, values: Record<string, string | number>): string {
  const name = pattern.replace(/\{(\w+)\}|[^\p{L}\p{M}\p{N} ._()-]/gu, (found, key?: string) =>
    key !== undefined && Object.hasOwn(values, key)
      ? String(values[key]).replace(UNSAFE, escaped)
      : found.replace(UNSAFE, '_'),
  )
  return shortened(name.replace(HIDDEN, escaped).replace(DROPPED, escaped).replace(DEVICE, escaped)) || 'signed.pdf'
}

/** The same name with a mark of the content: for a document whose name another one has. */
export const markedName = (name: string, sha256: string): string => withMark(name, sha256.slice(0, 12))

const UNSAFE = /[^\p{L}\p{M}\p{N} ._()-]/gu
/** A dot in front hides a file, or leads out of its folder. */
const HIDDEN = /^\./
/** Windows leaves these out at the end. */
const DROPPED = /[. ]$/
/** The first letter of what Windows takes for a device, whatever stands behind the dot. */
const DEVICE = /^[capnl](?=(on|rn|ux|ul|om[0-9¹²³]|pt[0-9¹²³]) *(\.|$))/i

const escaped = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** File systems allow 255 bytes; a mark of the content and a temporary name need some. */
const MAX_BYTES = 200

/** A name that is too long ends in a mark of all of it. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name
  return withMark(name, createHash('sha256').update(name).digest('hex').slice(0, 16), MAX_BYTES)
}

/** `name~mark.pdf`. No id can bring the `~` along. */
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
