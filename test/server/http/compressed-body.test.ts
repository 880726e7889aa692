/** Compressed JSON: read as what it unfolds into, within the limit and the room of that. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { MAX_SMALL_BODY_BYTES } from '../../../server/choices.ts'
import { createBodyLimit } from '../../../server/http/bodies/body-rooms.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { anUpload } from '../../support/service/an-upload.ts'

const TASKS = '/api/v1/signature/tasks'
const WEBHOOKS = '/api/v1/signature/webhooks'
const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
const DAMAGED = 'body: damaged, or not compressed as Content-Encoding says'

describe('a compressed body', () => {
  let service: TestService
  const maxAttachmentBytes = 30_000_000
  before(async () => {
    service = await aService({ maxAttachmentBytes })
  })
  after(() => service.stop())

  const send = (raw: Uint8Array, encoding: string, path = TASKS) =>
    service.ask('POST', path, {
      raw: new Uint8Array(raw),
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    })
  const order = Buffer.from(JSON.stringify(aCreateBody()))

  for (const [encoding, encode] of Object.entries(encoders)) {
    it(`is read when it is ${encoding}`, async () => {
      expect((await send(encode(order), encoding)).status).to.equal(201)
      expect((await send(encode(order), encoding.toUpperCase())).status).to.equal(201)
    })

    it(`is 400 when its ${encoding} is damaged, cut off or something else`, async () => {
      const whole = encode(order)
      const damaged = Buffer.from(whole)
      damaged.fill(0xff, 40, 60)
      for (const raw of [damaged, whole.subarray(0, whole.length / 2), order]) {
        const { status, errors } = await send(raw, encoding)
        expect({ status, errors }).to.deep.equal({ status: 400, errors: [DAMAGED] })
      }
    })

    it(`is 413 when its ${encoding} unfolds beyond the limit, and unfolds no further`, async () => {
      const before = process.resourceUsage().userCPUTime
      const bomb = encode(Buffer.alloc(MAX_SMALL_BODY_BYTES + 1, ' '))
      for (let count = 0; count < 20; count++) {
        const { status, errors } = await send(bomb, encoding, WEBHOOKS)
        expect({ status, errors }).to.deep.equal({ status: 413, errors: ['body: too large'] })
      }
      expect(process.resourceUsage().userCPUTime - before, 'microseconds for twenty').to.be.below(5_000_000)
    })
  }

  it('of a gigabyte is refused at the limit of a create, with no more memory than that', async () => {
    const megabyte = gzipSync(Buffer.alloc(1024 * 1024, ' '))
    // The members of a gzip file follow each other.
    const bomb = Buffer.concat(Array.from({ length: 1024 }, () => megabyte))
    const before = process.memoryUsage().rss
    const { status, errors } = await send(bomb, 'gzip')
    expect({ status, errors }).to.deep.equal({ status: 413, errors: ['body: too large'] })
    expect(process.memoryUsage().rss - before).to.be.below(4 * createBodyLimit(maxAttachmentBytes))
  })

  it('takes the room of what it unfolds into, and finds none beside others who have it', async () => {
    const headers = { 'x-api-key': service.key, 'content-type': 'application/json' }
    const held = await Promise.all(
      [1, 2, 3].map(() => anUpload(service.baseUrl + TASKS, { ...headers, 'content-length': '40000000' })),
    )
    const large = aCreateBody({ document: { externalDocId: ' '.repeat(20_000_000) } })
    const answer = await send(gzipSync(JSON.stringify(large)), 'gzip')
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '5'])
    expect((await send(gzipSync(order), 'gzip')).status, 'a small one').to.equal(201)
    await Promise.all(held.map((upload) => upload.abort()))
    expect((await send(gzipSync(JSON.stringify(large)), 'gzip')).status, 'all room was given back').to.equal(400)
  })

  it('is guarded like any other: its depth, its encoding, its media type', async () => {
    const deep = await send(gzipSync('['.repeat(40)), 'gzip')
    expect([deep.status, deep.errors]).to.deep.equal([400, ['body: nested more than 32 deep']])
    const latin = await send(gzipSync(Buffer.from('"é"', 'latin1')), 'gzip')
    expect([latin.status, latin.errors]).to.deep.equal([400, ['body: not UTF-8']])
    for (const encoding of ['compress', 'gzip, gzip', 'toString', 'zstd']) {
      const { status, errors } = await send(gzipSync(order), encoding)
      expect([status, errors]).to.deep.equal([
        415,
        ['content-encoding: one of gzip, deflate, br, or an uncompressed body'],
      ])
    }
  })
})
