/** Writes CSV (RFC 4180) that a spreadsheet shows as it is. Pure. */

/** Returns the file with its head; each line ends with CR LF, and a byte order mark tells Excel that it is UTF-8. */
export const csvOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `\uFEFF${[head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`

const cell = (text: string): string => `"${harmless(text).replaceAll('"', '""')}"`

/** Spreadsheets run what begins like a formula; an apostrophe before it makes it text. OWASP: CSV Injection */
const harmless = (text: string): string =>
  /^[\s\p{C}]*[=+\-@＝＋－＠|%]/u.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text
