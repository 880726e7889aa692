/** A bucket of a server that speaks as Amazon S3 does, addressed by path. Follows no redirect, tries nothing twice, and logs nothing. */
import { createHash } from 'node:crypto'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { rootCertificates } from 'node:tls'
import aws4 from 'aws4'
import { BUCKET_LIMITS_MS } from '../../choices.ts'
import type { BucketPlace } from '../../domain/bucket-place.ts'
import { bareHost } from '../../domain/delivery/target.ts'
import { proxyFor } from '../../domain/proxy-place.ts'
import { tunnelAgent } from '../../tunnel.ts'
import { Passing } from '../sql/faults.ts'
import type { Bucket } from './bucket.ts'

interface Answer {
  status: number
  body: Buffer
}

/** Error bodies of servers are a few lines. */
const MAX_ERROR_BYTES = 16 * 1024
const CONNECTIONS = 16

export function s3Bucket({ endpoint, bucket, prefix, region, keyId, secret, ca, proxy }: BucketPlace): Bucket {
  const url = new URL(endpoint)
  const { protocol, hostname, port, host } = url
  const { request: dial, Agent } = protocol === 'https:' ? https : http
  const options = { keepAlive: true, maxSockets: CONNECTIONS, ...(ca && { ca: [...rootCertificates, ca] }) }
  const way = proxyFor(bareHost(url), proxy)
  const agent = way ? tunnelAgent(protocol, way, options) : new Agent(options)

  function ask(method: string, name: string, maxBytes: number, content?: Uint8Array): Promise<Answer> {
    const { path, headers } = aws4.sign(
      {
        service: 's3',
        region,
        method,
        path: `/${bucket}/${prefix}${name}`,
        headers: {
          Host: host,
          'X-Amz-Content-Sha256': createHash('sha256')
            .update(content ?? '')
            .digest('hex'),
          ...(content && { 'Content-Type': 'application/octet-stream', 'Content-Length': content.length }),
        },
      },
      { accessKeyId: keyId, secretAccessKey: secret },
    )
    const signal = AbortSignal.timeout(BUCKET_LIMITS_MS.total)
    return new Promise((resolve, reject) => {
      const failed = (failure: NodeJS.ErrnoException) =>
        reject(new Passing(signal.aborted ? 'ETIMEDOUT' : (failure.code ?? failure.name), failure))
      const bare = hostname.replace(/^\[|\]$/g, '')
      const request = dial({
        method,
        path,
        headers,
        hostname: bare,
        port,
        agent,
        signal,
        timeout: BUCKET_LIMITS_MS.idle,
      })
      request.once('timeout', () => request.destroy(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })))
      request.once('error', failed)
      request.once('response', (answer) => {
        readAnswer(answer, maxBytes).then((body) => resolve({ status: answer.statusCode ?? 0, body }), failed)
      })
      request.end(content)
    })
  }

  return {
    async put(name, bytes) {
      const answer = await ask('PUT', name, MAX_ERROR_BYTES, bytes)
      if (answer.status !== 200) throw refusalOf(answer)
    },
    async get(name, bytes) {
      const answer = await ask('GET', name, bytes + MAX_ERROR_BYTES)
      if (answer.status === 200) return answer.body
      if (answer.status === 404 && codeOf(answer) === 'NoSuchKey') return null
      throw refusalOf(answer)
    },
    async has(name) {
      const answer = await ask('HEAD', name, MAX_ERROR_BYTES)
      if (answer.status === 200 || answer.status === 404) return answer.status === 200
      throw refusalOf(answer)
    },
    async remove(name) {
      const answer = await ask('DELETE', name, MAX_ERROR_BYTES)
      if (![200, 204].includes(answer.status) && codeOf(answer) !== 'NoSuchKey') throw refusalOf(answer)
    },
    close: () => agent.destroy(),
  }
}

/** Whatever it is that the server does not do now: someone sets it right, and nothing was changed here. */
const refusalOf = (answer: Answer): Passing => new Passing(codeOf(answer) ?? `HTTP ${answer.status}`, undefined)

const codeOf = ({ body }: Answer): string | null =>
  /<Code>(\w{1,60})<\/Code>/.exec(body.subarray(0, MAX_ERROR_BYTES).toString('latin1'))?.[1] ?? null

/** Rejects when the connection ends early, or the answer is longer than expected. */
async function readAnswer(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw Object.assign(new Error('too long'), { code: 'TooLong' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
