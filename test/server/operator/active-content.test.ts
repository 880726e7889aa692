/** What may be in the documents of an organization, set in the console: by whom, how far, and written down. */
import { expect } from 'chai'
import type { Organization, OrganizationFile } from '../../../server/operations/operator/messages/organizations.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { countersign } from '../../support/service/served.ts'

const STRIP = { javaScript: 'strip', openAction: 'strip', embeddedFiles: 'strip' } as const

describe('active content in the console', () => {
  const data = aFolder()
  let service: TestService
  let operator: Visit
  let administrator: Visit
  let own: string
  let other: string
  before(async () => {
    service = await aService({ data })
    operator = aVisit(service.baseUrl)
    administrator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    await administrator.signInAs('Willow Creek administrator')
    const all = (await operator.ask<Organization[]>('GET', '/admin/v1/organizations')).body
    const pathOf = (wanted: string) => `/admin/v1/organizations/${all.find(({ name }) => name === wanted)!.id}`
    own = pathOf('Willow Creek Home Health')
    other = pathOf('Northfield Hospice')
  })
  after(() => service.stop())

  const change = (visit: Visit, path: string, activeContent: unknown) => visit.ask('PATCH', path, { activeContent })
  const fileOf = async (visit: Visit, path: string) => (await visit.ask<OrganizationFile>('GET', path)).body
  const policyOf = async (path: string) => (await fileOf(operator, path)).organization.activeContent

  it('is stripped unless something else was decided', async () => {
    expect(await policyOf(own)).to.deep.equal(STRIP)
    expect((await fileOf(administrator, own)).mayChange).to.equal(false)
    expect((await fileOf(operator, own)).mayChange).to.equal(true)
  })

  it('may be changed by the operator, kind by kind', async () => {
    expect((await change(operator, other, { openAction: 'allow' })).status).to.equal(204)
    expect((await change(operator, other, { javaScript: 'refuse' })).status).to.equal(204)
    expect(await policyOf(other)).to.deep.equal({ ...STRIP, openAction: 'allow', javaScript: 'refuse' })
    expect(await policyOf(own)).to.deep.equal(STRIP)
  })

  it('may be refused or stripped by an administrator of the organization; only the operator may let it stay', async () => {
    expect((await change(administrator, own, { embeddedFiles: 'refuse' })).status).to.equal(204)
    const { status, errors } = await change(administrator, own, { javaScript: 'strip', embeddedFiles: 'allow' })
    expect(status).to.equal(403)
    expect(errors).to.deep.equal(['activeContent: the operator of the service decides what stays in a document'])
    expect(await policyOf(own)).to.deep.equal({ ...STRIP, embeddedFiles: 'refuse' })

    await change(operator, own, { openAction: 'allow' })
    expect((await change(administrator, own, { openAction: 'strip' })).status).to.equal(204)
    expect(await policyOf(own)).to.deep.equal({ ...STRIP, embeddedFiles: 'refuse' })
  })

  it('may not be decided by an administrator of another organization', async () => {
    expect((await change(administrator, other, { javaScript: 'strip' })).status).to.equal(404)
    expect((await policyOf(other)).javaScript).to.equal('refuse')
  })

  it('says what is allowed when something else is asked for', async () => {
    const refused = async (asked: unknown) => {
      const { status, errors } = await change(operator, own, asked)
      expect(status).to.equal(400)
      return errors
    }
    const named = ['activeContent: at least one of javaScript, openAction, embeddedFiles']
    expect(await refused({})).to.deep.equal(named)
    expect(await refused({ javascript: 'allow' })).to.deep.equal(named)
    expect(await refused({ javaScript: 'run' })).to.deep.equal([
      'activeContent.javaScript: one of strip, refuse, allow',
    ])
    expect(await refused('allow')).to.deep.equal(['activeContent: an object'])
    expect(await refused({ javaScript: null })).to.have.length(1)
  })

  it('may be decided when an organization is added', async () => {
    const body = {
      name: 'Elm Home Care',
      addresses: [],
      ingestionEnabled: true,
      activeContent: { javaScript: 'refuse' },
    }
    const { id } = (await operator.ask<{ id: number }>('POST', '/admin/v1/organizations', body)).body
    expect(await policyOf(`/admin/v1/organizations/${id}`)).to.deep.equal({ ...STRIP, javaScript: 'refuse' })
  })

  it('is in the audit log each time it was changed, with who did it', async () => {
    const { stdout } = await countersign(['audit', 'export', '--data', data])
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { action: string; actor: string })
    const changes = rows.filter(({ action }) => action === 'organization.update')
    expect(changes).to.have.length(5)
    for (const row of changes) expect(row).to.include({ actor: 'operator', outcome: 'done' })
  })
})
