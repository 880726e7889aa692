/** Orders that attack what a signature means, sent as a sender would, and what becomes of them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { defaultLimits } from '../../lib/pdf/guard/limits.ts'
import { defaultActiveContentPolicy } from '../../lib/pdf/prepare/active-content.ts'
import { acceptDocument } from '../../server/pdf/accept.ts'
import { aFolder } from '../support/a-folder.ts'
import { fixture, fixtureNames } from '../support/fixtures.ts'
import { base64 } from '../support/pdf/order-pdf.ts'
import { plantedOrder } from '../support/sealed/planted-order.ts'
import { gapOf } from '../support/sealed/sample.ts'
import { verifiedAt } from '../support/sealed/verified-at.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { countersign } from '../support/service/served.ts'

/** Orders that show their signer something else than other readers find in them. */
const deceiving: Readonly<Record<string, RegExp>> = {
  'pdf/attacks/wys-dupPage.pdf': /damaged: it has an object that is there twice/,
  'pdf/attacks/needs-appearances.pdf': /has a form whose fields show something else than they hold/,
}
/** An order whose page holds 99 byte ranges, for a gap that is cut into it once it is sealed. */
const planted = 'pdf/attacks/wrap-sent.pdf'

describe('an order that attacks what a signature means', function () {
  // Each order is sealed, and judged by the page and by the command.
  this.timeout(90_000)
  const data = aFolder()
  const files = aFolder()
  let service: TestService
  before(async () => {
    service = await aService({ data })
  })
  after(() => service?.stop())

  const create = (pdf: Uint8Array) => {
    const box = { pageNumber: 1, left: 72, top: 300, right: 84, bottom: 312 }
    // The shorter what is added, the better its length can be told in advance.
    const annotations = { type: 'Json' as const, data: [{ type: 'CheckBox' as const, required: true, ...box }] }
    const body = aCreateBody({ document: { attachment: base64(pdf), annotations } })
    return service.ask<{ taskId: number }>('POST', '/api/v1/signature/tasks', { body })
  }

  async function sealed(pdf: Uint8Array): Promise<Buffer> {
    const { status, body } = await create(pdf)
    expect(status).to.equal(201)
    await service.reaches(body.taskId, 'Pending')
    await service.signs(body.taskId)
    const query = { includeOutputAttachment: true }
    const { output } = await service.client.readTask({ params: { id: body.taskId }, query })
    return Buffer.from(output!.attachment!, 'base64')
  }

  /** What the page says, and the exit code of the command with the certificate of the service. */
  async function judged(pdf: Buffer): Promise<[outcome: string, code: number | null]> {
    const { valid, outcome } = (await verifiedAt(service.baseUrl, pdf)).body
    expect(valid).to.equal(outcome === 'valid')
    const [file, certificate] = [join(files, 'signed.pdf'), join(files, 'seal.pem')]
    writeFileSync(file, pdf)
    writeFileSync(certificate, (await countersign(['certificate', 'export', '--data', data])).stdout)
    const { code } = await countersign(['verify', file, '--certificate', certificate])
    return [outcome, code]
  }

  it('is one of these', () => {
    expect(fixtureNames('pdf/attacks')).to.have.members([planted, ...Object.keys(deceiving)])
  })

  for (const [name, problem] of Object.entries(deceiving)) {
    it(`is drawn, so that its signer sees what is sealed: ${name}`, async () => {
      const refused = await acceptDocument(fixture(name), defaultLimits, defaultActiveContentPolicy)
      expect(refused.ok ? 'plain' : refused.problem).to.match(problem)
      expect(await judged(await sealed(fixture(name)))).to.deep.equal(['valid', 0])
    })
  }

  it('leaves nothing of a gap for a forged seal in what is sealed', async () => {
    const tried = await sealed(plantedOrder(0).pdf)
    const { gapStart, gapEnd } = gapOf(tried)
    const { pdf } = plantedOrder(tried.length - (gapEnd - gapStart))
    for (const order of [fixture(planted), pdf]) {
      expect(Buffer.from(order).includes('[ /Contents ]')).to.equal(true)
      const genuine = await sealed(order)
      expect(await judged(genuine)).to.deep.equal(['valid', 0])
      expect(genuine.includes('[ /Contents ]')).to.equal(false)
    }
  })
})
