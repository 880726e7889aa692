/** Parses a text as JSON, also after a byte order mark. Returns undefined when it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
