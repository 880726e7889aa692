/** The queue for verification is short, and nobody has all of it. */
import { expect } from 'chai'
import { aVisit } from '../../support/browser/a-visit.ts'
import { costlyToVerify } from '../../support/pdf/costly-pdf.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

const SIZE = 4 * 1024 * 1024
const MANY = 6

describe('documents that wait to be verified', function () {
  this.timeout(90_000)
  let service: TestService
  let costly: Buffer
  before(async () => {
    service = await aService({ trustProxy: ['127.0.0.1'] })
    const taskId = await aWaitingOrder(service)
    await service.signs(taskId)
    const query = { includeOutputAttachment: true }
    const { output } = await service.client.readTask({ params: { id: taskId }, query })
    costly = costlyToVerify(Buffer.from(output!.attachment!, 'base64'), SIZE)
  })
  after(() => service.stop())

  const verify = (address: string) =>
    aVisit(service.baseUrl).ask('POST', '/verify/api/document', costly, { 'x-forwarded-for': address })

  it('are limited for each network; more are refused for now, with a sentence', async () => {
    const replies = await Promise.all(Array.from({ length: MANY }, () => verify('198.51.100.7')))
    const refused = replies.filter(({ status }) => status === 503)
    expect(refused).to.have.length.within(1, MANY - 2)
    for (const { headers, errors } of refused) {
      expect(headers.get('retry-after')).to.equal('5')
      expect(errors[0]).to.match(
        /^Too (many documents are waiting|much is being sent at once)\. Try again in 5 seconds\.$/,
      )
    }
  })

  it('are taken again when those before are done', async () => {
    expect((await verify('198.51.100.7')).status).not.to.equal(503)
  })
})
