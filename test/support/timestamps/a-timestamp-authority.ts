/** A real timestamp authority: `openssl ts` behind HTTP, with an authority of its own that vouches for it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import { aFolder } from '../a-folder.ts'
import { listen, portOf } from '../network/listening.ts'
import type { TlsIdentity } from '../network/tls-identity.ts'
import { opensslIn } from '../seen/external-checks.ts'

/** What it does with a query: answers it, or another one instead, or nothing that helps. */
export type Conduct = 'good' | 'anotherNonce' | 'recorded' | 'refuses' | 'garbage' | 'forges' | 'tooMuch' | 'silent'

export interface TimestampAuthority {
  url: string
  /** PEM of the one that vouches for it. */
  ca: string
  conduct: Conduct
  /** Headers of what it was asked, in order. */
  asked: IncomingMessage['headers'][]
  /** Answers as the conduct has it; null when it stays silent. */
  answer(query: Uint8Array): Buffer | null
  /** Answers no more; connections are refused. */
  stop(): Promise<void>
  /** Comes back at its port after it was stopped. */
  start(): Promise<void>
}

/** Gives times by its own clock, over TLS with an identity. The folder is removed when the tests end. */
export async function aTimestampAuthority(tls?: TlsIdentity): Promise<TimestampAuthority> {
  const folder = aFolder()
  makeCertificates(folder)
  let recorded: Buffer | undefined
  const authority: TimestampAuthority = {
    url: '',
    ca: readFileSync(join(folder, 'ca.pem'), 'utf8'),
    conduct: 'good',
    asked: [],
    answer(query) {
      const { conduct } = authority
      if (conduct === 'silent') return null
      if (conduct === 'garbage') return Buffer.from('<html>Please sign in</html>')
      if (conduct === 'tooMuch') return Buffer.alloc(200_000)
      if (conduct === 'recorded' && recorded) return recorded
      const answer = reply(folder, conduct === 'good' || conduct === 'forges' ? query : another(folder, query, conduct))
      // Among the last bytes is the signature of the authority.
      if (conduct === 'forges') answer[answer.length - 3]! ^= 1
      else recorded ??= answer
      return answer
    },
    stop: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
    start: () => listen(server, port),
  }
  const answered = (request: IncomingMessage, response: ServerResponse) => void serve(authority, request, response)
  const server = tls ? createTlsServer(tls, answered) : createServer(answered)
  await listen(server)
  const port = portOf(server)
  authority.url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}/tsa`
  return authority
}

async function serve(authority: TimestampAuthority, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  authority.asked.push(request.headers)
  const answer = authority.answer(Buffer.concat(chunks))
  if (answer) response.writeHead(200, { 'Content-Type': 'application/timestamp-reply' }).end(answer)
}

function reply(folder: string, query: Uint8Array): Buffer {
  writeFileSync(join(folder, 'query.tsq'), query)
  const files = ['-queryfile', 'query.tsq', '-out', 'reply.tsr']
  opensslIn(folder, 'ts', '-reply', '-config', 'ts.conf', ...files)
  return readFileSync(join(folder, 'reply.tsr'))
}

/** Asks for the same with a nonce of its own, or by an algorithm that the authority refuses. */
function another(folder: string, query: Uint8Array, conduct: Conduct): Buffer {
  writeFileSync(join(folder, 'asked.tsq'), query)
  const text = opensslIn(folder, 'ts', '-query', '-in', 'asked.tsq', '-text')
  const dump = text.split('Message data:')[1]!.split('Policy')[0]!
  const digest = [...dump.matchAll(/- ((?:[0-9a-f]{2}[ -]){16})/g)]
    .map(([, bytes]) => bytes!.replace(/[ -]/g, ''))
    .join('')
  const asking = conduct === 'refuses' ? ['-sha1', '-digest', digest.slice(0, 40)] : ['-sha256', '-digest', digest]
  opensslIn(folder, 'ts', '-query', ...asking, '-cert', '-out', 'other.tsq')
  return readFileSync(join(folder, 'other.tsq'))
}

/** An authority, and below it the one that signs timestamps. */
function makeCertificates(folder: string): void {
  writeFileSync(join(folder, 'ts.conf'), CONFIGURATION)
  writeFileSync(join(folder, 'serial'), '01\n')
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const ca = ['-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Harbor Root', '-extensions', 'ca', '-days', '30']
  opensslIn(folder, 'req', '-x509', ...key, ...ca, '-config', 'ts.conf')
  const request = ['-keyout', 'tsa.key', '-out', 'tsa.csr', '-subj', '/CN=Harbor Time']
  opensslIn(folder, 'req', '-new', ...key, ...request, '-config', 'ts.conf')
  const issuing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '30']
  const extensions = ['-extfile', 'ts.conf', '-extensions', 'timestamps']
  opensslIn(folder, 'x509', '-req', '-in', 'tsa.csr', '-out', 'tsa.pem', ...issuing, ...extensions)
}

const CONFIGURATION = `
[req]
distinguished_name = name
prompt = no
[name]
CN = unused
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[timestamps]
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = authority
[authority]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
certs = ca.pem
default_policy = 1.2.3.4.1
signer_digest = sha256
digests = sha256
ess_cert_id_chain = no
`
