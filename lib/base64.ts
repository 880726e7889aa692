/** Returns the bytes that a Base64 text represents; null unless encoding them again gives the same text. */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  // Decoding skips characters that it does not know; only encoding again shows that none was skipped.
  return bytes.toString('base64') === text ? bytes : null
}
