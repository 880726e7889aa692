/** Changing whose an account is and what it may do, the last sign-in, and signing a person out everywhere. */
import { expect } from 'chai'
import type { AccountChangeBody, Person } from '../../../server/operations/operator/messages/accounts.ts'
import type { AuditListed } from '../../../server/operations/operator/messages/audit.ts'
import type { Organization } from '../../../server/operations/operator/messages/organizations.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const PASSWORD = 'correct horse battery staple'
const EMAIL = 'ann@willow.example'

describe('an account', function () {
  this.timeout(60_000)
  let service: TestService
  let operator: Visit
  let organizationId: number
  let id: number
  before(async () => {
    service = await aService()
    operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const { body } = await operator.ask<Organization[]>('GET', '/admin/v1/organizations')
    organizationId = body.find(({ name }) => name === 'Willow Creek Home Health')!.id
    const account = { email: EMAIL, name: 'Ann Vale', role: 'administrator', organizationId, password: PASSWORD }
    id = (await operator.ask<Person>('POST', '/admin/v1/accounts', account)).body.id
  })
  after(() => service?.stop())

  const listed = async () =>
    (await operator.ask<Person[]>('GET', '/admin/v1/accounts')).body.find((person) => person.id === id)!
  const change = (body: AccountChangeBody, by = operator, of = id) => by.ask('PATCH', `/admin/v1/accounts/${of}`, body)
  const signedIn = async (email = EMAIL) => {
    const visit = aVisit(service.baseUrl)
    expect((await visit.signIn(email, PASSWORD)).status).to.equal(200)
    return visit
  }
  const isIn = async (visit: Visit) => (await visit.ask('GET', '/admin/v1/organizations')).status === 200
  const entries = async (action: string) =>
    (await operator.ask<AuditListed[]>('GET', `/admin/v1/audit?action=${action}`)).body.map(({ by, subject }) => [
      by.name,
      subject,
    ])

  it('shows when its owner signed in the last time', async () => {
    expect((await listed()).lastSignInAt).to.equal(null)
    const before = Date.now()
    await signedIn()
    expect(Date.parse((await listed()).lastSignInAt!)).to.be.at.least(before - 1)
  })

  it('is signed out everywhere by its owner, or by an operator, and can sign in again', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    expect((await one.ask('DELETE', '/account/api/sessions')).status).to.equal(204)
    expect([await isIn(one), await isIn(other)]).to.deep.equal([false, false])
    const again = await signedIn()
    expect((await operator.ask('POST', `/admin/v1/accounts/${id}/sign-out`)).status).to.equal(204)
    expect(await isIn(again)).to.equal(false)
    expect(await isIn(operator)).to.equal(true)
    expect(await entries('account.sign-out')).to.deep.equal([
      ['Service operator', String(id)],
      ['Ann Vale', String(id)],
    ])
    const theirs = await signedIn()
    const operators = (await operator.ask<Person[]>('GET', '/admin/v1/accounts')).body.find(
      ({ role }) => role === 'operator',
    )!
    expect((await theirs.ask('POST', `/admin/v1/accounts/${operators.id}/sign-out`)).status).to.equal(404)
  })

  it('keeps its sessions through another name, and ends them with another address or role', async () => {
    const visit = await signedIn()
    expect((await change({ name: 'Ann Vale-Reed' })).status).to.equal(204)
    expect([await isIn(visit), (await listed()).name]).to.deep.equal([true, 'Ann Vale-Reed'])
    expect((await change({ email: 'Ann.Reed@willow.example' })).status).to.equal(204)
    expect([await isIn(visit), (await listed()).email]).to.deep.equal([false, 'ann.reed@willow.example'])
    const moved = await signedIn('ann.reed@willow.example')
    expect((await change({ role: 'signer', npi: SIGNER.calder })).status).to.equal(204)
    expect(await isIn(moved)).to.equal(false)
    expect(await listed()).to.include({ role: 'signer', npi: SIGNER.calder, organizationId: null })
    expect((await change({ role: 'administrator', organizationId })).status).to.equal(204)
    expect(await listed()).to.include({ role: 'administrator', npi: null, organizationId })
    expect((await entries('account.update')).length).to.equal(4)
  })

  it('says what is wrong with a change, and changes nothing then', async () => {
    const before = await listed()
    const errorsOf = async (body: AccountChangeBody, by = operator, of = id) => {
      const { status, errors } = await change(body, by, of)
      return [status, ...errors]
    }
    expect(await errorsOf({ role: 'signer' })).to.deep.equal([400, 'npi: the NPI of a provider of this service'])
    expect(await errorsOf({ organizationId: 9_999 })).to.deep.equal([
      400,
      'organizationId: the id of an organization of this service',
    ])
    expect(await errorsOf({ email: 'nobody' })).to.deep.equal([
      400,
      'email: an e-mail address in ASCII letters, digits, and signs',
    ])
    const everyone = (await operator.ask<Person[]>('GET', '/admin/v1/accounts')).body
    const another = everyone.find((person) => person.id !== id)!
    expect(await errorsOf({ email: another.email })).to.deep.equal([
      409,
      'email: another account has this e-mail address',
    ])
    const self = everyone.find(({ role }) => role === 'operator')!
    expect((await errorsOf({ role: 'administrator', organizationId }, operator, self.id))[0]).to.equal(409)
    const administrator = await signedIn(before.email)
    expect((await errorsOf({ email: 'other@willow.example' }, administrator))[0]).to.equal(403)
    expect((await errorsOf({ name: 'Ann' }, administrator))[0]).to.equal(204)
    expect(await listed()).to.deep.equal({ ...before, name: 'Ann', lastSignInAt: (await listed()).lastSignInAt })
  })
})
