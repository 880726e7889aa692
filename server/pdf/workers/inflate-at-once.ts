/**
 * Expands what the reader of the pages gives to a DecompressionStream, in its own thread and in one step. The one of the platform
 * sends each part through queues and another thread, which takes longer than expanding a font or the content of a page. A thread
 * puts this in its place, and can do so only where nothing else needs streams that are longer or in other formats.
 */
import { inflateSync } from 'node:zlib'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'

export class InflateAtOnce extends TransformStream<Uint8Array, Uint8Array> {
  /** Throws for formats that the reader then expands by itself. */
  constructor(format: string) {
    if (format !== 'deflate') throw new TypeError(`${format} is not expanded here`)
    const parts: Uint8Array[] = []
    super({
      transform: (part) => void parts.push(part),
      // Damaged data, or data that expands to more than this, fails here; the reader then goes through it step by step.
      flush: (output) =>
        output.enqueue(inflateSync(Buffer.concat(parts), { maxOutputLength: defaultLimits.maxStreamBytes })),
    })
  }
}
