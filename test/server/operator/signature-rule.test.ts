/** Documents and templates without a signature field: what the setting of their organization makes of them. */
import { expect } from 'chai'
import type { Organization } from '../../../server/operations/operator/messages/organizations.ts'
import type { TemplateFile } from '../../../server/operations/operator/messages/templates.ts'
import type { Opened } from '../../../server/operations/signer/messages.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { certificateText } from '../../support/seen/certificate-text.ts'
import { aCreateBody, TEMPLATE } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const data = [
  { type: 'CheckBox' as const, required: true, pageNumber: 1, left: 300, top: 300, right: 312, bottom: 312 },
]
const unsigned = () => aCreateBody({ document: { annotations: { type: 'Json', data } } })

describe('a document without a signature field', () => {
  let service: TestService
  let operator: Visit
  let administrator: Visit
  let calder: Visit
  let path: string
  before(async () => {
    service = await aService()
    ;[operator, administrator, calder] = [aVisit(service.baseUrl), aVisit(service.baseUrl), aVisit(service.baseUrl)]
    await operator.signInAs('Service operator')
    await administrator.signInAs('Willow Creek administrator')
    await calder.signInAs('Ruth Calder DO')
    const own = (await administrator.ask<Organization[]>('GET', '/admin/v1/organizations')).body[0]!
    expect(own.signatureRule).to.equal('atEnd')
    path = `/admin/v1/organizations/${own.id}`
  })
  after(() => service.stop())

  const document = (taskId: number, rest = '') => `/inbox/api/documents/${taskId}${rest}`

  /** Signs as the page does, and returns what the certificate page says. */
  async function signed(): Promise<{ place: string; certificate: string }> {
    const taskId = await service.create(unsigned())
    await service.reaches(taskId, 'Pending')
    const { sha256, consent, signaturePlace } = (await calder.ask<Opened>('GET', document(taskId))).body
    await calder.ask('GET', document(taskId, '/pages'))
    const body = { sha256, values: { 0: true }, drawn: null, keep: false, timeZone: 'UTC', consent: consent.version }
    const device = { 'user-agent': 'Chart tablet 7' }
    const { status, errors } = await calder.ask('POST', document(taskId, '/sign'), body, device)
    expect([status, errors]).to.deep.equal([204, []])
    const pdf = (await calder.ask('GET', `/inbox/api/past/${taskId}/pdf`)).bytes
    return { place: signaturePlace, certificate: await certificateText(pdf, 2) }
  }

  it('is signed on the page at its end, which tells how', async () => {
    const { place, certificate } = await signed()
    expect(place).to.equal('certificatePage')
    const patient = aCreateBody().patient
    for (const line of [
      'Electronically signed ·',
      'Signature typed name',
      'Authenticated not verified: anyone may sign in as a person of the demo',
      'Address 127.0.0.1',
      'Device Chart tablet 7',
      'Consent version 2: By signing you confirm',
      'Sender Willow Creek Home Health',
      `born ${patient.birthDate}`,
      'Checkbox, page 1 checked',
      'First shown',
    ])
      expect(certificate).to.include(line)
  })

  it('needs no signature where the operator says so, and its certificate claims none', async () => {
    const { status, errors } = await administrator.ask('PATCH', path, { signatureRule: 'notNeeded' })
    expect([status, errors]).to.deep.equal([
      403,
      ['signatureRule: the operator of the service decides that no signature is needed'],
    ])
    expect((await operator.ask('PATCH', path, { signatureRule: 'notNeeded' })).status).to.equal(204)
    const { place, certificate } = await signed()
    expect(place).to.equal('notAsked')
    expect(certificate).to.include('Signature none: the sender asks for none').and.not.to.include('typed name')
  })

  it('fails where its sender requires a signature field, and the reason says what to do', async () => {
    expect((await administrator.ask('PATCH', path, { signatureRule: 'required' })).status).to.equal(204)
    const taskId = await service.create(unsigned())
    await service.reaches(taskId, 'Failed')
    const { statusReason } = await service.client.readTask({ params: { id: taskId } })
    expect(statusReason).to.match(
      /^The document has no signature field, .* Add an annotation of the type VisibleSignature/,
    )
  })

  it('follows its template where that decides otherwise than the organization', async () => {
    const template = `/admin/v1/templates/${TEMPLATE.verbalOrder}`
    const ask = async (signatureRule: string | null) =>
      (await administrator.ask('PATCH', template, { signatureRule, coversTokens: false })).status
    expect([await ask('notNeeded'), await ask('atEnd')]).to.deep.equal([403, 204])
    expect((await administrator.ask<TemplateFile>('GET', template)).body).to.include({
      signatureRule: 'atEnd',
      coversTokens: false,
    })
    const annotations = { type: 'Json' as const, data, templateId: TEMPLATE.verbalOrder }
    const taskId = await service.create(aCreateBody({ document: { annotations } }))
    await service.reaches(taskId, 'Pending')
    expect((await calder.ask<Opened>('GET', document(taskId))).body.signaturePlace).to.equal('certificatePage')
    expect((await operator.ask('PATCH', template, { signatureRule: 'notNeeded' })).status).to.equal(204)
    expect([await ask('notNeeded'), await ask(null)], 'saved as it is').to.deep.equal([204, 204])
    const follows = await service.create(aCreateBody({ document: { annotations } }))
    await service.reaches(follows, 'Failed')
  })

  it('has a template only when that is confirmed', async () => {
    const template = `/admin/v1/templates/${TEMPLATE.verbalOrder}`
    const { fields } = (await administrator.ask<TemplateFile>('GET', template)).body
    const others = fields.filter(({ type }) => type !== 'VisibleSignature')
    const refused = await administrator.ask('PATCH', template, { fields: others })
    expect([refused.status, refused.errors.join()]).to.deep.equal([
      400,
      'fields: none of them is for a signature; add one of the type VisibleSignature, or confirm with withoutSignature: true',
    ])
    const unwritten = { fields: [{ ...others[0]!, type: 'TextArea', value: 'a \u{10FFFD}' }], withoutSignature: true }
    const unwritable = await administrator.ask('PATCH', template, unwritten)
    expect([unwritable.status, unwritable.errors[0]]).to.deep.equal([
      400,
      'fields[0].value: text without U+10FFFD, for which the service has no font',
    ])
    const confirmed = { fields: others, withoutSignature: true }
    expect((await administrator.ask('PATCH', template, confirmed)).status).to.equal(204)
    expect((await administrator.ask<TemplateFile>('GET', template)).body.fields).to.deep.equal(others)
    const alone = await administrator.ask('PATCH', template, { withoutSignature: true })
    expect(alone.errors.join()).to.match(/^body: at least one of summary/)
  })
})
