/** Reads requests and writes answers, for the recorder and for what answers in its place. */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** More than any known host takes as one body. */
const LARGEST_BODY = 384 * 1024 * 1024

/** Returns the whole body; null when it is too large. Rejects when the caller goes away. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  // The caller must still be able to read the refusal.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST_BODY) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  if (body === undefined) response.writeHead(status, headers).end()
  else
    response
      .writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(body))
}

/** In the shape that all errors have. spec: Errors */
export const answerErrors = (response: ServerResponse, status: number, errors: readonly string[]): void =>
  answerJson(response, status, { errors })
