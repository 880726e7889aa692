/**
 * Reads a compressed body. A small one can unfold into anything, so what it unfolds into takes room as it comes, and nothing
 * is unfolded beyond the limit. choice: Compressed bodies
 */
import { finished } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Request, RequestHandler, Response } from 'express'
import { Refusal } from '../../domain/refusal.ts'

const decoders: Readonly<Record<string, typeof createGunzip | typeof createBrotliDecompress>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Each chunk is an event of its own, so they are larger than they are by default. */
const CHUNK_BYTES = 64 * 1024

export function compressedBody(limit: number): RequestHandler {
  return async (req, res, next) => {
    req.body = await unfolded(req, res, limit)
    next()
  }
}

export const isCompressed = (req: Request): boolean => encodingOf(req) !== 'identity'

const encodingOf = ({ headers }: Request): string => (headers['content-encoding'] ?? 'identity').trim().toLowerCase()

async function unfolded(req: Request, res: Response, limit: number): Promise<Buffer> {
  const create = Object.hasOwn(decoders, encodingOf(req)) ? decoders[encodingOf(req)] : undefined
  if (!create)
    throw new Refusal(
      'wrongMediaType',
      `content-encoding: one of ${Object.keys(decoders).join(', ')}, or an uncompressed body`,
    )
  const decoder = create({ chunkSize: CHUNK_BYTES })
  finished(req, (broken) => broken && decoder.destroy(broken))
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of req.pipe(decoder) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > limit) throw new Refusal('tooLarge', 'body: too large')
      res.locals.bodyGrew?.(bytes)
      chunks.push(chunk)
    }
  } catch (failure) {
    throw failure instanceof Refusal ? failure : new Refusal('invalid', whyBroken(req))
  } finally {
    // The connection is kept for the answer: what is left of the body is read and dropped.
    req.unpipe(decoder)
    req.resume()
    decoder.destroy()
  }
  return Buffer.concat(chunks, bytes)
}

const whyBroken = ({ destroyed, complete }: Request): string =>
  destroyed && !complete
    ? 'body: the connection ended before the body did'
    : 'body: damaged, or not compressed as Content-Encoding says'
