/** Signing in and out, how long a session lives, and what stops those who guess. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  SESSION_IDLE_MS,
  SESSION_LIFE_MS,
  SIGN_IN_WINDOW_MS,
  SIGN_INS_PER_ACCOUNT,
  SIGN_INS_PER_ADDRESS,
} from '../../../server/choices.ts'
import { OPERATOR } from '../../../server/domain/audit.ts'
import { addPerson } from '../../../server/operations/operator/accounts/add-person.ts'
import { openStore } from '../../../server/store/store.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { SIGNER } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { anAccount, quickHash } from '../../support/service/an-account.ts'

const EMAIL = 'ruth@practice.example'
const PASSWORD = 'correct horse battery staple'

describe('signing in to a production service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  const key = Buffer.alloc(32, 7)
  const clock = runningClock()
  let service: TestService

  before(async () => {
    const production = { data: folder, masterKey: key.toString('base64'), sandbox: false, clock }
    await (await aService(production)).stop()
    const store = await openStore(folder, key)
    const account = {
      email: ' Ruth@Practice.example',
      name: 'Ruth Calder',
      role: 'signer',
      npi: SIGNER.calder,
    } as const
    await addPerson(store, { ...account, password: PASSWORD }, new Date(), OPERATOR)
    // Nothing here is about the time that a password takes.
    const { id } = (await store.people.findForSignIn(EMAIL))!
    await store.people.setPassword(id, quickHash(PASSWORD), new Date())
    for (let n = 0; n < SIGN_INS_PER_ADDRESS; n++)
      await anAccount(store, {
        email: `${n}@practice.example`,
        name: 'An Operator',
        role: 'operator',
        password: PASSWORD,
      })
    await store.close()
    service = await aService(production)
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  // Tries of one test must not count in the next.
  beforeEach(() => clock.advance(SIGN_IN_WINDOW_MS))

  it('takes the e-mail address in upper or lower case, and says who signed in', async () => {
    const { status, body } = await aVisit(service.baseUrl).signIn('RUTH@practice.example', PASSWORD)
    expect(status).to.equal(200)
    expect(body.visitor).to.deep.equal({ name: 'Ruth Calder', email: EMAIL, role: 'signer', hasPassword: true })
    expect(body.isTest).to.equal(false)
  })

  it('gives a cookie that no script and no other site can use', async () => {
    const { headers } = await aVisit(service.baseUrl).signIn(EMAIL, PASSWORD)
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).to.match(/^countersign=[\w-]{43}; /)
    expect(cookie).to.include('HttpOnly').and.to.include('SameSite=Strict').and.to.include('Path=/')
    expect(cookie).not.to.include('Secure')
  })

  it('gives a host-bound, secure cookie to a page that came over https', async () => {
    const visit = aVisit(service.baseUrl)
    const { host } = new URL(service.baseUrl)
    const body = { email: EMAIL, password: PASSWORD }
    const { headers } = await visit.ask('POST', '/account/api/session', body, { origin: `https://${host}` })
    expect(headers.getSetCookie()[0]).to.match(/^__Host-countersign=.*; Secure/)
  })

  it('offers nobody to sign in as', async () => {
    const visit = aVisit(service.baseUrl)
    expect((await visit.account()).body.demoPeople).to.deep.equal([])
    for (let personId = 1; personId <= 8; personId++)
      expect((await visit.ask('POST', '/account/api/session', { personId })).status).to.equal(404)
  })

  it('answers a wrong password and an unknown address alike', async () => {
    const visit = aVisit(service.baseUrl)
    const wrong = await visit.signIn(EMAIL, 'wrong')
    const unknown = await visit.signIn('nobody@practice.example', PASSWORD)
    const demo = await visit.signIn('ruth.calder@countersign.example', '')
    expect(wrong.status).to.equal(401)
    expect([wrong.status, wrong.errors]).to.deep.equal([unknown.status, unknown.errors])
    expect(demo.status).to.equal(400)
  })

  it('stops guesses at one account, lets other accounts in, and lets that account in again later', async () => {
    const visit = aVisit(service.baseUrl)
    for (let i = 0; i < SIGN_INS_PER_ACCOUNT; i++)
      expect((await visit.signIn(EMAIL, `guess ${i}`)).status).to.equal(401)
    const stopped = await visit.signIn(EMAIL, PASSWORD)
    expect(stopped.status).to.equal(429)
    expect(Number(stopped.headers.get('retry-after'))).to.be.within(1, SIGN_IN_WINDOW_MS / 1000)
    expect((await visit.signIn('other@practice.example', PASSWORD)).status).to.equal(401)
    clock.advance(SIGN_IN_WINDOW_MS)
    expect((await visit.signIn(EMAIL, PASSWORD)).status).to.equal(200)
  })

  it('stops guesses at many accounts from one address', async () => {
    const visit = aVisit(service.baseUrl)
    const guesses = Array.from({ length: SIGN_INS_PER_ADDRESS }, (_, i) =>
      visit.signIn(`${i}@practice.example`, 'guess'),
    )
    expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).to.deep.equal(new Set([401]))
    expect((await visit.signIn(EMAIL, PASSWORD)).status).to.equal(429)
  })

  it('does not count successful sign-ins, however many share an address', async () => {
    for (let i = 0; i <= SIGN_INS_PER_ADDRESS; i++)
      expect((await aVisit(service.baseUrl).signIn(EMAIL, PASSWORD)).status, `sign-in ${i + 1}`).to.equal(200)
  })

  it('makes a new session id at each sign-in, and ends the one before', async () => {
    const visit = aVisit(service.baseUrl)
    await visit.signIn(EMAIL, PASSWORD)
    const first = visit.cookie
    await visit.signIn(EMAIL, PASSWORD)
    expect(visit.cookie).not.to.equal(first)
    visit.cookie = first
    expect((await visit.account()).body.visitor).to.equal(null)
  })

  it('ends on the server when the visitor signs out', async () => {
    const visit = aVisit(service.baseUrl)
    await visit.signIn(EMAIL, PASSWORD)
    const { cookie } = visit
    expect((await visit.signOut()).status).to.equal(204)
    visit.cookie = cookie
    expect((await visit.ask('GET', '/inbox/api/documents')).status).to.equal(401)
  })

  it('ends when nobody used it for a while, and not before', async () => {
    const visit = aVisit(service.baseUrl)
    await visit.signIn(EMAIL, PASSWORD)
    for (let i = 0; i < 3; i++) {
      clock.advance(SESSION_IDLE_MS - 1000)
      expect((await visit.ask('GET', '/inbox/api/documents')).status).to.equal(200)
    }
    clock.advance(SESSION_IDLE_MS)
    expect((await visit.ask('GET', '/inbox/api/documents')).status).to.equal(401)
  })

  it('ends at the end of the day, however much it is used', async () => {
    const visit = aVisit(service.baseUrl)
    await visit.signIn(EMAIL, PASSWORD)
    const step = SESSION_IDLE_MS / 2
    for (let at = step; at < SESSION_LIFE_MS; at += step) {
      clock.advance(step)
      expect((await visit.ask('GET', '/inbox/api/documents')).status).to.equal(200)
    }
    clock.advance(step)
    expect((await visit.ask('GET', '/inbox/api/documents')).status).to.equal(401)
  })

  it('ends when the person gets a new password', async () => {
    const visit = aVisit(service.baseUrl)
    await visit.signIn(EMAIL, PASSWORD)
    const store = await openStore(folder, key)
    const { id, passwordHash } = (await store.people.findForSignIn(EMAIL))!
    await store.people.setPassword(id, passwordHash!, new Date())
    await store.close()
    expect((await visit.ask('GET', '/inbox/api/documents')).status).to.equal(401)
  })

  it('keeps neither passwords nor session ids', async () => {
    const visit = aVisit(service.baseUrl)
    await visit.signIn(EMAIL, PASSWORD)
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(join(folder, 'countersign.sqlite'))
    const rows = JSON.stringify([
      database.prepare('SELECT * FROM person').all(),
      database.prepare('SELECT * FROM session').all(),
    ])
    database.close()
    expect(rows).to.include('scrypt$').and.not.to.include(PASSWORD)
    expect(rows).not.to.include(visit.cookie.split('=')[1])
  })
})

describe('signing in to a sandbox', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  it('offers the people of the demo, those who act by themselves last', async () => {
    const { demoPeople, isTest } = (await aVisit(service.baseUrl).account()).body
    const signers = demoPeople.filter(({ role }) => role === 'signer')
    expect(signers.map(({ name, actsAlone }) => `${name}${actsAlone ? ' *' : ''}`)).to.deep.equal([
      'Ian Voss MD',
      'Ruth Calder DO',
      'Helen Marsh MD *',
      'Owen Tate NP *',
      'Paul Finch MD *',
    ])
    expect(isTest).to.equal(true)
  })

  it('lets in no stranger', async () => {
    expect((await aVisit(service.baseUrl).ask('POST', '/account/api/session', { personId: 999 })).status).to.equal(404)
  })

  it('keeps staff out of the inbox', async () => {
    const visit = aVisit(service.baseUrl)
    await visit.signInAs('Service operator')
    expect((await visit.ask('GET', '/inbox/api/documents')).status).to.equal(403)
  })
})
