/** Reads JSON that values of a patient are taken from, so that no reader of it can have taken other values. Pure. */

/** The value, or why the text is not used. */
export type StrictJson = { ok: true; value: unknown } | { ok: false; reason: string }

type Reviver = (name: string, value: unknown, written?: { source?: string }) => unknown

/**
 * Parses JSON, also after a byte order mark. Bytes that are not UTF-8 are refused, and so are objects with one name twice: a parser may
 * take the first of them, or the last.
 * @param reviver that of `JSON.parse`, which is also given how a number is written
 */
export function strictJson(given: string | Uint8Array, reviver?: Reviver): StrictJson {
  const text = typeof given === 'string' ? given.replace(/^\uFEFF/, '') : textIn(given)
  if (text === null) return { ok: false, reason: 'is not UTF-8' }
  try {
    const value: unknown = JSON.parse(text, reviver)
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

/** Whether an object of valid JSON has a name twice. There, only the names of an object have a colon after them. */
function hasNameTwice(text: string): boolean {
  const objects: Set<unknown>[] = []
  const tokens = /["{}]/g
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    if (token[0] === '{') objects.push(new Set())
    else if (token[0] === '}') objects.pop()
    else {
      const end = endOfText(text, token.index)
      const colon = /\s*(:?)/y
      colon.lastIndex = end
      tokens.lastIndex = end
      if (colon.exec(text)?.[1] !== ':') continue
      const name: unknown = JSON.parse(text.slice(token.index, end))
      const names = objects.at(-1)
      if (names?.has(name)) return true
      names?.add(name)
    }
  }
  return false
}

/** Returns the place after a text in quotation marks, however long it is: a regular expression would run out of memory for a document. */
function endOfText(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return end + 1
  }
  return text.length
}
