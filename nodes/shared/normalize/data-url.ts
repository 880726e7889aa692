/** Takes the Base64 out of a data: URL of a PDF. Pure. Other text stays as it is. */

const PDF_URL = /^data:application\/pdf(?:;[^;,]{1,200}){0,4};base64,/i

/** Returns the Base64 of the URL; undefined for a data: URL that is not a PDF in Base64. */
export function base64Of(text: string): string | undefined {
  if (!/^data:/i.test(text)) return text
  const [head] = PDF_URL.exec(text) ?? []
  return head === undefined ? undefined : text.slice(head.length)
}
