/** The text of tokens on sealed pages: what the organization decides, and the template otherwise. */
import { expect } from 'chai'
import type { Box } from '../../../lib/pdf/geometry.ts'
import { placeInPdf } from '../../../lib/pdf/placement/place-in-pdf.ts'
import type { Organization } from '../../../server/operations/operator/messages/organizations.ts'
import type { Opened } from '../../../server/operations/signer/messages.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { orderPdf } from '../../support/pdf/order-pdf.ts'
import { type Picture, renderPage } from '../../support/seen/render-page.ts'
import { aCreateBody, TEMPLATE } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

/** The second line of the order that `aCreateBody` sends; its tokens stand below. */
const PHRASE_LINE = { left: 60, top: 84, right: 300, bottom: 102 }

describe('the text of a token', function () {
  this.timeout(60_000)
  let service: TestService
  let [administrator, calder] = [] as unknown as [Visit, Visit]
  let organization: string
  let sent: Picture
  let token: Box
  before(async () => {
    service = await aService()
    ;[administrator, calder] = [aVisit(service.baseUrl), aVisit(service.baseUrl)]
    await administrator.signInAs('Willow Creek administrator')
    await calder.signInAs('Ruth Calder DO')
    const [own] = (await administrator.ask<Organization[]>('GET', '/admin/v1/organizations')).body
    organization = `/admin/v1/organizations/${own!.id}`
    const pdf = await orderPdf()
    sent = await renderPage(pdf, 1)
    const placed = await placeInPdf(pdf, { type: 'SmartAnnotations' }, [])
    if (!placed.ok) throw new Error(placed.problem)
    // A text that stays empty shows nothing, so that all that could be left there is the token.
    token = placed.fields.find(({ type }) => type === 'TextArea')!.covers![0]!
  })
  after(() => service.stop())

  const covers = async (path: string, coversTokens: boolean | null) =>
    expect((await administrator.ask('PATCH', path, { coversTokens })).errors).to.deep.equal([])

  /** The first page of the order, sealed as it is sent with this template, or with none. */
  async function sealed(templateId?: number): Promise<Picture> {
    const annotations = { type: 'SmartAnnotations' as const, ...(templateId !== undefined && { templateId }) }
    const taskId = await service.create(aCreateBody({ document: { annotations } }))
    await service.reaches(taskId, 'Pending')
    const path = `/inbox/api/documents/${taskId}`
    const { sha256, fields, consent } = (await calder.ask<Opened>('GET', path)).body
    await calder.ask('GET', `${path}/pages`)
    const values = { [fields.findIndex(({ type }) => type === 'CheckBox')]: true }
    const body = { sha256, values, drawn: null, keep: false, timeZone: 'UTC', consent: consent.version }
    expect((await calder.ask('POST', `${path}/sign`, body)).errors).to.deep.equal([])
    return renderPage((await calder.ask('GET', `/inbox/api/past/${taskId}/pdf`)).bytes, 1)
  }

  for (const [byOrganization, byTemplate] of [
    [true, null],
    [true, false],
    [false, null],
    [false, true],
  ] as const) {
    const isCovered = byTemplate ?? byOrganization
    const said = byTemplate === null ? 'leaves it to the organization' : `says ${byTemplate}`
    it(`is ${isCovered ? 'not ' : ''}seen on the sealed page when the organization covers: ${byOrganization}, and the template ${said}`, async () => {
      await covers(organization, byOrganization)
      await covers(`/admin/v1/templates/${TEMPLATE.verbalOrder}`, byTemplate)
      const page = await sealed(TEMPLATE.verbalOrder)
      expect(sent.inkBox(token)).not.to.equal(null)
      expect(page.inkBox(token)).to.deep.equal(isCovered ? null : sent.inkBox(token))
      expect(page.inkBox(PHRASE_LINE), 'the text of the sender').to.deep.equal(sent.inkBox(PHRASE_LINE))
    })
  }

  it('follows the organization in a document without a template, whatever templates say', async () => {
    await covers(organization, false)
    await covers(`/admin/v1/templates/${TEMPLATE.verbalOrder}`, true)
    expect((await sealed()).inkBox(token)).to.deep.equal(sent.inkBox(token))
  })
})
