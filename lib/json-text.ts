/** Reads JSON that values of a patient are taken from, so that no reader of it can have taken other values. Pure. */

/** The value, or why the text is not used. */
export type StrictJson = { ok: true; value: unknown } | { ok: false; reason: string }

/**
 * Parses JSON, also after a byte order mark. Bytes that are not UTF-8 are refused, and so are objects with one name twice: a parser may
 * take the first of them, or the last.
 */
export function strictJson(given: string | Uint8Array): StrictJson {
  const text = typeof given === 'string' ? given.replace(/^\uFEFF/, '') : textIn(given)
  if (text === null) return { ok: false, reason: 'is not UTF-8' }
  try {
    const value: unknown = JSON.parse(text)
    return hasNameTwice(text) ? { ok: false, reason: 'has an object with one name twice' } : { ok: true, value }
  } catch {
    return { ok: false, reason: 'is not JSON' }
  }
}

function textIn(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

const NAMES_AND_BRACES = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}]/g

/** Whether an object of valid JSON has a name twice. There, only the names of an object have a colon after them. */
function hasNameTwice(text: string): boolean {
  const objects: Set<unknown>[] = []
  for (const [token, , colon] of text.matchAll(NAMES_AND_BRACES)) {
    if (token === '{') objects.push(new Set())
    else if (token === '}') objects.pop()
    else if (colon !== undefined) {
      const name: unknown = JSON.parse(token.slice(0, -colon.length))
      const names = objects.at(-1)
      if (names?.has(name)) return true
      names?.add(name)
    }
  }
  return false
}
