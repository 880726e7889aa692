/**
 * Long texts of a JSON body stay the bytes that they came as: a document of megabytes is not made into a string, and is decoded by
 * a worker thread. Pure.
 */

/** Bytes of a text as it was sent, from which on it is long. */
export const LONG_TEXT_BYTES = 64 * 1024

/** The name that represents a long text in the parsed body, and what is between the quotes of that text. */
export type LongTexts = ReadonlyMap<string, Uint8Array>

/** A quoted text, from its first quote to its last. */
export interface Quoted {
  start: number
  end: number
}

/** Returns the JSON with a name in place of each text that is long. Whether such a text is well-formed is for its reader to say. */
export function withoutLongTexts(json: Buffer, long: readonly Quoted[]): { json: Buffer; texts: LongTexts } {
  if (long.length === 0) return { json, texts: new Map() }
  const texts = new Map<string, Uint8Array>()
  const parts: Uint8Array[] = []
  let rest = 0
  for (const { start, end } of long) {
    const name = nameOf(texts.size)
    texts.set(name, json.subarray(start + 1, end))
    parts.push(json.subarray(rest, start + 1), Buffer.from(name))
    rest = end
  }
  return { json: Buffer.concat([...parts, json.subarray(rest)]), texts }
}

/** No text that was sent can be taken for a name, because it would be long itself; nor is a name within the limit of any text. */
const nameOf = (index: number): string => String(index).padEnd(LONG_TEXT_BYTES)
