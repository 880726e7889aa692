/** Single sign-on with a real provider: who is let in, as whom, and what is left in the log. */

import { expect } from 'chai'
import { OPERATOR } from '../../../server/domain/audit.ts'
import type { Person } from '../../../server/operations/operator/messages/accounts.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { aBrowser } from '../../support/sign-on/a-browser.ts'
import { CLIENT, PASSWORD, type ServiceWithSignOn } from '../../support/sign-on/a-service-with-sign-on.ts'
import { ROBIN, RUTH, signsOn, verified, withBoth } from '../../support/sign-on/with-both.ts'

const SECRET = 'countersign-sign-on'

describe('Single sign-on', function () {
  this.timeout(60_000)

  it('lets somebody in by a verified address, in upper or lower case, and links the account', () =>
    withBoth({ people: { 'sub-of-ruth': verified('Ruth@Practice.example') } }, async (service) => {
      const { status, location, email, browser } = await signsOn(service, 'sub-of-ruth', undefined, '/inbox#/signed')
      expect([status, location, email]).to.deep.equal([303, '/inbox#/signed', RUTH])
      const id = service.idOf(RUTH)
      expect((await service.audited()).slice(-2)).to.deep.equal([
        `identity.link done ${id}`,
        `session.sign-on done ${id}`,
      ])
      const rows = []
      for await (const row of service.store.audit.rows()) rows.push(row)
      expect(JSON.stringify(rows)).not.to.include('sub-of-ruth').and.not.to.include(RUTH)
      expect((await browser.ask('GET', `${service.baseUrl}/inbox/api/documents`)).status).to.equal(200)
    }))

  it('asks for no code, which is asked for after a password', () =>
    withBoth({ people: { ruth: verified(RUTH) }, options: { secondFactor: 'everybody' } }, async (service) => {
      const { body } = await aVisit(service.baseUrl).signIn(RUTH, PASSWORD)
      expect(body).to.include({ visitor: null, missing: 'enrolment' })
      const { email, browser } = await signsOn(service, 'ruth')
      expect(email).to.equal(RUTH)
      expect((await browser.ask('GET', `${service.baseUrl}/inbox/api/documents`)).status).to.equal(200)
    }))

  it('gives cookies that no script can read: lax on the way, strict for the session', () =>
    withBoth({ people: { ruth: verified(RUTH) } }, async (service) => {
      const browser = aBrowser()
      const { headers, providerUrl } = await browser.begin(service.baseUrl)
      expect(headers.getSetCookie()[0]).to.match(
        /^countersign-sign-on=[\w-]{43}; Max-Age=600; Path=\/; .*HttpOnly; SameSite=Lax$/,
      )
      const page = await browser.comeBack(await browser.signInAt(providerUrl, 'ruth'))
      const [dropped, session] = page.headers.getSetCookie()
      expect(dropped).to.match(/^countersign-sign-on=;/)
      expect(session).to.match(/^countersign=[\w-]{43}; .*HttpOnly; SameSite=Strict$/)
      const query = new URL(providerUrl).searchParams
      expect(query.get('code_challenge_method')).to.equal('S256')
      expect(query.get('scope')).to.equal('openid email')
    }))

  it('knows somebody again by the identity alone, even when the addresses change', () =>
    withBoth(
      { people: { ruth: verified(RUTH), newcomer: verified('new@practice.example') } },
      async (service, provider) => {
        await signsOn(service, 'ruth')
        provider.people.ruth = { email: 'married@practice.example', email_verified: false }
        expect((await signsOn(service, 'ruth')).email).to.equal(RUTH)
        provider.people.newcomer = verified(RUTH)
        const moved = await signsOn(service, 'newcomer')
        expect([moved.status, moved.email]).to.deep.equal([403, null])
        expect(moved.text).to.include('is linked to another identity at Lakeside Health')
        expect((await service.audited()).at(-1)).to.equal(`session.sign-on refused ${service.idOf(RUTH)}`)
      },
    ))

  it('makes no account, and says whom to ask', () =>
    withBoth({ people: { stranger: verified('stranger@elsewhere.example') } }, async (service) => {
      const { status, text, email } = await signsOn(service, 'stranger')
      expect([status, email]).to.deep.equal([403, null])
      expect(text).to.include('there is no account for you here. Ask the operator of this service for one.')
      expect((await service.store.people.list()).map((person) => person.email)).not.to.include(
        'stranger@elsewhere.example',
      )
      expect((await service.audited()).at(-1)).to.equal('session.sign-on refused null')
    }))

  it('takes no address that the provider has not verified, unless it is trusted for addresses', async () => {
    const people = { ruth: { email: RUTH, email_verified: false }, nameless: {} }
    await withBoth({ people }, async (service) => {
      const { status, text, email } = await signsOn(service, 'ruth')
      expect([status, email]).to.deep.equal([403, null])
      expect(text).to.include('has not verified your e-mail address')
      expect((await signsOn(service, 'nameless')).text).to.include('gave no e-mail address')
    })
    await withBoth({ people, options: { oidcTrustEmail: true } }, async (service) => {
      expect((await signsOn(service, 'ruth')).email).to.equal(RUTH)
      expect((await signsOn(service, 'nameless')).status).to.equal(403)
    })
  })

  it('refuses those whose account was disabled, or removed, also while they were at the provider', () =>
    withBoth({ people: { ruth: verified(RUTH), robin: verified(ROBIN) } }, async (service) => {
      const { people } = service.store
      const browser = aBrowser()
      await signsOn(service, 'ruth', browser)
      await people.disable(service.idOf(RUTH), new Date(), OPERATOR)
      expect((await browser.account(service.baseUrl)).visitor).to.equal(null)
      const disabled = await signsOn(service, 'ruth')
      expect([disabled.status, disabled.email]).to.deep.equal([403, null])
      expect(disabled.text).to.include('there is no account for you here')
      expect((await service.audited()).at(-1)).to.equal(`session.sign-on refused ${service.idOf(RUTH)}`)

      for (const isLinked of [false, true]) {
        const leaving = aBrowser()
        if (isLinked) await service.store.people.enable(service.idOf(RUTH), new Date(), OPERATOR)
        const login = isLinked ? 'ruth' : 'robin'
        const { providerUrl } = await leaving.begin(service.baseUrl)
        const back = await leaving.signInAt(providerUrl, login)
        await people.remove(service.idOf(isLinked ? RUTH : ROBIN), new Date(), OPERATOR)
        expect((await leaving.comeBack(back)).status, login).to.equal(403)
        expect((await leaving.account(service.baseUrl)).visitor).to.equal(null)
      }
    }))

  it('is finished by another instance than the one that began it, and only once', () =>
    withBoth({ people: { ruth: verified(RUTH) } }, async (service) => {
      const other = await service.anotherInstance()
      const browser = aBrowser()
      const { providerUrl } = await browser.begin(service.baseUrl)
      const back = await browser.signInAt(providerUrl, 'ruth')
      const secret = browser.jarOf(service.baseUrl).get(SECRET)!
      browser.jarOf(other.baseUrl).set(SECRET, secret)
      const elsewhere = other.baseUrl + back.slice(service.baseUrl.length)
      const [here, there] = await Promise.all([browser.comeBack(back), browser.comeBack(elsewhere)])
      expect([here.status, there.status].sort()).to.deep.equal([303, 400])
      await other.stop()
    }))

  it('says so when somebody gives up at the provider', () =>
    withBoth({ people: { ruth: verified(RUTH) } }, async (service) => {
      const browser = aBrowser()
      const { providerUrl } = await browser.begin(service.baseUrl)
      const form = await browser.ask(
        'GET',
        new URL((await browser.ask('GET', providerUrl)).headers.get('location')!, providerUrl).href,
      )
      const { url } = await browser.follow(`${form.url}/abort`, (next) => next.startsWith(service.baseUrl))
      const page = await browser.comeBack(url)
      expect(page.status).to.equal(403)
      expect(page.text).to.include('Lakeside Health did not sign you in.')
    }))

  it('lets a page offer the way out of the provider to those who came from it, after the session here has ended', () =>
    withBoth({ people: { ruth: verified(RUTH) } }, async (service, provider) => {
      const { browser } = await signsOn(service, 'ruth')
      const { signOn, token } = await browser.account(service.baseUrl)
      expect(signOn?.name).to.equal('Lakeside Health')
      expect(signOn?.endUrl).to.equal(`${provider.issuer}/session/end?client_id=${CLIENT.id}`)
      const cookie = browser.jarOf(service.baseUrl).get('countersign')!
      const headers = { origin: service.baseUrl, 'x-page-token': token! }
      expect((await browser.ask('DELETE', `${service.baseUrl}/account/api/session`, { headers })).status).to.equal(204)
      browser.jarOf(service.baseUrl).set('countersign', cookie)
      expect((await browser.account(service.baseUrl)).visitor).to.equal(null)
      expect((await browser.ask('GET', signOn!.endUrl!)).status).to.equal(200)

      const withPassword = aVisit(service.baseUrl)
      expect((await withPassword.signIn(RUTH, PASSWORD)).body.signOn?.endUrl).to.equal(null)
    }))

  it('is unlinked by an operator, which ends the sessions that began there; the next sign-in links anew', () =>
    withBoth({ people: { ruth: verified(RUTH), successor: verified(RUTH) } }, async (service) => {
      const { browser } = await signsOn(service, 'ruth')
      const operator = aVisit(service.baseUrl)
      await operator.signIn(ROBIN, PASSWORD)
      const ruth = service.idOf(RUTH)
      const isLinked = async () =>
        (await operator.ask<Person[]>('GET', '/admin/v1/accounts')).body.find(({ id }) => id === ruth)?.isLinked
      expect(await isLinked()).to.equal(true)
      expect((await operator.ask('POST', `/admin/v1/accounts/${ruth}/unlink`)).status).to.equal(204)
      expect(await isLinked()).to.equal(false)
      expect((await browser.account(service.baseUrl)).visitor).to.equal(null)
      expect((await service.audited()).at(-1)).to.equal(`identity.unlink done ${ruth}`)
      expect((await signsOn(service, 'successor')).email).to.equal(RUTH)
      expect((await signsOn(service, 'ruth')).status).to.equal(403)
    }))

  it('is refused at another address than the public one', () =>
    withBoth({ people: {} }, async (service) => {
      const { port } = new URL(service.baseUrl)
      const { status, errors } = await aBrowser().begin(`http://localhost:${port}`)
      expect(status).to.equal(403)
      expect(errors).to.deep.equal([`Open this page at ${service.baseUrl}, and sign in there.`])
    }))
})

describe('Passwords beside single sign-on', function () {
  this.timeout(60_000)
  const people = { ruth: verified(RUTH) }
  const signIn = async (service: ServiceWithSignOn, email: string, password = PASSWORD) => {
    const { status, errors } = await aVisit(service.baseUrl).signIn(email, password)
    return [status, ...errors]
  }
  const NOT_FOR_PASSWORDS = 'Passwords are switched off for this account. Sign in with Lakeside Health.'

  it('go on as before by default', () =>
    withBoth({ people }, async (service) => {
      await signsOn(service, 'ruth')
      expect(await signIn(service, RUTH)).to.deep.equal([200])
      expect((await aBrowser().account(service.baseUrl)).hasPasswords).to.equal(true)
    }))

  it('can be switched off for those who are linked, whom only the right password tells why', () =>
    withBoth({ people, options: { passwords: 'unlinked' } }, async (service) => {
      expect(await signIn(service, RUTH)).to.deep.equal([200])
      await signsOn(service, 'ruth')
      expect(await signIn(service, RUTH)).to.deep.equal([401, NOT_FOR_PASSWORDS])
      expect(await signIn(service, RUTH, 'wrong')).to.deep.equal([401, 'The e-mail address or the password is wrong.'])
      expect(await signIn(service, ROBIN)).to.deep.equal([200])
      expect(
        (await service.audited()).filter((row) => row === `session.begin refused ${service.idOf(RUTH)}`),
      ).to.have.length(2)
    }))

  it('can be switched off for all, whose pages then ask for none', () =>
    withBoth({ people, options: { passwords: 'off' } }, async (service) => {
      expect(await signIn(service, ROBIN)).to.deep.equal([401, NOT_FOR_PASSWORDS])
      expect((await aBrowser().account(service.baseUrl)).hasPasswords).to.equal(false)
      const { browser, email } = await signsOn(service, 'ruth')
      expect(email).to.equal(RUTH)
      expect((await browser.account(service.baseUrl)).visitor?.hasPassword).to.equal(false)
    }))
})
