/**
 * Lets something be drawn onto a page without being moved, clipped or coloured by what the page's own content leaves behind:
 * the content is closed where it forgot to, and its list of streams belongs to this page alone. Draws nothing.
 */
import { decodePDFRawStream, PDFArray, PDFName, type PDFObject, type PDFPage, PDFRawStream } from 'pdf-lib'
import { type Unclosed, unclosedIn } from './unclosed.ts'

/** To be called before anything is drawn onto the page with the structure library, which then adds its own pair around it. */
export function isolateContent({ node, doc: { context } }: PDFPage): void {
  const streams = contentStreams(node.get(PDFName.of('Contents')), (item) => context.lookup(item))
  if (streams.length === 0) return
  const { saves, marks } = unclosed(streams.map((item) => context.lookup(item)))
  // In the order in which the reader of the pages closes them, so that it lists the same operators as before.
  const closing = 'EMC\n'.repeat(marks) + 'Q\n'.repeat(saves)
  const closed = closing === '' ? [] : [context.register(context.stream(closing))]
  // Pages may share one list; what is added for one of them must not show on the others.
  const own = PDFArray.withContext(context)
  for (const item of [...streams, ...closed]) own.push(item)
  node.set(PDFName.of('Contents'), own)
}

function contentStreams(
  contents: PDFObject | undefined,
  lookup: (item: PDFObject) => PDFObject | undefined,
): PDFObject[] {
  const found = contents && lookup(contents)
  if (found instanceof PDFArray) return found.asArray()
  return contents && found ? [contents] : []
}

/** Content that cannot be decoded draws nothing, and leaves nothing behind. */
function unclosed(streams: readonly (PDFObject | undefined)[]): Unclosed {
  try {
    const parts = streams.flatMap((stream) =>
      stream instanceof PDFRawStream ? [decodePDFRawStream(stream).decode(), Buffer.from('\n')] : [],
    )
    return unclosedIn(Buffer.concat(parts))
  } catch {
    return { saves: 0, marks: 0 }
  }
}
