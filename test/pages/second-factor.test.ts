/** Second factors in the browser, wide and narrow, light and dark: required or by choice. */
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { openStore } from '../../server/store/store.ts'
import { aFolder } from '../support/a-folder.ts'
import { openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook, looks } from '../support/browser/good-look.ts'
import { SIGNER } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { anAccount } from '../support/service/an-account.ts'
import { anAuthenticator } from '../support/service/an-authenticator.ts'
import { stillClock } from '../support/service/second-factors.ts'
import { withSecondFactor } from '../support/store/with-second-factor.ts'

const PASSWORD = 'correct horse battery staple'

describe('a second factor in the browser', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(120_000)
  const data = aFolder()
  const masterKey = Buffer.alloc(32, 7)
  const clock = stillClock()
  let browser: Browser
  let service: TestService

  before(async () => {
    const options = { data, masterKey: masterKey.toString('base64'), sandbox: false, clock }
    ;[browser, service] = await Promise.all([openBrowser(), aService({ ...options, secondFactor: 'staff' })])
    const store = await openStore(data, masterKey)
    for (const { width } of looks) {
      const of = (role: string) => ({ email: `${role}-${width}@willow.example`, password: PASSWORD })
      await anAccount(store, { ...of('operator'), name: 'Robin Hale', role: 'operator' })
      const signer = { ...of('signer'), name: 'Ruth Calder', role: 'signer', npi: SIGNER.calder } as const
      await anAccount(store, signer)
      const lost = { ...signer, ...of('lost'), name: `Lost Phone ${width}` }
      await withSecondFactor(store, await anAccount(store, lost))
    }
    await store.close()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  async function enterPassword(page: Page, email: string) {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await button(page, 'Sign in').click()
  }
  async function enterCode(page: Page, code: string, verb: string) {
    await page.getByLabel('Code from your authenticator app').fill(code)
    await button(page, verb).click()
  }
  /** Scans the picture as a phone does, and compares it with the text beside it. */
  async function scanned(page: Page) {
    const secret = (await page.locator('code.secret').textContent()) ?? ''
    // As one text: hundreds of thousands of numbers would take seconds to hand over.
    const pixels = await page.evaluate<string>(`(async () => {
      const picture = document.querySelector('img.qr')
      await picture.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: 416, height: 416 })
      const context = canvas.getContext('2d')
      context.fillStyle = getComputedStyle(picture).backgroundColor
      context.fillRect(0, 0, 416, 416)
      context.drawImage(picture, 0, 0, 416, 416)
      const { data } = context.getImageData(0, 0, 416, 416)
      return btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(''))
    })()`)
    const uri = new URL(decodeQR({ width: 416, height: 416, data: Buffer.from(pixels, 'base64') }))
    expect(uri.searchParams.get('secret')).to.equal(secret.replaceAll(' ', ''))
    expect(uri.searchParams.get('issuer')).to.equal('Countersign')
    return anAuthenticator(secret)
  }

  for (const look of looks)
    it(`is set up when it is required, asked for, and used, at ${look.width} pixels`, async () => {
      const opened = await visitor(browser, look)
      const { page } = opened
      const email = `operator-${look.width}@willow.example`
      await page.goto(`${service.baseUrl}/console#/tasks`)
      await enterPassword(page, email)
      await page.getByText('Your account needs a second factor').waitFor()
      const app = await scanned(page)
      await goodLook(opened, 'second-factor-required')
      await enterCode(page, app.wrong(clock.now()), 'Turn on')
      await page.getByText('Code: not one of this secret.').waitFor()
      await enterCode(page, app.code(clock.now()), 'Turn on')
      await button(page, 'I have kept them').waitFor()
      const recoveryCodes = await page.locator('.recovery-codes code').allTextContents()
      expect(recoveryCodes.length).to.equal(10)
      await goodLook(opened, 'recovery-codes')
      await button(page, 'I have kept them').click()
      await page.getByRole('heading', { name: /^(Home|Tasks)$/ }).waitFor()

      await button(page, 'Sign out').click()
      await enterPassword(page, email)
      await enterCode(page, app.code(clock.now()), 'Sign in')
      await page.getByText('code: not valid, or used before.').waitFor()
      await goodLook(opened, 'second-step-refused')
      await button(page, 'Use a recovery code').click()
      await page.getByText('code: not valid, or used before.').waitFor({ state: 'hidden' })
      await page.getByLabel('Recovery code').fill(recoveryCodes[0]!)
      await goodLook(opened, 'second-step-recovery')
      await button(page, 'Sign in').click()
      await page.getByRole('heading', { name: /^(Home|Tasks)$/ }).waitFor()
      await button(page, 'Account').click()
      await page.getByText('on, 9 recovery codes left').waitFor()
      expect(await button(page, 'Turn off').count(), 'it is required').to.equal(0)

      await button(page, 'Close').click()
      await button(page, 'Sign out').click()
      await enterPassword(page, email)
      await button(page, 'Start again').click()
      clock.nextCode()
      await enterPassword(page, email)
      await enterCode(page, app.code(clock.now()), 'Sign in')
      await page.getByRole('heading', { name: /^(Home|Tasks)$/ }).waitFor()

      await page.goto(`${service.baseUrl}/console#/accounts`)
      const name = `Lost Phone ${look.width}`
      const remove = button(page, `Remove second factor ${name}`)
      await remove.waitFor()
      await goodLook(opened, 'accounts-with-second-factors')
      await remove.click()
      await goodLook(opened, 'remove-second-factor')
      await button(page, 'Remove second factor').click()
      await page.getByText(`${name} has no second factor any more.`).waitFor()
      await remove.waitFor({ state: 'detached' })
      await opened.close()
    })

  for (const look of looks)
    it(`is set up by choice, replaced and turned off, at ${look.width} pixels`, async () => {
      const opened = await visitor(browser, look)
      const { page } = opened
      await page.goto(`${service.baseUrl}/inbox`)
      await enterPassword(page, `signer-${look.width}@willow.example`)
      await button(page, 'Account').click()
      await page.getByText('off', { exact: true }).waitFor()
      await goodLook(opened, 'own-account')
      await button(page, 'Set up').click()
      await page.getByLabel('Current password').fill('not the password')
      await button(page, 'Continue').click()
      await page.getByText('current: not your password').waitFor()
      await goodLook(opened, 'second-factor-password')
      await page.getByLabel('Current password').fill(PASSWORD)
      await button(page, 'Continue').click()
      const app = await scanned(page)
      await goodLook(opened, 'second-factor-set-up')
      await enterCode(page, app.code(clock.now()), 'Turn on')
      await button(page, 'I have kept them').click()

      await button(page, 'Account').click()
      await page.getByText('on, 10 recovery codes left').waitFor()
      await goodLook(opened, 'own-account-on')
      await button(page, 'New recovery codes').click()
      clock.nextCode()
      await goodLook(opened, 'second-factor-renew-codes')
      await enterCode(page, app.code(clock.now()), 'Get new codes')
      await page.getByText('Your earlier recovery codes no longer work.').waitFor()
      expect(await page.locator('.recovery-codes code').count()).to.equal(10)
      await goodLook(opened, 'new-recovery-codes')
      await button(page, 'I have kept them').click()

      await button(page, 'Account').click()
      await button(page, 'Replace').click()
      clock.nextCode()
      await enterCode(page, app.code(clock.now()), 'Continue')
      const next = await scanned(page)
      await enterCode(page, next.code(clock.now()), 'Turn on')
      await button(page, 'I have kept them').click()

      await button(page, 'Account').click()
      await button(page, 'Turn off').click()
      await goodLook(opened, 'second-factor-turn-off')
      clock.nextCode()
      await enterCode(page, next.code(clock.now()), 'Turn off')
      await page.getByText('Your second factor is off.').waitFor()
      await button(page, 'Account').click()
      await page.getByText('off', { exact: true }).waitFor()
      await opened.close()
    })
})
