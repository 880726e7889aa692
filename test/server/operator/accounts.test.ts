/** Accounts in the console: who may give them to whom, what a new password ends, and what the audit log keeps of it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { SIGN_INS_PER_ACCOUNT } from '../../../server/choices.ts'
import { type ChainedRow, OPERATOR } from '../../../server/domain/audit.ts'
import type { Person } from '../../../server/operations/operator/messages/accounts.ts'
import type { Organization } from '../../../server/operations/operator/messages/organizations.ts'
import { openStore } from '../../../server/store/store.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { endsSoon, followed } from '../../support/browser/followed.ts'
import { SIGNER, TEMPLATE } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { quickHash } from '../../support/service/an-account.ts'

const PASSWORD = 'correct horse battery staple'
const NEW_PASSWORD = 'another horse, another staple'
const api = (path: string) => `/admin/v1${path}`

const EASY = 'password: easy to guess, because it repeats itself; choose four words that are unrelated'

describe('accounts in the console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-accounts-'))
  const masterKey = Buffer.alloc(32, 9)
  let service: TestService
  let operator: Visit
  let administrator: Visit
  let own: number
  let foreign: number
  before(async () => {
    service = await aService({ data: folder, masterKey: masterKey.toString('base64') })
    operator = aVisit(service.baseUrl)
    administrator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    await administrator.signInAs('Willow Creek administrator')
    const all = (await operator.ask<Organization[]>('GET', api('/organizations'))).body
    own = all.find(({ name }) => name === 'Willow Creek Home Health')!.id
    foreign = all.find(({ name }) => name === 'Northfield Hospice')!.id
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const account = (email: string, organizationId: number | null, role = 'administrator') => ({
    email,
    name: 'Ann Vale',
    role,
    npi: null,
    organizationId,
    password: PASSWORD,
  })
  const add = async (visit: Visit, body: object) => (await visit.ask<Person>('POST', api('/accounts'), body)).body
  const signedIn = async (email: string, password = PASSWORD) => {
    const visit = aVisit(service.baseUrl)
    return { visit, status: (await visit.signIn(email, password)).status }
  }
  const listed = async (id: number) =>
    (await operator.ask<Person[]>('GET', api('/accounts'))).body.find((person) => person.id === id)
  /** What the audit log got while `work` ran. */
  const auditedBy = async (work: () => Promise<unknown>): Promise<ChainedRow[]> => {
    const store = await openStore(folder, masterKey)
    const { sequence } = await store.audit.head()
    await work()
    const rows = []
    for await (const row of store.audit.rows(sequence)) rows.push(row)
    expect((await store.audit.verify()).fault).to.equal(null)
    await store.close()
    return rows
  }
  const told = (rows: readonly ChainedRow[]) =>
    rows.map(({ action, actor, outcome, organizationId, subject }) => [action, actor, outcome, organizationId, subject])

  it('lets only an operator add accounts, so that nobody else learns which addresses have one, or takes one first', async () => {
    const { id } = await add(operator, account('ann@willow.example', own))
    const { visit, status } = await signedIn('ann@willow.example')
    expect(status).to.equal(200)
    expect((await visit.ask<Organization[]>('GET', api('/organizations'))).body.map((one) => one.id)).to.deep.equal([
      own,
    ])
    const everybody = (await operator.ask<Person[]>('GET', api('/accounts'))).body
    const answers = new Set<string>()
    for (const email of [
      ...everybody.map((person) => person.email),
      'new@willow.example',
      'new@northfield.example',
      'x',
    ])
      for (const body of [account(email, own), account(email, foreign), account(email, null, 'operator')]) {
        const { status: refused, errors } = await administrator.ask('POST', api('/accounts'), body)
        answers.add(JSON.stringify([refused, errors]))
      }
    expect([...answers]).to.have.length(1)
    expect(JSON.parse([...answers][0]!)).to.have.property('0', 403)
    const listed = (await administrator.ask<Person[]>('GET', api('/accounts'))).body
    expect(listed.map((person) => person.id)).to.include(id)
    expect(listed.every((person) => person.organizationId === own && person.role === 'administrator')).to.equal(true)
    expect(everybody.length).to.be.above(listed.length)
  })

  it('gives a new password, which ends every session of the person', async () => {
    const { id } = await add(operator, account('bea@willow.example', own))
    const { visit } = await signedIn('bea@willow.example')
    const path = api(`/accounts/${id}/password`)
    expect((await administrator.ask('POST', path, { password: 'short' })).status).to.equal(400)
    expect((await administrator.ask('POST', path, { password: NEW_PASSWORD })).status).to.equal(204)
    expect((await visit.ask('GET', api('/counts'))).status).to.equal(401)
    expect((await signedIn('bea@willow.example')).status).to.equal(401)
    expect((await signedIn('bea@willow.example', NEW_PASSWORD)).status).to.equal(200)
  })

  it('disables an account, which ends its sessions and live streams at once, and enables it again', async () => {
    const { id } = await add(operator, account('gil@willow.example', own))
    const { visit } = await signedIn('gil@willow.example')
    const stream = await followed(service, visit.cookie)
    const path = api(`/accounts/${id}`)
    expect((await administrator.ask('PATCH', path, { isActive: false })).status).to.equal(204)
    expect((await visit.ask('GET', api('/counts'))).status).to.equal(401)
    expect(await endsSoon(stream)).to.equal(true)
    const refused = await aVisit(service.baseUrl).signIn('gil@willow.example', PASSWORD)
    const unknown = await aVisit(service.baseUrl).signIn('nobody-at-all@willow.example', PASSWORD)
    expect([refused.status, refused.errors]).to.deep.equal([unknown.status, unknown.errors])
    expect((await listed(id))?.disabledAt).to.be.a('string')

    expect((await administrator.ask('PATCH', path, { isActive: true })).status).to.equal(204)
    expect((await visit.ask('GET', api('/counts'))).status, 'the old session stays ended').to.equal(401)
    expect((await signedIn('gil@willow.example')).status).to.equal(200)
    expect((await administrator.ask('PATCH', path, {})).status).to.equal(400)
  })

  it('removes an account, which ends its sessions and frees the address; who it was stays known', async () => {
    const { id } = await add(operator, account('hal@willow.example', own))
    const { visit } = await signedIn('hal@willow.example')
    const stream = await followed(service, visit.cookie)
    const path = api(`/accounts/${id}`)
    expect((await administrator.ask('DELETE', path)).status).to.equal(204)
    expect((await visit.ask('GET', api('/counts'))).status).to.equal(401)
    expect(await endsSoon(stream)).to.equal(true)
    for (const email of ['hal@willow.example', `removed-${id}`])
      expect((await signedIn(email)).status, email).to.equal(401)
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { isActive: true }],
    ] as const)
      expect((await administrator.ask(method, path, body)).status, method).to.equal(404)
    expect((await administrator.ask('POST', `${path}/password`, { password: NEW_PASSWORD })).status).to.equal(404)
    expect(await listed(id)).to.equal(undefined)

    const next = await add(operator, { ...account('hal@willow.example', own), password: NEW_PASSWORD })
    expect(next.id).not.to.equal(id)
    expect((await signedIn('hal@willow.example', NEW_PASSWORD)).status).to.equal(200)
    expect((await visit.ask('GET', api('/counts'))).status, 'a session of the old account').to.equal(401)
    const removed = (await administrator.ask<Person[]>('GET', api('/accounts?removed=true'))).body
    expect(removed.find((person) => person.id === id)).to.include({ email: 'hal@willow.example', name: 'Ann Vale' })
    expect(removed.every((person) => person.removedAt !== null)).to.equal(true)
  })

  it('lets nobody end their own account, an account beyond their reach, or that of the last operator', async () => {
    const all = (await operator.ask<Person[]>('GET', api('/accounts'))).body
    const last = all.find(({ role }) => role === 'operator')!
    const end = async (visit: Visit, id: number) => [
      (await visit.ask('PATCH', api(`/accounts/${id}`), { isActive: false })).status,
      (await visit.ask('DELETE', api(`/accounts/${id}`))).status,
    ]
    expect(await end(operator, last.id)).to.deep.equal([409, 409])
    expect(await end(administrator, last.id)).to.deep.equal([404, 404])
    const store = await openStore(folder, masterKey)
    for (const act of ['disable', 'remove'] as const) {
      const refused = await store.people[act](last.id, new Date(), OPERATOR).catch((reason: Error) => reason.message)
      expect(refused).to.equal('This is the last operator who can sign in. Add another one first.')
    }
    await store.close()
  })

  it('opens no session for an account that ended, or got a new password, while its password was being checked', async () => {
    const store = await openStore(folder, masterKey)
    for (const [email, end] of [
      ['ivy@willow.example', (id: number) => store.people.disable(id, new Date(), OPERATOR)],
      ['ike@willow.example', (id: number) => store.people.remove(id, new Date(), OPERATOR)],
      ['ira@willow.example', (id: number) => store.people.setPassword(id, 'scrypt$another', new Date())],
    ] as const) {
      const { id } = await add(operator, account(email, own))
      const passwordHash = await store.people.passwordHashOf(id)
      await end(id)
      const at = new Date()
      const session = { digest: email, personId: id, passwordHash, at, expiresAt: new Date(at.getTime() + 60_000) }
      expect(await store.sessions.open({ ...session, ip: '127.0.0.1' }), email).to.equal(false)
    }
    await store.close()
  })

  it('lets people change their own password with the old one, which ends their other sessions', async () => {
    const { id } = await add(operator, account('joy@willow.example', own))
    const { visit } = await signedIn('joy@willow.example')
    const other = (await signedIn('joy@willow.example')).visit
    const change = (current: string, password: string) =>
      visit.ask('POST', '/account/api/password', { current, password })
    expect((await change('not the password', NEW_PASSWORD)).errors).to.deep.equal(['current: not your password'])
    expect((await change(PASSWORD, 'aaaaaaaaaaaa')).errors).to.deep.equal([EASY])
    const own409 = await visit.ask('POST', api(`/accounts/${id}/password`), { password: NEW_PASSWORD })
    expect(own409.status, 'without the old one').to.equal(409)

    expect((await change(PASSWORD, NEW_PASSWORD)).status).to.equal(204)
    expect((await visit.ask('GET', api('/counts'))).status).to.equal(200)
    expect((await other.ask('GET', api('/counts'))).status).to.equal(401)
    expect((await signedIn('joy@willow.example')).status).to.equal(401)
    expect((await signedIn('joy@willow.example', NEW_PASSWORD)).status).to.equal(200)
  })

  it('refuses a change of one’s own password from elsewhere, without a session, and after too many guesses', async () => {
    await add(operator, account('kay@willow.example', own))
    const { visit } = await signedIn('kay@willow.example')
    const path = '/account/api/password'
    const body = { current: PASSWORD, password: NEW_PASSWORD }
    expect((await visit.ask('POST', path, body, { origin: 'https://evil.example' })).status).to.equal(403)
    expect((await visit.ask('POST', path, body, { 'x-page-token': 'x' })).status).to.equal(403)
    expect((await visit.ask('POST', path, body, { cookie: '' })).status).to.equal(401)
    for (let i = 0; i < SIGN_INS_PER_ACCOUNT; i++)
      expect((await visit.ask('POST', path, { ...body, current: `guess ${i}` })).status).to.equal(400)
    expect((await visit.ask('POST', path, body)).status).to.equal(429)
    const elsewhere = (await signedIn('kay@willow.example')).visit
    expect((await elsewhere.ask('POST', path, body)).status, 'the owner elsewhere').to.equal(204)
  })

  it('takes no password that is easy to guess, neither for a new account nor as a new password', async () => {
    const { id } = await add(operator, account('cal@willow.example', own))
    for (const password of ['aaaaaaaaaaaa', '123456789012', ' '.repeat(12), 'ann.vale@willow.example']) {
      const body = { ...account('ann.vale@willow.example', own), password }
      const added = await operator.ask('POST', api('/accounts'), body)
      expect(added.status, password).to.equal(400)
      expect(added.errors[0], password).to.match(/^password: (?:easy to guess, because it |not of spaces alone)/)
    }
    const changed = await operator.ask('POST', api(`/accounts/${id}/password`), { password: 'aaaaaaaaaaaa' })
    expect([changed.status, changed.errors[0]]).to.deep.equal([400, EASY])
    expect((await signedIn('cal@willow.example')).status, 'with the old one').to.equal(200)
  })

  it('lets only the operator give a new password outside an administrator’s organization', async () => {
    const theirs = await add(operator, account('cy@northfield.example', foreign))
    const signer = await add(operator, { ...account('dee@clinic.example', null, 'signer'), npi: SIGNER.calder })
    for (const { id, email } of [theirs, signer]) {
      const path = api(`/accounts/${id}/password`)
      expect((await administrator.ask('POST', path, { password: NEW_PASSWORD })).status).to.equal(404)
      expect((await operator.ask('POST', path, { password: NEW_PASSWORD })).status).to.equal(204)
      expect((await signedIn(email, NEW_PASSWORD)).status).to.equal(200)
    }
    expect((await operator.ask('POST', api('/accounts/9999/password'), { password: NEW_PASSWORD })).status).to.equal(
      404,
    )
  })

  it('audits every change of accounts, providers, templates, organizations and document types, by ids only', async () => {
    const npi = '9999900076'
    const path = api(`/templates/${TEMPLATE.certification}`)
    const { body: template } = await operator.ask<object>('GET', path)
    let id = 0
    let typeId = 0
    const rows = await auditedBy(async () => {
      id = (await add(operator, account('eve@willow.example', own))).id
      await administrator.ask('POST', api(`/accounts/${id}/password`), { password: NEW_PASSWORD })
      await administrator.ask('PATCH', api(`/accounts/${id}`), { isActive: false })
      await administrator.ask('PATCH', api(`/accounts/${id}`), { isActive: true })
      await administrator.ask('DELETE', api(`/accounts/${id}`))
      await operator.ask('PATCH', api(`/organizations/${own}`), { addresses: [] })
      const provider = { npi, firstName: 'Mia', lastName: 'Berg', signingName: 'Mia Berg MD', organizationIds: [own] }
      await operator.ask('POST', api('/providers'), provider)
      await operator.ask('PATCH', api(`/providers/${npi}`), { isActive: false })
      await operator.ask('PATCH', api(`/providers/${npi}`), { organizationIds: [foreign] })
      await administrator.ask('PATCH', path, template)
      await administrator.ask('POST', `${path}/retire`, {})
      const type = { name: 'Interim Order', category: 'Order' }
      typeId = (await operator.ask<{ id: number }>('POST', '/admin/v1/document-types', type)).body.id
      expect((await administrator.ask('POST', '/admin/v1/document-types', type)).status).to.equal(403)
    })
    const templateId = String(TEMPLATE.certification)
    expect(told(rows)).to.deep.equal([
      ['account.create', 'operator', 'done', own, String(id)],
      ['account.password', 'operator', 'done', own, String(id)],
      ['account.disable', 'operator', 'done', own, String(id)],
      ['account.enable', 'operator', 'done', own, String(id)],
      ['account.remove', 'operator', 'done', own, String(id)],
      ['organization.update', 'operator', 'done', own, null],
      ['provider.create', 'operator', 'done', null, npi],
      ['provider.update', 'operator', 'done', null, npi],
      ['provider.update', 'operator', 'done', null, npi],
      ['template.update', 'operator', 'done', own, templateId],
      ['template.retire', 'operator', 'done', own, templateId],
      ['document-type.create', 'operator', 'done', null, String(typeId)],
    ])
    expect(rows.every(({ actorId, ip, requestId }) => actorId && ip && requestId)).to.equal(true)
    expect(JSON.stringify(rows)).not.to.match(/Vale|Berg|willow\.example|horse/)
  })

  it('audits failed sign-ins, whether there is such an account or not, no more of them than the throttle lets through, and once that it does not', async () => {
    const { id } = await add(operator, account('flo@willow.example', own))
    const store = await openStore(folder, masterKey)
    await store.people.setPassword(id, quickHash(PASSWORD), new Date())
    await store.close()
    const rows = await auditedBy(async () => {
      for (let i = 0; i < SIGN_INS_PER_ACCOUNT + 3; i++) await signedIn('flo@willow.example', 'not the password')
      await signedIn('nobody@willow.example', 'not the password')
    })
    const failed = (organizationId: number | null, subject: string | null, action = 'session.begin') => [
      action,
      'visitor',
      'refused',
      organizationId,
      subject,
    ]
    expect(told(rows)).to.deep.equal([
      ...Array.from({ length: SIGN_INS_PER_ACCOUNT }, () => failed(own, String(id))),
      failed(own, String(id), 'session.throttle'),
      failed(null, null),
    ])
    expect(rows.every(({ actorId, ip }) => actorId === null && ip === '127.0.0.1')).to.equal(true)
    expect(JSON.stringify(rows)).not.to.match(/willow\.example|not the password/)
  })
})
