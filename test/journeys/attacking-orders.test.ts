/** Orders that attack what a signature means, sent as a sender would, and what becomes of them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { fixture, fixtureNames } from '../support/fixtures.ts'
import { base64 } from '../support/pdf/order-pdf.ts'
import { type Plant, plantedOrder } from '../support/sealed/planted-order.ts'
import { exploited, gapOf } from '../support/sealed/sample.ts'
import { verifiedAt } from '../support/sealed/verified-at.ts'
import { textOf } from '../support/seen/text-of.ts'
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
    it(`is refused when it is created, and leaves no task: ${name}`, async () => {
      const { status, errors } = await create(fixture(name))
      expect(status).to.equal(400)
      expect(errors).to.have.lengthOf(1)
      expect(errors[0])
        .to.match(/^document\.attachment: /)
        .and.match(problem)
      expect(await service.client.listTasks({ query: {} })).to.deep.equal([])
    })
  }

  it('is sealed as it stands when it holds a gap for a forged seal, and is not valid once the seal is moved there', async () => {
    const sent = fixture(planted)
    const gapStart = Buffer.from(sent).indexOf('[ /Contents ]') + '[ /Contents '.length
    const known: [Uint8Array, Plant] = [sent, { gapStart, gapLength: 10_469 - gapStart }]
    // A sender who sends one order first knows how long the next one becomes.
    const tried = await sealed(plantedOrder(0).pdf)
    const own = gapOf(tried)
    const { pdf, plant } = plantedOrder(tried.length - (own.gapEnd - own.gapStart))
    for (const [order, where] of [known, [pdf, plant] as const]) {
      const genuine = await sealed(order)
      expect(await judged(genuine)).to.deep.equal(['valid', 0])
      const forged = exploited({ pdf: genuine }, where)
      const shown = (await textOf(forged.toString('base64'))).replace(/\s+/g, ' ')
      expect(shown, 'what readers show').to.contain('AMENDED: Morphine 500 mg every hour')
      expect(await judged(forged)).to.deep.equal(['damaged', 1])
    }
  })
})
