/** People set up, replace and turn off their own second factor, and renew its recovery codes; and those who find a page of theirs open. */
import { expect } from 'chai'
import { CODE_TRIES, SIGN_IN_STEP_MS, SIGN_INS_PER_ACCOUNT } from '../../../server/choices.ts'
import type { Enrolled } from '../../../server/http/callers/second-step.ts'
import type { ShownOffer } from '../../../server/people/second-factor/shown-offer.ts'
import { openStore } from '../../../server/store/store.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { anAccount } from '../../support/service/an-account.ts'
import { type Authenticator, anAuthenticator } from '../../support/service/an-authenticator.ts'
import { OWN, setUp, stillClock } from '../../support/service/second-factors.ts'

const PASSWORD = 'correct horse battery staple'
const DOCUMENTS = '/inbox/api/documents'

describe('one’s own second factor', function () {
  this.timeout(60_000)
  const data = aFolder()
  const masterKey = Buffer.alloc(32, 7)
  const clock = stillClock()
  let service: TestService
  let email: string
  let id: number
  let visit: Visit
  let count = 0

  before(async () => {
    service = await aService({ data, masterKey: masterKey.toString('base64'), clock })
  })
  after(() => service.stop())
  beforeEach(async () => {
    email = `signer${++count}@practice.example`
    const account = { email, name: 'A Signer', role: 'signer', npi: SIGNER.calder, password: PASSWORD } as const
    const store = await openStore(data, masterKey)
    id = await anAccount(store, account)
    await store.close()
    visit = await signedIn()
  })

  async function signedIn(code?: string): Promise<Visit> {
    const one = aVisit(service.baseUrl)
    expect((await one.signIn(email, PASSWORD)).status).to.equal(200)
    if (code !== undefined) expect((await one.enterCode(code)).status).to.equal(200)
    return one
  }
  const offered = async (proof: object, from = visit) => from.ask<ShownOffer>('POST', OWN, proof)
  const confirmed = async (code: string, from = visit) => from.ask('POST', `${OWN}/code`, { code })
  const turnedOff = async (code: string) => visit.ask('POST', `${OWN}/removal`, { code })
  const renewed = async (code: string) => visit.ask<Enrolled>('POST', `${OWN}/recovery-codes`, { code })
  const standing = async () => (await visit.ask('GET', OWN)).body
  const isIn = async (one: Visit) => (await one.ask('GET', DOCUMENTS)).status === 200
  /** Whether the password is all that it takes. */
  const needsNoCode = async () => (await aVisit(service.baseUrl).signIn(email, PASSWORD)).body.missing === null
  const now = (app: Authenticator) => app.code(clock.now())

  it('is on only after a right code, comes with ten recovery codes, and ends the other sessions', async () => {
    const other = await signedIn()
    const { body, status } = await offered({ current: PASSWORD })
    expect(status).to.equal(200)
    expect(body.secret).to.match(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
    const app = anAuthenticator(body.secret)
    expect(await needsNoCode()).to.equal(true)
    expect((await confirmed(app.wrong(clock.now()))).status).to.equal(400)
    expect(await standing()).to.deep.equal({ isOn: false, recoveryCodes: 0, isRequired: false })

    const enrolled = await confirmed(now(app))
    const { recoveryCodes } = enrolled.body as { recoveryCodes: string[] }
    expect(recoveryCodes.length).to.equal(10)
    for (const code of recoveryCodes) expect(code).to.match(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/)
    expect(await standing()).to.deep.equal({ isOn: true, recoveryCodes: 10, isRequired: false })
    expect(await needsNoCode()).to.equal(false)
    expect([await isIn(visit), await isIn(other)]).to.deep.equal([true, false])
    const used = aVisit(service.baseUrl)
    await used.signIn(email, PASSWORD)
    expect((await used.enterCode(now(app))).status, 'the code that turned it on').to.equal(400)
  })

  it('is not set up by somebody who finds the page open', async () => {
    expect((await offered({})).status).to.equal(400)
    expect((await offered({ code: '000000' })).status, 'a code of nothing').to.equal(400)
    for (let n = 0; n < SIGN_INS_PER_ACCOUNT; n++)
      expect((await offered({ current: `guess ${n}` })).errors).to.deep.equal(['current: not your password'])
    expect((await offered({ current: PASSWORD })).status).to.equal(429)
    expect((await confirmed('000000')).status, 'without an offer').to.equal(400)
    expect((await standing()) as object).to.include({ isOn: false })
    const elsewhere = await signedIn()
    const body = { current: PASSWORD }
    for (const change of [{ origin: 'https://evil.example' }, { 'x-page-token': 'x' }])
      expect((await elsewhere.ask('POST', OWN, body, change)).status).to.equal(403)
    expect((await elsewhere.ask('POST', OWN, body, { cookie: '' })).status).to.equal(401)
    expect((await offered(body, elsewhere)).status, 'the owner elsewhere').to.equal(200)
  })

  it('is confirmed in the session that was offered it, and soon', async () => {
    const other = await signedIn()
    const app = anAuthenticator((await offered({ current: PASSWORD })).body.secret)
    expect((await confirmed(now(app), other)).status).to.equal(400)
    clock.advance(SIGN_IN_STEP_MS)
    expect((await confirmed(now(app))).status).to.equal(400)
    const later = anAuthenticator((await offered({ current: PASSWORD })).body.secret)
    expect((await confirmed(now(app))).status, 'an offer that another one replaced').to.equal(400)
    expect((await confirmed(now(later))).status).to.equal(200)
  })

  it('is not replaced by an offer that was made before it', async () => {
    const other = await signedIn()
    await offered({ current: PASSWORD }, other)
    await setUp(visit, PASSWORD, clock)
    const stale = anAuthenticator((await offered({ current: PASSWORD })).body?.secret ?? '')
    expect((await confirmed(now(stale), other)).status, 'its session has ended').to.equal(401)
    expect((await confirmed(now(stale))).status).to.equal(400)
  })

  it('is replaced with a fresh code or a recovery code, not with the password; then the old one is worth nothing', async () => {
    const old = await setUp(visit, PASSWORD, clock)
    expect((await offered({ current: PASSWORD })).status).to.equal(409)
    expect((await offered({ code: old.app.wrong(clock.now()) })).status).to.equal(400)
    const { body } = await offered({ code: now(old.app) })
    expect((await offered({ code: now(old.app) })).status, 'the same code').to.equal(400)
    const next = anAuthenticator(body.secret)
    expect((await confirmed(now(next))).status).to.equal(200)
    clock.nextCode()
    const later = aVisit(service.baseUrl)
    await later.signIn(email, PASSWORD)
    for (const code of [now(old.app), old.recoveryCodes[0]!]) expect((await later.enterCode(code)).status).to.equal(400)
    expect((await later.enterCode(now(next))).status).to.equal(200)
  })

  it('is turned off with a fresh code, which ends the other sessions', async () => {
    const { app, recoveryCodes } = await setUp(visit, PASSWORD, clock)
    const other = await signedIn(now(app))
    expect((await turnedOff(now(app))).status, 'used').to.equal(400)
    expect((await turnedOff(PASSWORD.slice(0, 40))).status).to.equal(400)
    expect((await turnedOff('')).status).to.equal(400)
    expect((await standing()) as object).to.include({ isOn: true })
    expect((await turnedOff(recoveryCodes[3]!)).status).to.equal(204)
    expect(await standing()).to.deep.equal({ isOn: false, recoveryCodes: 0, isRequired: false })
    expect([await isIn(visit), await isIn(other), await needsNoCode()]).to.deep.equal([true, false, true])
  })

  it('gets new recovery codes for a fresh code; the earlier ones, and the other sessions, end', async () => {
    const { app, recoveryCodes } = await setUp(visit, PASSWORD, clock)
    const other = await signedIn(now(app))
    expect((await renewed(now(app))).status, 'used').to.equal(400)
    expect((await renewed('')).status).to.equal(400)
    const first = await renewed(recoveryCodes[0]!)
    expect([first.status, first.body.recoveryCodes.length]).to.deep.equal([200, 10])
    expect(await standing()).to.include({ isOn: true, recoveryCodes: 10 })
    expect([await isIn(visit), await isIn(other)]).to.deep.equal([true, false])
    clock.nextCode()
    const second = await renewed(now(app))
    expect(second.status).to.equal(200)
    for (const gone of [recoveryCodes[1]!, first.body.recoveryCodes[1]!])
      expect((await renewed(gone)).status).to.equal(400)
    await signedIn(second.body.recoveryCodes[0]!)
    clock.nextCode()
    await signedIn(now(app))
  })

  it('has no recovery codes to renew where there is no second factor', async () => {
    expect((await renewed('123456')).status).to.equal(400)
    expect(await standing()).to.deep.equal({ isOn: false, recoveryCodes: 0, isRequired: false })
  })

  it('withstands guesses at an open page, which do not stop the owner elsewhere', async () => {
    const { app } = await setUp(visit, PASSWORD, clock)
    for (let n = 0; n < CODE_TRIES; n++) expect((await turnedOff(app.wrong(clock.now()))).status).to.equal(400)
    expect((await turnedOff(now(app))).status).to.equal(429)
    await signedIn(now(app))
  })

  it('leaves audit entries of what was done and tried, without codes', async () => {
    const { app } = await setUp(visit, PASSWORD, clock)
    const wrong = app.wrong(clock.now())
    await turnedOff(wrong)
    const { body } = await renewed(now(app))
    clock.nextCode()
    await turnedOff(now(app))
    await offered({ current: 'not the password' })
    const store = await openStore(data, masterKey)
    const rows = []
    for await (const row of store.audit.rows(0)) rows.push(row)
    await store.close()
    const own = rows.filter(({ subject, action }) => subject === String(id) && action.startsWith('second-factor'))
    expect(own.map(({ action, outcome, actor, ip }) => [action, outcome, actor, ip])).to.deep.equal([
      ['second-factor.enrol', 'done', 'signer', '127.0.0.1'],
      ['second-factor.check', 'refused', 'signer', '127.0.0.1'],
      ['second-factor.renew', 'done', 'signer', '127.0.0.1'],
      ['second-factor.remove', 'done', 'signer', '127.0.0.1'],
      ['second-factor.enrol', 'refused', 'signer', '127.0.0.1'],
    ])
    expect(own.every(({ actorId, requestId }) => actorId && requestId)).to.equal(true)
    for (const code of [wrong, ...body.recoveryCodes]) expect(JSON.stringify(own)).not.to.include(code)
  })

  it('is not for people of the demo, who sign in without a password', async () => {
    const demo = aVisit(service.baseUrl)
    await demo.signInAs('Service operator')
    expect((await offered({ current: PASSWORD }, demo)).status).to.equal(409)
  })
})
