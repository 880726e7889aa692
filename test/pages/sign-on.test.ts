/** Single sign-on in a real browser, with a real provider at another site. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook, looks } from '../support/browser/good-look.ts'
import { freePort } from '../support/network/free-port.ts'
import { SIGNER } from '../support/service/a-create-body.ts'
import { aProvider, type TestProvider } from '../support/sign-on/a-provider.ts'
import {
  aServiceWithSignOn,
  CLIENT,
  callbackOf,
  PASSWORD,
  type ServiceWithSignOn,
} from '../support/sign-on/a-service-with-sign-on.ts'

const RUTH = 'ruth@practice.example'
const ROBIN = 'robin@ops.example'

describe('Single sign-on in the pages', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  const clientOf = (port: number) => ({ ...CLIENT, redirectUri: callbackOf(`http://127.0.0.1:${port}`) })
  const people = {
    ruth: { email: RUTH, email_verified: true },
    robin: { email: ROBIN, email_verified: true },
    stranger: { email: 'stranger@elsewhere.example', email_verified: true },
  }
  const accounts = [
    { email: RUTH, name: 'Ruth Calder', role: 'signer', npi: SIGNER.calder },
    { email: ROBIN, name: 'Robin Hale', role: 'operator' },
  ] as const
  let browser: Browser
  let provider: TestProvider
  let service: ServiceWithSignOn
  before(async () => {
    const port = await freePort()
    provider = await aProvider([clientOf(port)], people)
    ;[browser, service] = await Promise.all([
      openBrowser(),
      aServiceWithSignOn({ port, issuer: provider.issuer, accounts }),
    ])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    await provider?.stop()
  })

  const opened = async (path: string, look = {}) => {
    const one = await visitor(browser, look)
    await one.page.goto(service.baseUrl + path)
    const button = (name: string) => one.page.getByRole('button', { name, exact: true })
    /** Presses the button of single sign-on, and fills in the forms of the provider. */
    const signOnAs = async (login: string) => {
      await button('Sign in with Lakeside Health').click()
      await one.page.getByPlaceholder('Enter any login').fill(login)
      await one.page.getByPlaceholder('and password').fill('any')
      await button('Sign-in').click()
      await button('Continue').click()
    }
    return { ...one, button, signOnAs }
  }

  for (const look of looks) {
    it(`lets a signer in and out at ${look.width} pixels`, async () => {
      const { page, errors, button, signOnAs, shoot, scheme, close } = await opened('/inbox#/signed', look)
      await button('Sign in with Lakeside Health').waitFor()
      await goodLook({ page, shoot, scheme }, 'sign-on')
      await signOnAs('ruth')
      await button('Sign out').waitFor()
      expect(page.url()).to.equal(`${service.baseUrl}/inbox#/signed`)
      await button('Sign out').click()
      const wayOut = page.getByRole('link', { name: 'Sign out there, too' })
      await wayOut.waitFor()
      await goodLook({ page, shoot, scheme }, 'sign-on-left')
      await wayOut.click()
      await page.getByRole('button', { name: /sign me out/i }).waitFor()
      expect(new URL(page.url()).origin).to.equal(provider.issuer)
      // The forms of the provider load a font from elsewhere.
      expect(errors.filter((text) => !text.startsWith('Failed to load resource'))).to.deep.equal([])
      await close()
    })

    it(`tells a stranger why not, at ${look.width} pixels`, async () => {
      const { page, signOnAs, shoot, scheme, close } = await opened('/inbox', look)
      await signOnAs('stranger')
      await page.getByText('there is no account for you here').waitFor()
      await goodLook({ page, shoot, scheme }, 'not-signed-in')
      await page.getByRole('link', { name: 'Back to the inbox' }).click()
      await page.getByRole('heading', { name: 'Sign in to your inbox' }).waitFor()
      await close()
    })
  }

  it('lets an operator into the console, who sees who is linked and unlinks them', async () => {
    const { page, button, signOnAs, close } = await opened('/console#/accounts')
    await signOnAs('robin')
    await button('Unlink Ruth Calder').click()
    await page.getByText('Ruth Calder is unlinked from single sign-on.').waitFor()
    await button('Unlink Ruth Calder').waitFor({ state: 'detached' })
    await close()
  })

  it('says that the provider is away, and takes the password', async () => {
    await provider.stop()
    const port = await freePort()
    const away = await aServiceWithSignOn({ port, issuer: `http://localhost:${await freePort()}`, accounts })
    const { page, close } = await visitor(browser)
    await page.goto(`${away.baseUrl}/inbox`)
    await page.getByRole('button', { name: 'Sign in with Lakeside Health' }).click()
    await page.getByText('Lakeside Health does not answer at the moment. Try again in a minute.').waitFor()
    await page.getByLabel('E-mail').fill(RUTH)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await close()
    await away.stop()
  })

  it('asks for no password where passwords are switched off', async () => {
    const port = await freePort()
    const issuer = `http://localhost:${await freePort()}`
    const strict = await aServiceWithSignOn({ port, issuer, accounts, options: { passwords: 'off' } })
    const { page, shoot, scheme, close } = await visitor(browser)
    await page.goto(`${strict.baseUrl}/inbox`)
    await page.getByRole('button', { name: 'Sign in with Lakeside Health' }).waitFor()
    expect(await page.getByLabel('Password').isVisible()).to.equal(false)
    await goodLook({ page, shoot, scheme }, 'sign-on-only')
    await close()
    await strict.stop()
  })
})
