/** The bytes that a Base64 text stands for; null when the text is anything else. Accepts one spelling for the same bytes. */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  // Decoding skips whatever it does not know; only the way back shows that nothing was skipped.
  return bytes.toString('base64') === text ? bytes : null
}
