/** spec: Endpoints › Health, Endpoints › Lookups, Resources › Document type, Resources › Template, Resources › Provider user */
import { expect } from 'chai'
import { aVisit } from '../support/browser/a-visit.ts'
import { SIGNER } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

describe('Endpoints › Health and lookups', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  it('Health: on the host root, no key, 200 (choice: Health; status ok)', async () => {
    const { status, body } = await service.ask('GET', '/health-check', { key: null })
    expect({ status, body }).to.deep.equal({ status: 200, body: { status: 'ok' } })
  })

  it('Health: not under /api/v1', async () => {
    expect((await service.ask('GET', '/api/v1/health-check')).status).to.equal(404)
  })

  it("Health: a balancer's own parameters and a wrong key do not matter", async () => {
    expect((await service.ask('GET', '/health-check?t=1', { key: 'nonsense' })).status).to.equal(200)
  })

  it('Document types: 200, array of id, name, category', async () => {
    const { status, body } = await service.ask<unknown[]>('GET', '/api/v1/documenttypes')
    expect(status).to.equal(200)
    expect(body).to.have.length(12)
    expect(body).to.deep.include({ id: 104, name: 'Physician Order (verbal)', category: 'Order' })
  })

  it('Templates: 200, array with the fields of Resources and no other', async () => {
    const { body } = await service.ask<object[]>('GET', '/api/v1/signature/templates')
    expect(body).to.have.length(5)
    expect(body).to.deep.include({
      templateId: 205,
      summary: 'DME order',
      clinicalDateLabel: 'Order date',
      diagnosisCodeAllowed: true,
      diagnosisCodeRequired: true,
      pdfRequired: true,
      isCustomTemplate: true,
    })
  })

  it('Templates: scoped to the organization on the key', async () => {
    const { body } = await service.ask<{ templateId: number }[]>('GET', '/api/v1/signature/templates', {
      key: service.otherKey,
    })
    expect(body.map(({ templateId }) => templateId)).to.deep.equal([211])
  })

  it('Templates cannot be created through this API: 405 with Allow', async () => {
    const { status, headers } = await service.ask('POST', '/api/v1/signature/templates', { body: {} })
    expect({ status, allow: headers.get('allow') }).to.deep.equal({ status: 405, allow: 'GET, HEAD' })
  })

  it('Provider lookup 200: an active provider with the active organizations, the primary one first', async () => {
    const { status, body } = await service.ask('GET', `/api/v1/users/providers/${SIGNER.marsh}`)
    const place = (line: string) => [{ line, city: 'Duluth', state: 'MN', postalCode: '55802' }]
    expect({ status, body }).to.deep.equal({
      status: 200,
      body: {
        npi: SIGNER.marsh,
        firstName: 'Helen',
        lastName: 'Marsh',
        signingName: 'Helen Marsh MD',
        organizations: [
          { name: 'Lakeside Family Practice', npi: '9999901017', addresses: place('100 Shore Lane') },
          { name: 'Lakeside Wound Clinic', npi: '9999901025', addresses: place('12 Quarry Road') },
        ],
      },
    })
  })

  it('Provider lookup 200: every part of an organization is text, also where it is not known', async () => {
    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const clinic = { name: 'Hill Clinic', npi: null, addresses: [{ postalCode: '55803' }], ingestionEnabled: false }
    const { body: added } = await operator.ask<{ id: number }>('POST', '/admin/v1/organizations', clinic)
    const provider = { npi: '9999900076', firstName: 'Nora', lastName: 'Field', signingName: 'Nora Field MD' }
    await operator.ask('POST', '/admin/v1/providers', { ...provider, organizationIds: [added.id] })
    const { body } = await service.ask<{ organizations: unknown }>('GET', `/api/v1/users/providers/${provider.npi}`)
    const address = { line: '', city: '', state: '', postalCode: '55803' }
    expect(body.organizations).to.deep.equal([{ name: 'Hill Clinic', npi: '', addresses: [address] }])
  })

  for (const npi of ['123', '99999000190', '999990001x', '99999%2000019'])
    it(`Provider lookup 400: the NPI is not 10 digits (${npi})`, async () => {
      const { status, errors } = await service.ask('GET', `/api/v1/users/providers/${npi}`)
      expect({ status, errors }).to.deep.equal({ status: 400, errors: ['npi: exactly 10 digits'] })
    })

  for (const [who, npi] of [
    ['nobody', SIGNER.unknown],
    ['an inactive provider', SIGNER.rowe],
    ['an organization', '9999901017'],
  ] as const)
    it(`Provider lookup 404: no active user with that NPI (${who})`, async () => {
      const { status, errors } = await service.ask('GET', `/api/v1/users/providers/${npi}`)
      expect({ status, errors }).to.deep.equal({ status: 404, errors: ['npi: no active provider has this NPI'] })
    })

  for (const path of [
    '/api/v1/documenttypes',
    '/api/v1/signature/templates',
    `/api/v1/users/providers/${SIGNER.marsh}`,
  ])
    it(`a parameter that ${path} does not have is refused (choice: Unknown query parameters)`, async () => {
      const { status, errors } = await service.ask('GET', `${path}?page=2`)
      expect({ status, errors }).to.deep.equal({ status: 400, errors: ['page: unknown parameter; allowed: none'] })
    })
})
