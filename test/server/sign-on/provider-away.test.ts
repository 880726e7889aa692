/** Single sign-on while the provider does not answer: people are told so, and passwords go on working. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { expect } from 'chai'
import { aVisit } from '../../support/browser/a-visit.ts'
import { freePort } from '../../support/network/free-port.ts'
import { aBrowser } from '../../support/sign-on/a-browser.ts'
import { aProvider } from '../../support/sign-on/a-provider.ts'
import { aServiceWithSignOn, CLIENT, callbackOf, PASSWORD } from '../../support/sign-on/a-service-with-sign-on.ts'
import { accounts, RUTH, signsOn, verified, withBoth } from '../../support/sign-on/with-both.ts'

describe('A provider that is away', function () {
  this.timeout(60_000)
  const people = { ruth: verified(RUTH) }
  const AWAY = 'Lakeside Health does not answer at the moment. Try again in a minute.'

  it('is asked again at the next sign-in, and passwords work meanwhile', async () => {
    const [port, providerPort] = [await freePort(), await freePort()]
    const issuer = `http://localhost:${providerPort}`
    const service = await aServiceWithSignOn({ port, issuer, accounts })
    const { status, errors, headers } = await aBrowser().begin(service.baseUrl)
    expect([status, errors, headers.get('retry-after')]).to.deep.equal([503, [AWAY], '30'])
    expect((await aVisit(service.baseUrl).signIn(RUTH, PASSWORD)).status).to.equal(200)
    const client = { ...CLIENT, redirectUri: callbackOf(service.baseUrl) }
    const provider = await aProvider([client], people, providerPort)
    expect((await signsOn(service, 'ruth')).email).to.equal(RUTH)
    await provider.stop()
    await service.stop()
  })

  it('when the browser comes back is a page in plain words, and nobody is let in', () =>
    withBoth({ people }, async (service, provider) => {
      const browser = aBrowser()
      const { providerUrl } = await browser.begin(service.baseUrl)
      const back = await browser.signInAt(providerUrl, 'ruth')
      await provider.stop()
      const page = await browser.comeBack(back)
      expect([page.status, page.headers.get('retry-after')]).to.deep.equal([503, '30'])
      expect(page.text).to.include(AWAY).and.to.include('<a href="/inbox"')
      expect((await browser.account(service.baseUrl)).visitor).to.equal(null)
      expect((await aVisit(service.baseUrl).signIn(RUTH, PASSWORD)).status).to.equal(200)
    }))

  it('and does not even hang up is given up after five seconds, and holds up nobody else', async () => {
    const port = await freePort()
    const silent: Server = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port: silentPort } = silent.address() as { port: number }
    const service = await aServiceWithSignOn({ port, issuer: `http://127.0.0.1:${silentPort}`, accounts })
    const waiting = aBrowser().begin(service.baseUrl)
    expect((await aVisit(service.baseUrl).signIn(RUTH, PASSWORD)).status).to.equal(200)
    const { status, errors } = await waiting
    expect([status, errors]).to.deep.equal([503, [AWAY]])
    await service.stop()
    silent.close()
  })
})
