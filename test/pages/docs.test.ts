/** The page /docs: what it loads comes from the service, nothing breaks its strict policy, and an operation can be tried. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { operations } from '../../lib/contract/operations.ts'
import { operator } from '../../server/operations/operator/table.ts'
import { sandbox } from '../../server/operations/sandbox/table.ts'
import { accessibilityFaults } from '../support/browser/axe.ts'
import { type Look, openBrowser, visitor } from '../support/browser/browser.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

describe('The page /docs', () => {
  let browser: Browser
  let service: TestService
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService()])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function opened(look: Look = {}) {
    const visit = await visitor(browser, look)
    const foreign: string[] = []
    visit.page.on('request', (request) => {
      if (!request.url().startsWith(service.baseUrl) && !request.url().startsWith('data:')) foreign.push(request.url())
    })
    await visit.page.goto(`${service.baseUrl}/docs`)
    await visit.page.waitForSelector('.opblock')
    return { ...visit, foreign }
  }

  it('lets a sender try an operation with a key, and keeps the key nowhere', async () => {
    const { page, errors, foreign, close } = await opened()
    await page.click('button.authorize')
    await page.fill('.auth-container input', service.key)
    await page.click('.auth-btn-wrapper .authorize')
    await page.click('.btn-done')
    const operation = page.locator('#operations-Look-ups-listDocumentTypes')
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.execute').click()
    const answer = operation.locator('.live-responses-table')
    expect(await answer.locator('tbody .response-col_status').first().textContent()).to.match(/^200/)
    expect(await answer.textContent()).to.include('Physician Order (verbal)')
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
    ).to.equal('[{},{},""]')
    expect({ errors, foreign }).to.deep.equal({ errors: [], foreign: [] })
    await close()
  })

  for (const look of [
    { scheme: 'light', width: 1280 },
    { scheme: 'dark', width: 1280 },
    { scheme: 'light', width: 390 },
    { scheme: 'dark', width: 390 },
  ] as const)
    it(`${look.scheme}, ${look.width} wide: shows every operation, and nothing reaches beyond the edge`, async () => {
      const { page, errors, shoot, close } = await opened(look)
      // The operations, and the callback.
      expect(await page.locator('.opblock').count()).to.equal(Object.keys(operations).length + 1)
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.equal(0)
      const background = String(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'))
      expect(background === 'rgb(28, 32, 34)').to.equal(look.scheme === 'dark')
      await shoot('docs')
      // A summary of Swagger UI is a button with a link in it.
      const faults = (await accessibilityFaults(page)).filter((fault) => !fault.startsWith('nested-interactive'))
      expect(faults).to.deep.equal([])
      expect(errors).to.deep.equal([])
      await close()
    })

  it("shows the operator's interface too, one link away", async () => {
    const { page, errors, foreign, close } = await opened()
    await page.click('nav a >> text=Operator’s interface')
    await page.waitForSelector('#operations-Organizations-createOrganization')
    expect(await page.locator('.opblock').count()).to.equal(Object.keys(operator).length)
    expect(await page.title()).to.include('Operator’s interface')
    expect(await page.locator('nav a[aria-current]').textContent()).to.equal('Operator’s interface')
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.equal(0)
    expect({ errors, foreign }).to.deep.equal({ errors: [], foreign: [] })
    await close()
  })

  it('shows the control plane of a sandbox, one link away', async () => {
    const { page, errors, close } = await opened()
    await page.click('nav a >> text=Sandbox')
    await page.waitForSelector('#operations-Traffic-listRequests')
    expect(await page.locator('.opblock').count()).to.equal(Object.keys(sandbox).length)
    expect(await page.title()).to.include('Sandbox')
    expect(errors).to.deep.equal([])
    await close()
  })

  it('is served under the policy of every page: no inline script, no inline style', async () => {
    const { headers, text } = await service.ask<string>('GET', '/docs', { key: null })
    expect(headers.get('content-security-policy')).to.include("script-src 'self';style-src 'self'")
    expect(text).not.to.match(/<script(?![^>]*src=)|<style| style=| on\w+=/)
  })
})
