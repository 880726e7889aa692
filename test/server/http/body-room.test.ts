/** Room for bodies in memory: taken before they come, by the length they announce, and given back however they end. */
import { expect } from 'chai'
import { bodyResponses } from '../../../lib/contract/operations.ts'
import { BODY_GRACE_MS, BODY_MEMORY_MIB, MAX_ATTACHMENT_BYTES } from '../../../server/choices.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { verifiedAt } from '../../support/sealed/verified-at.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { anUpload, type Upload } from '../../support/service/an-upload.ts'

const VERIFY = '/verify/api/document'
const TASKS = '/api/v1/signature/tasks'
const NETWORKS = ['198.51.100.1', '203.0.113.9', '2001:db8:0:1::7']

describe('the room for bodies', () => {
  let service: TestService
  let trickling: Promise<{ statuses: (number | undefined)[]; ms: number }>
  const uploads: Upload[] = []
  before(async () => {
    service = await aService({ trustProxy: ['127.0.0.1'] })
    // Takes as long as is given to a body, so the other tests run beside it.
    trickling = trickle()
  })
  after(() => service.stop())
  afterEach(async () => {
    await Promise.all(uploads.splice(0).map((upload) => upload.abort()))
  })

  const hold = async (path: string, headers: Record<string, string>) => {
    const upload = await anUpload(service.baseUrl + path, { origin: service.baseUrl, ...headers })
    uploads.push(upload)
    return upload
  }
  async function trickle() {
    const began = performance.now()
    const slow = { 'content-type': 'application/json', 'content-length': '1000' }
    const held = await Promise.all([
      anUpload(`${service.baseUrl}/account/api/session`, { origin: service.baseUrl, ...slow }),
      anUpload(service.baseUrl + TASKS, { ...slow, 'x-api-key': service.otherKey }),
      anUpload(service.baseUrl + TASKS, { ...slow, 'x-api-key': service.otherKey, 'content-encoding': 'gzip' }),
    ])
    const statuses = await Promise.all(held.map(async ({ answer }) => (await answer).statusCode))
    return { statuses, ms: performance.now() - began }
  }
  const holdPdf = (network: string, length: Record<string, string> = { 'content-length': `${MAX_ATTACHMENT_BYTES}` }) =>
    hold(VERIFY, { 'content-type': 'application/pdf', 'x-forwarded-for': network, ...length })
  const verify = (network: string) => verifiedAt(service.baseUrl, Buffer.from('%PDF-'), { 'x-forwarded-for': network })
  const create = (key: string) => service.ask('POST', TASKS, { body: aCreateBody(), key })
  const holdCreate = (key: string) =>
    hold(TASKS, { 'content-type': 'application/json', 'x-api-key': key, 'content-length': '34000000' })

  it('is limited for each network, whichever of its addresses is used', async () => {
    await holdPdf('2001:db8:0:1::7')
    await holdPdf('2001:db8:0:1::8')
    const { status, headers, errors } = await verify('2001:db8:0:1::9')
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '5'])
    expect(errors).to.deep.equal(['Too much is being sent at once. Try again in 5 seconds.'])
    expect((await verify('2001:db8:0:2::9')).status).to.equal(200)
  })

  it('is limited in total', async () => {
    for (const network of [...NETWORKS.slice(0, 2), ...NETWORKS.slice(0, 2)]) await holdPdf(network)
    expect((await verify(NETWORKS[2]!)).status).to.equal(503)
  })

  it('is taken as for the largest body by one whose length nobody knows', async () => {
    for (let n = 0; n < 2; n++) await holdPdf(NETWORKS[0]!, { 'transfer-encoding': 'chunked' })
    expect((await verify(NETWORKS[0]!)).status).to.equal(503)
  })

  it('is given back by a sender who breaks off', async () => {
    const held = [await holdPdf(NETWORKS[0]!), await holdPdf(NETWORKS[0]!)]
    expect((await verify(NETWORKS[0]!)).status).to.equal(503)
    await held[0]!.abort()
    expect((await verify(NETWORKS[0]!)).status).to.equal(200)
  })

  it('is given back by bodies that are refused', async () => {
    const large = Buffer.alloc(MAX_ATTACHMENT_BYTES, '{')
    for (let n = 0; n < 6; n++) {
      const { status } = await service.ask('POST', TASKS, {
        raw: large,
        headers: { 'content-type': 'application/json' },
      })
      expect(status).to.equal(400)
    }
    expect((await create(service.key)).status).to.equal(201)
  })

  it('that one key takes leaves some to others', async () => {
    const most = Math.floor((BODY_MEMORY_MIB * 1024 * 1024) / 2 / 34_000_000)
    for (let n = 0; n < most; n++) await holdCreate(service.key)
    const refused = await (await holdCreate(service.key)).answer
    expect([refused.statusCode, refused.headers['retry-after']]).to.deep.equal([503, '5'])
    expect(bodyResponses, 'declared').to.have.property(String(refused.statusCode))
    expect((await create(service.otherKey)).status, 'another key').to.equal(201)
    expect((await aVisit(service.baseUrl).signInAs('Service operator')).status, 'a signer').to.equal(200)
  })

  it('is not held for ever by a body that trickles in', async () => {
    const { statuses, ms } = await trickling
    expect(statuses).to.deep.equal([408, 408, 408])
    expect(ms).to.be.within(BODY_GRACE_MS, 2 * BODY_GRACE_MS)
    expect(bodyResponses, 'declared').to.have.property('408')
  })
})
