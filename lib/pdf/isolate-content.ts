/**
 * Lets something be drawn onto a page without being moved, clipped or coloured by what the page's own content leaves behind:
 * the content is closed where it forgot to, and its list of streams belongs to this page alone. Draws nothing.
 */
import { decodePDFRawStream, PDFArray, PDFName, type PDFObject, type PDFPage, PDFRawStream } from 'pdf-lib'
import { type Balance, contentBalance } from './content-balance.ts'

/** To be called before anything is drawn onto the page with the structure library, which then adds its own pair around it. */
export function isolateContent({ node, doc: { context } }: PDFPage): void {
  const streams = contentStreams(node.get(PDFName.of('Contents')), (item) => context.lookup(item))
  if (streams.length === 0) return
  const { unopened, unclosed } = balanceOf(streams.map((item) => context.lookup(item)))
  const operators = (text: string, count: number) =>
    count === 0 ? [] : [context.register(context.stream(`${text}\n`.repeat(count)))]
  // Pages may share one list; what is added for one of them must not show on the others.
  const own = PDFArray.withContext(context)
  for (const item of [...operators('q', unopened), ...streams, ...operators('Q', unclosed)]) own.push(item)
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
function balanceOf(streams: readonly (PDFObject | undefined)[]): Balance {
  try {
    const parts = streams.flatMap((stream) =>
      stream instanceof PDFRawStream ? [decodePDFRawStream(stream).decode(), Buffer.from('\n')] : [],
    )
    return contentBalance(Buffer.concat(parts))
  } catch {
    return { unopened: 0, unclosed: 0 }
  }
}
