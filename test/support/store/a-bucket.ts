/** An S3 server on this machine, with one bucket, which a test can stop and start again. */
import { existsSync, globSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { BucketPlace } from '../../../server/domain/bucket-place.ts'
import { aFolder } from '../a-folder.ts'
import { freePort } from '../network/free-port.ts'
import type { TlsIdentity } from '../network/tls-identity.ts'

interface Server {
  run(): Promise<unknown>
  close(): Promise<void>
}

interface ServerOptions extends Partial<TlsIdentity> {
  address: string
  port: number
  directory: string
  silent: boolean
  vhostBuckets: boolean
  configureBuckets: { name: string; configs: string[] }[]
}

/** It comes without types. */
const require = createRequire(import.meta.url)
const S3rver = require('@20minutes/s3rver') as new (options: ServerOptions) => Server
const { DUMMY_ACCOUNT } = require('@20minutes/s3rver/lib/models/account') as {
  DUMMY_ACCOUNT: { createKeyPair(id: string, secret: string): void }
}

const BUCKET = 'documents'
const [KEY_ID, SECRET] = ['TEST-KEY', 'the-secret-of-the-test-key']
DUMMY_ACCOUNT.createKeyPair(KEY_ID, SECRET)

export interface TestBucket {
  /** What the server keeps, below the folder for temporary files; removed when the tests end. */
  directory: string
  place: BucketPlace
  /** The settings of a service that keeps its documents there. */
  settings: { documents: string; documentsEndpoint: string; documentsKeyId: string; documentsSecret: string }
  /** The names of what it holds. */
  names(): string[]
  bytesOf(name: string): Buffer
  remove(name: string): void
  /** Cuts off the end of an object. */
  cut(name: string): void
  /** Puts the bytes of one object in the place of another, beside the server. */
  swap(name: string, other: string): void
  stop(): Promise<void>
  start(): Promise<void>
}

export async function aBucket(tls: Partial<TlsIdentity> = {}): Promise<TestBucket> {
  const [directory, port] = [aFolder(), await freePort()]
  const options = { ...tls, address: '127.0.0.1', port, directory, silent: true, vhostBuckets: false }
  const folder = join(directory, BUCKET, 'clinic')
  let server: Server | null = null
  const fileOf = (name: string) => join(folder, `${name}._S3rver_object`)
  const start = async () => {
    const configureBuckets = existsSync(join(directory, BUCKET)) ? [] : [{ name: BUCKET, configs: [] }]
    server = new S3rver({ ...options, configureBuckets })
    await server.run()
  }
  await start()
  const endpoint = `${tls.key ? 'https' : 'http'}://127.0.0.1:${port}`
  return {
    directory,
    place: { endpoint, bucket: BUCKET, prefix: 'clinic/', region: 'us-east-1', keyId: KEY_ID, secret: SECRET },
    settings: {
      documents: `s3://${BUCKET}/clinic`,
      documentsEndpoint: endpoint,
      documentsKeyId: KEY_ID,
      documentsSecret: SECRET,
    },
    names: () => globSync('*._S3rver_object', { cwd: folder }).map((file) => file.replace('._S3rver_object', '')),
    bytesOf: (name) => readFileSync(fileOf(name)),
    remove: (name) => rmSync(fileOf(name)),
    cut: (name) => truncateSync(fileOf(name), readFileSync(fileOf(name)).length - 1),
    swap(name, other) {
      const [one, two] = [readFileSync(fileOf(name)), readFileSync(fileOf(other))]
      writeFileSync(fileOf(name), two)
      writeFileSync(fileOf(other), one)
    },
    async stop() {
      await server?.close()
      server = null
    },
    start,
  }
}
