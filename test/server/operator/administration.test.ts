/** Organizations, keys, providers, accounts and document types, and who may change which. */
import { expect } from 'chai'
import type { Person } from '../../../server/operations/operator/messages/accounts.ts'
import type { ListedKey } from '../../../server/operations/operator/messages/keys.ts'
import type { Organization, OrganizationFile } from '../../../server/operations/operator/messages/organizations.ts'
import type { StoredProvider } from '../../../server/operations/operator/messages/providers.ts'
import type { TaskFile } from '../../../server/operations/operator/messages/tasks.ts'
import type { TemplateFile } from '../../../server/operations/operator/messages/templates.ts'
import type { Opened } from '../../../server/operations/signer/messages.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { aCreateBody, daysFromToday, SIGNER, TEMPLATE } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const ADDRESS = { line: '1 Elm Street', city: 'Duluth', state: 'MN', postalCode: '55802' }
const PASSWORD = 'correct horse battery staple'

describe('administration in the console', () => {
  let service: TestService
  let operator: Visit
  let administrator: Visit
  let own: Organization
  before(async () => {
    service = await aService()
    operator = aVisit(service.baseUrl)
    administrator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    await administrator.signInAs('Willow Creek administrator')
    own = (await administrator.ask<Organization[]>('GET', api('/organizations'))).body[0]!
  })
  after(() => service.stop())

  const api = (path: string) => `/admin/v1${path}`
  const fileOf = async (visit: Visit, id: number) =>
    (await visit.ask<OrganizationFile>('GET', api(`/organizations/${id}`))).body

  it('adds an organization that can send with the key it is given', async () => {
    const body = { name: 'Elm Home Care', addresses: [ADDRESS], ingestionEnabled: true }
    const { id } = (await operator.ask<{ id: number }>('POST', api('/organizations'), body)).body
    const made = await operator.ask<{ key: string }>('POST', api(`/organizations/${id}/keys`), {
      personName: 'Ann Vale',
    })
    const client = service.clientOf(made.body.key)
    expect(await client.listTasks()).to.deep.equal([])
    expect((await operator.ask('POST', api('/organizations'), body)).status).to.equal(409)
  })

  it('shows a key once, and ends it when it is revoked', async () => {
    const path = api(`/organizations/${own.id}/keys`)
    const { key } = (
      await administrator.ask<{ key: string }>('POST', path, {
        personName: 'Ann Vale',
        description: 'Test bench',
      })
    ).body
    await service.clientOf(key).listTasks()
    const { keys } = await fileOf(administrator, own.id)
    expect(JSON.stringify(keys)).not.to.include(key).and.not.to.include('digest')
    const listed = keys.find(({ description }) => description === 'Test bench') as ListedKey
    expect(listed).to.include({ last4: key.slice(-4), personName: 'Ann Vale' })
    expect((await administrator.ask('DELETE', `${path}/${listed.keyId}`)).status).to.equal(204)
    expect((await administrator.ask('DELETE', `${path}/${listed.keyId}`)).status).to.equal(404)
    expect((await service.ask('GET', '/api/v1/signature/tasks', { key })).status).to.equal(403)
  })

  it('keeps administrators to their own organization', async () => {
    const all = (await operator.ask<Organization[]>('GET', api('/organizations'))).body
    const other = all.find(({ name }) => name === 'Northfield Hospice')!
    expect(
      (await administrator.ask<Organization[]>('GET', api('/organizations'))).body.map(({ id }) => id),
    ).to.deep.equal([own.id])
    const path = api(`/organizations/${other.id}`)
    const { keyId } = (await fileOf(operator, other.id)).keys[0]!
    const refused = [
      await administrator.ask('GET', path),
      await administrator.ask('PATCH', path, { addresses: [] }),
      await administrator.ask('POST', `${path}/keys`, { personName: 'Ann Vale' }),
      await administrator.ask('DELETE', `${path}/keys/${keyId}`),
      await administrator.ask('DELETE', api(`/organizations/${own.id}/keys/${keyId}`)),
    ]
    expect(refused.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404, 404])
    for (const path of ['/providers', '/document-types'])
      expect((await administrator.ask('GET', api(path))).status, path).to.equal(403)
    const added = { name: 'Mine', addresses: [], ingestionEnabled: true }
    expect((await administrator.ask('POST', api('/organizations'), added)).status).to.equal(403)
  })

  it('lets only an operator change what orders are routed by, and who may send', async () => {
    const path = api(`/organizations/${own.id}`)
    const changes = [
      { npi: '9999901900' },
      { npi: null },
      { addresses: [ADDRESS] },
      { ingestionEnabled: false },
      { isActive: false },
    ]
    for (const change of changes)
      expect((await administrator.ask('PATCH', path, change)).errors).to.deep.equal([
        `${Object.keys(change)[0]}: the operator of the service decides it`,
      ])
    const unchanged = await fileOf(administrator, own.id)
    expect(unchanged.organization).to.deep.equal(own)
    expect(unchanged.mayChange).to.equal(false)
    expect((await operator.ask('PATCH', path, { addresses: [ADDRESS], npi: '9999901900' })).status).to.equal(204)
    const file = await fileOf(operator, own.id)
    expect(file.organization).to.deep.include({ addresses: [ADDRESS], npi: '9999901900' })
    expect(file.mayChange).to.equal(true)
    await operator.ask('PATCH', path, { npi: null })
    expect((await operator.ask('PATCH', path, { ingestionEnabled: false })).status).to.equal(204)
    const failed = await service.reaches(await service.create(aCreateBody()), 'Failed')
    expect(failed.statusReason).to.include('not enabled')
    await operator.ask('PATCH', path, { ingestionEnabled: true })
    await service.reaches(await service.create(aCreateBody()), 'Pending')
  })

  it('takes an organization out of use and back, with its keys, and what is routed to it', async () => {
    const organizations = (await operator.ask<Organization[]>('GET', api('/organizations'))).body
    const set = async (name: string, isActive: boolean) => {
      const { id } = organizations.find((one) => one.name === name)!
      expect((await operator.ask('PATCH', api(`/organizations/${id}`), { isActive })).status).to.equal(204)
    }
    const before = await service.create(aCreateBody())
    await service.reaches(before, 'Pending')
    await set('Willow Creek Home Health', false)
    const refused = await service.ask('GET', '/api/v1/signature/tasks')
    expect([refused.status, refused.errors]).to.deep.equal([
      403,
      ['x-api-key: the organization of this key is inactive'],
    ])
    expect((await service.ask('POST', '/sandbox/v1/reset')).status, 'the control plane').to.equal(403)
    expect((await fileOf(administrator, own.id)).organization.isActive, 'its administrator sees it').to.equal(false)
    await set('Willow Creek Home Health', true)
    expect((await service.client.readTask({ params: { id: before } })).status, 'what was sent goes on').to.equal(
      'Pending',
    )

    await set('Lakeside Family Practice', false)
    const { organizations: active } = await service.client.findProvider({ params: { npi: SIGNER.marsh } })
    expect(active.map(({ name }) => name)).to.deep.equal(['Lakeside Wound Clinic'])
    const performer = { signer: { userNPI: SIGNER.marsh }, organization: { orgNPI: '9999901017' } }
    const taskId = await service.create(aCreateBody({ performer }))
    await service.reaches(taskId, 'Pending')
    const signer = aVisit(service.baseUrl)
    await signer.signInAs('Helen Marsh MD')
    const { body } = await signer.ask<Opened>('GET', `/inbox/api/documents/${taskId}`)
    expect(body.organization, 'the next one is the primary one now').to.equal('Lakeside Wound Clinic')
    const listed = (await operator.ask<StoredProvider[]>('GET', api('/providers'))).body
    expect(
      listed.find(({ npi }) => npi === SIGNER.marsh)!.organizations,
      'the provider still belongs to it',
    ).to.have.length(2)
    await set('Lakeside Family Practice', true)
  })

  it('gives no organization the NPI of another one, when it is changed or added', async () => {
    const all = (await operator.ask<Organization[]>('GET', api('/organizations'))).body
    const owner = all.find(({ npi }) => npi !== null)!
    const path = api(`/organizations/${own.id}`)
    const taken = [`npi: organization ${owner.id} has this NPI; no two have the same`]
    const refused = await operator.ask('PATCH', path, { npi: owner.npi })
    expect([refused.status, refused.errors]).to.deep.equal([409, taken])
    expect((await administrator.ask('PATCH', path, { npi: owner.npi })).status).to.equal(403)
    const second = { name: 'A second one', npi: owner.npi, addresses: [], ingestionEnabled: false }
    expect((await operator.ask('POST', api('/organizations'), second)).errors).to.deep.equal(taken)
    const again = await operator.ask('PATCH', api(`/organizations/${owner.id}`), { npi: owner.npi })
    expect(again.status, 'its own').to.equal(204)
    expect((await operator.ask<Organization[]>('GET', api('/organizations'))).body).to.have.length(all.length)
  })

  it('adds a provider with an account, who finds documents in the inbox', async () => {
    const npi = '9999900076'
    const provider = { npi, firstName: 'Mia', lastName: 'Berg', signingName: 'Mia Berg MD', organizationIds: [own.id] }
    expect((await operator.ask('POST', api('/providers'), provider)).status).to.equal(201)
    expect((await operator.ask('POST', api('/providers'), provider)).status).to.equal(409)
    const account = { email: 'mia@practice.example', name: 'Mia Berg', role: 'signer', npi, password: PASSWORD }
    expect((await operator.ask<Person>('POST', api('/accounts'), account)).body.npi).to.equal(npi)
    expect((await operator.ask('POST', api('/accounts'), account)).status).to.equal(409)
    expect((await operator.ask('POST', api('/accounts'), { ...account, password: 'short' })).status).to.equal(400)

    await service.reaches(await service.create(aCreateBody({ performer: { signer: { userNPI: npi } } })), 'Pending')
    const signer = aVisit(service.baseUrl)
    await signer.signIn('mia@practice.example', PASSWORD)
    expect((await signer.ask<unknown[]>('GET', '/inbox/api/documents')).body).to.have.length(1)

    await operator.ask('PATCH', api(`/providers/${npi}`), { isActive: false })
    expect((await signer.ask('GET', '/inbox/api/documents')).status).to.equal(401)
  })

  it('changes where a provider signs; the organization named first is the primary one', async () => {
    const all = (await operator.ask<Organization[]>('GET', api('/organizations'))).body
    const where = async () => {
      const providers = (await operator.ask<StoredProvider[]>('GET', api('/providers'))).body
      return providers.find(({ npi }) => npi === SIGNER.marsh)!.organizations.map(({ id }) => id)
    }
    const before = await where()
    const change = (visit: Visit, organizationIds: unknown) =>
      visit.ask('PATCH', api(`/providers/${SIGNER.marsh}`), { organizationIds })
    const other = all.find(({ id }) => !before.includes(id))!.id
    expect((await change(operator, [other, before[0]])).status).to.equal(204)
    expect(await where()).to.deep.equal([other, before[0]])
    const offered = await service.client.findProvider({ params: { npi: SIGNER.marsh } })
    expect(offered.organizations.map(({ name }) => name)[0]).to.equal(all.find(({ id }) => id === other)?.name)
    expect((await change(operator, [before[0]])).status).to.equal(204)
    expect(await where()).to.deep.equal([before[0]])
    expect((await change(operator, [])).status).to.equal(400)
    expect((await change(operator, [other, other])).status).to.equal(400)
    expect((await change(operator, [999])).errors).to.deep.equal([
      'organizationIds[0]: no organization of this service',
    ])
    expect((await change(administrator, [other])).status).to.equal(403)
    const unknown = await operator.ask('PATCH', api(`/providers/${SIGNER.unknown}`), { organizationIds: [other] })
    expect(unknown.status).to.equal(404)
  })

  it('edits a template: documents that arrive afterwards follow its new rules and fields', async () => {
    const path = api(`/templates/${TEMPLATE.verbalOrder}`)
    const { templateId, organizationId, organization, ...before } = (await administrator.ask<TemplateFile>('GET', path))
      .body
    const [field] = before.fields
    const box = { left: 100, top: 200, right: 280, bottom: 236 }
    const change = {
      ...before,
      summary: 'Changed order',
      clinicalDateLabel: 'Day of the call',
      diagnosisCode: 'required',
      daysBefore: 3,
      fields: [{ ...field, box }],
    }
    expect((await administrator.ask('PATCH', path, change)).status).to.equal(204)
    expect((await administrator.ask<TemplateFile>('GET', path)).body).to.deep.include(change)
    const offered = (await service.client.listTemplates()).find((template) => template.templateId === templateId)
    expect(offered).to.deep.include({ summary: 'Changed order', diagnosisCodeRequired: true })
    const annotations = { type: 'Template' as const, templateId }
    const late = aCreateBody({ document: { annotations, effectiveDate: daysFromToday(-4), diagnosisCode: null } })
    const refused = await service.ask('POST', '/api/v1/signature/tasks', { body: late })
    expect(refused.errors.join(' '))
      .to.include('Day of the call')
      .and.to.include(`document.diagnosisCode: required by template ${templateId}`)
    expect((await administrator.ask('PATCH', path, { ...change, fields: [] })).status).to.equal(400)
    const foreign = api(`/templates/${TEMPLATE.ofAnotherOrganization}`)
    expect((await administrator.ask('GET', foreign)).status).to.equal(404)
    expect((await administrator.ask('PATCH', foreign, change)).status).to.equal(404)
    expect((await administrator.ask('POST', `${foreign}/retire`, {})).status).to.equal(404)
    expect((await administrator.ask('PATCH', path, before)).status).to.equal(204)
  })

  it('lets senders read that a template needs no PDF; a create needs its attachment all the same', async () => {
    const template = api(`/templates/${TEMPLATE.certification}`)
    expect((await administrator.ask('PATCH', template, { pdfRequired: false })).status).to.equal(204)
    const found = (await service.client.listTemplates()).find(({ templateId }) => templateId === TEMPLATE.certification)
    expect(found).to.include({ pdfRequired: false, diagnosisCodeRequired: true })
    const { document } = aCreateBody({
      document: { annotations: { type: 'Template', templateId: TEMPLATE.certification }, diagnosisCode: 'I50.9' },
    })
    const { attachment, ...rest } = document
    const refused = await service.ask('POST', '/api/v1/signature/tasks', { body: { ...aCreateBody(), document: rest } })
    expect([refused.status, refused.errors]).to.deep.equal([
      400,
      ['document.attachment: required; a PDF encoded as Base64'],
    ])
    expect((await administrator.ask('PATCH', template, { pdfRequired: true })).status).to.equal(204)
  })

  it('says whose key did what to a task, also after the key was revoked', async () => {
    const path = api(`/organizations/${own.id}/keys`)
    const made = await administrator.ask<{ key: string; keyId: string }>('POST', path, { personName: 'Ida Holm' })
    const { key, keyId } = made.body
    const { taskId } = await service.clientOf(key).createTask({ body: aCreateBody() })
    await administrator.ask('DELETE', `${path}/${keyId}`)
    const { body } = await administrator.ask<TaskFile>('GET', api(`/tasks/${taskId}`))
    const created = body.story.find(({ kind }) => kind === 'task.create')
    expect(created?.by).to.deep.equal({ kind: 'key', id: keyId, name: 'Ida Holm' })
    expect(created?.sentence).to.include(`with key ${keyId} of Ida Holm`)
    expect((await operator.ask('POST', path, { description: 'Nobody’s' })).errors).to.deep.equal([
      'personName: required; text of 1 to 100 characters',
    ])
  })

  it('retires a template: it is no longer offered, and tasks that use it go on', async () => {
    const templateId = TEMPLATE.verbalOrder
    const body = aCreateBody({ document: { annotations: { type: 'Template', templateId } } })
    const taskId = await service.create(body)
    expect((await administrator.ask('POST', api(`/templates/${templateId}/retire`), {})).status).to.equal(204)
    await service.reaches(taskId, 'Pending')
    await service.signs(taskId)
    await service.reaches(taskId, 'Completed')
    expect((await service.client.listTemplates()).map((template) => template.templateId)).not.to.include(templateId)
    const refused = await service.ask('POST', '/api/v1/signature/tasks', { body })
    expect(refused.errors.join(' ')).to.include('document.annotations.templateId: unknown')
    expect((await administrator.ask('GET', api(`/templates/${templateId}`))).status).to.equal(404)
    expect((await administrator.ask('POST', api(`/templates/${templateId}/retire`), {})).status).to.equal(404)
  })

  it('refuses a change that changes nothing, and names what can be changed', async () => {
    const template = api(`/templates/${TEMPLATE.certification}`)
    for (const [path, names] of [
      [
        api(`/organizations/${own.id}`),
        'npi, addresses, ingestionEnabled, activeContent, coversTokens, signatureRule, allowsDelegation, timeZone, documents, isActive',
      ],
      [api(`/providers/${SIGNER.marsh}`), 'isActive, organizationIds'],
      [
        template,
        'summary, clinicalDateLabel, diagnosisCode, daysBefore, daysAfter, pdfRequired, signatureRule, coversTokens, fields',
      ],
    ] as const) {
      const { status, errors } = await operator.ask('PATCH', path, {})
      expect([status, errors], path).to.deep.equal([400, [`body: at least one of ${names}`]])
    }
  })

  it('adds a document type that senders can use', async () => {
    const body = { name: 'Infusion order', category: 'Order' }
    const { id } = (await operator.ask<{ id: number }>('POST', api('/document-types'), body)).body
    expect(await service.client.listDocumentTypes()).to.deep.include({ id, ...body })
    await service.create(aCreateBody({ document: { documentTypeId: id } }))
  })
})
