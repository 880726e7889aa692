/** What operators decide about second factors: who must have one, and for whom a lost one is removed. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { OPERATOR } from '../../../server/domain/audit.ts'
import type { NewAccount } from '../../../server/operations/operator/accounts/add-person.ts'
import type { Person } from '../../../server/operations/operator/messages/accounts.ts'
import type { ShownOffer } from '../../../server/people/second-factor/shown-offer.ts'
import { openStore } from '../../../server/store/store.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { anAccount } from '../../support/service/an-account.ts'
import { anAuthenticator } from '../../support/service/an-authenticator.ts'
import { OWN, setUp, stillClock } from '../../support/service/second-factors.ts'
import { countersign } from '../../support/service/served.ts'

const PASSWORD = 'correct horse battery staple'
const STEP = '/account/api/session/second-factor'
const COUNTS = '/admin/v1/counts'

describe('second factors of others', function () {
  this.timeout(60_000)
  const data = aFolder()
  const masterKey = Buffer.alloc(32, 7)
  const clock = stillClock()
  const services: Record<string, TestService> = {}
  const ids: Record<string, number> = {}

  before(async () => {
    const options = { data, masterKey: masterKey.toString('base64'), clock, sandbox: false }
    // One after the other: the first makes the schema.
    for (const secondFactor of ['nobody', 'staff', 'everybody'] as const)
      services[secondFactor] = await aService({ ...options, secondFactor })
    const store = await openStore(data, masterKey)
    const [own, foreign] = (await store.organizations.list()).filter(({ ingestionEnabled }) => ingestionEnabled)
    const accounts: Record<string, Pick<NewAccount, 'role' | 'npi' | 'organizationId'>> = {
      operator: { role: 'operator' },
      other: { role: 'operator' },
      administrator: { role: 'administrator', organizationId: own!.id },
      colleague: { role: 'administrator', organizationId: own!.id },
      stranger: { role: 'administrator', organizationId: foreign!.id },
      signer: { role: 'signer', npi: SIGNER.calder },
    }
    for (const [name, account] of Object.entries(accounts)) {
      const person = { ...account, name, email: `${name}@willow.example`, password: PASSWORD }
      ids[name] = await anAccount(store, person)
    }
    await store.close()
  })
  after(() => Promise.all(Object.values(services).map((service) => service.stop())))
  beforeEach(async () => {
    const store = await openStore(data, masterKey)
    for (const personId of Object.values(ids))
      await store.secondFactors.remove({ personId, at: new Date(), by: OPERATOR })
    await store.close()
  })

  async function signIn(name: string, requiredOf: string) {
    const visit = aVisit(services[requiredOf]!.baseUrl)
    const { status, body } = await visit.signIn(`${name}@willow.example`, PASSWORD)
    expect(status).to.equal(200)
    return { visit, missing: body.missing }
  }

  it('are required of nobody, of staff, or of everybody', async () => {
    const missing = async (requiredOf: string) =>
      Promise.all(['operator', 'administrator', 'signer'].map(async (name) => (await signIn(name, requiredOf)).missing))
    expect(await missing('nobody')).to.deep.equal([null, null, null])
    expect(await missing('staff')).to.deep.equal(['enrolment', 'enrolment', null])
    expect(await missing('everybody')).to.deep.equal(['enrolment', 'enrolment', 'enrolment'])
  })

  it('are set up right after the password where they are required, and before anything else', async () => {
    const { visit } = await signIn('operator', 'staff')
    for (const path of [COUNTS, '/inbox/api/documents', OWN])
      expect((await visit.ask('GET', path)).status, path).to.equal(401)
    expect((await visit.enterCode('000000')).status, 'there is none to enter a code of').to.equal(401)
    expect((await visit.enrol('000000')).status, 'before there is a secret').to.equal(400)
    expect((await visit.ask('POST', STEP, undefined, { origin: 'https://evil.example' })).status).to.equal(403)
    const first = await visit.ask<ShownOffer>('POST', STEP)
    const { body } = await visit.ask<ShownOffer>('POST', STEP)
    expect(body.secret).not.to.equal(first.body.secret)
    const app = anAuthenticator(body.secret)
    for (const code of [app.wrong(clock.now()), anAuthenticator(first.body.secret).code(clock.now())])
      expect((await visit.enrol(code)).status).to.equal(400)
    expect((await visit.ask('GET', COUNTS)).status).to.equal(401)

    const enrolled = await visit.enrol(app.code(clock.now()))
    expect(enrolled.status).to.equal(200)
    expect(enrolled.body.recoveryCodes.length).to.equal(10)
    expect(enrolled.body.visitor?.name).to.equal('operator')
    expect((await visit.ask('GET', COUNTS)).status).to.equal(200)
    clock.nextCode()
    const removal = await visit.ask('POST', `${OWN}/removal`, { code: app.code(clock.now()) })
    expect([removal.status, removal.errors]).to.deep.equal([
      409,
      ['A second factor is required here. You can replace it.'],
    ])
  })

  it('are not set up by a sign-in that began before the owner set one up', async () => {
    const thief = (await signIn('operator', 'staff')).visit
    const { body } = await thief.ask<ShownOffer>('POST', STEP)
    const { visit } = await signIn('operator', 'nobody')
    await setUp(visit, PASSWORD, clock)
    expect((await thief.enrol(anAuthenticator(body.secret).code(clock.now()))).status).to.equal(401)
    expect((await thief.ask('POST', STEP)).status).to.equal(401)
    expect((await signIn('operator', 'staff')).missing).to.equal('code')
  })

  it('are removed by an operator, which ends the sessions, and by nobody beyond their reach', async () => {
    const { visit: operator } = await signIn('operator', 'nobody')
    const { visit: administrator } = await signIn('administrator', 'nobody')
    const remove = (by: Visit, name: string) => by.ask('DELETE', `/admin/v1/accounts/${ids[name]}/second-factor`)
    const listed = async (name: string) =>
      (await operator.ask<Person[]>('GET', '/admin/v1/accounts')).body.find(({ id }) => id === ids[name])
    for (const name of ['colleague', 'stranger', 'signer']) {
      const { visit } = await signIn(name, 'nobody')
      await setUp(visit, PASSWORD, clock)
      expect((await listed(name))?.hasSecondFactor, name).to.equal(true)
      if (name !== 'colleague') expect((await remove(administrator, name)).status, name).to.equal(404)
      expect((await remove(name === 'colleague' ? administrator : operator, name)).status, name).to.equal(204)
      expect((await visit.ask('GET', OWN)).status, name).to.equal(401)
      expect((await listed(name))?.hasSecondFactor, name).to.equal(false)
      expect((await signIn(name, 'nobody')).missing).to.equal(null)
      expect((await remove(operator, name)).status, 'there is none any more').to.equal(409)
    }
    expect((await remove(operator, 'operator')).status, 'their own').to.equal(409)
    expect((await operator.ask('DELETE', '/admin/v1/accounts/9999/second-factor')).status).to.equal(404)
  })

  it('end with the account, and so does a sign-in that lacks one', async () => {
    const { visit: operator } = await signIn('operator', 'nobody')
    const account = { email: 'leaver@willow.example', name: 'A Leaver', role: 'operator', password: PASSWORD }
    const { id } = (await operator.ask<Person>('POST', '/admin/v1/accounts', account)).body
    const { visit } = await signIn('leaver', 'nobody')
    const { app } = await setUp(visit, PASSWORD, clock)
    const { visit: half, missing } = await signIn('leaver', 'nobody')
    expect(missing).to.equal('code')
    expect((await operator.ask('DELETE', `/admin/v1/accounts/${id}`)).status).to.equal(204)
    expect((await half.enterCode(app.code(clock.now()))).status).to.equal(401)
    const database = new DatabaseSync(join(data, 'countersign.sqlite'))
    for (const table of ['second_factor', 'recovery_code', 'second_factor_offer', 'sign_in_step'])
      expect(database.prepare(`SELECT * FROM ${table} WHERE person_id = ?`).all(id), table).to.deep.equal([])
    database.close()
  })

  it('are removed at the command line, with an entry in the audit log', async () => {
    const { visit } = await signIn('other', 'nobody')
    await setUp(visit, PASSWORD, clock)
    const call = ['people', 'remove-second-factor', '--email', 'other@willow.example', '--data', data]
    const env = { COUNTERSIGN_MASTER_KEY: masterKey.toString('base64') }
    expect((await countersign(call, env)).code).to.equal(0)
    expect((await visit.ask('GET', OWN)).status).to.equal(401)
    const again = await countersign(call, env)
    expect([again.code, again.stderr]).to.deep.equal([2, 'countersign: This account has no second factor.\n'])
    const store = await openStore(data, masterKey)
    const rows = []
    for await (const row of store.audit.rows(0)) rows.push(row)
    await store.close()
    expect(rows.filter(({ action }) => action === 'second-factor.remove').at(-1)).to.include({
      actor: 'operator',
      actorId: null,
      outcome: 'done',
      subject: String(ids.other),
    })
  })
})
