/** The text of a PDF as its reader sees it, pages divided by a form feed, items by a space. */
// The reader needs what the library prepares for it.
import '../../../lib/pdf/text/text.ts'

export async function textOf(base64: string): Promise<string> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const task = getDocument({ data: new Uint8Array(Buffer.from(base64, 'base64')), verbosity: 0, useSystemFonts: false })
  try {
    const pdf = await task.promise
    const pages: string[] = []
    for (let number = 1; number <= pdf.numPages; number++) {
      const { items } = await (await pdf.getPage(number)).getTextContent()
      pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '))
    }
    return pages.join('\f')
  } finally {
    await task.destroy()
  }
}
