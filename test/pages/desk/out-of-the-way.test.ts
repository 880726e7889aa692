/** What the page says never lies over what can be pressed, and an error of one page does not follow to the next; the links fit. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { adoptTypedName, aStack, familyOf } from '../../support/browser/a-stack.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { type InboxPage, openInbox } from '../../support/browser/inbox-page.ts'
import { wholeLinks } from '../../support/browser/whole-links.ts'
import { eventually } from '../../support/eventually.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

describe('what is said and linked at the desk', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  let browser: Browser
  let service: TestService
  let inbox: InboxPage
  before(async () => {
    browser = await openBrowser()
  })
  beforeEach(async () => {
    service = await aService()
  })
  afterEach(async () => {
    await inbox?.close()
    await service.stop()
  })
  after(() => browser?.close())

  const visit = async (look = {}) => {
    inbox = await openInbox(browser, service, look)
    await inbox.signInAs('Ruth Calder')
  }

  /** The controls that lie under the announcement, or outside the screen beside it. */
  const covered = () =>
    inbox.page.evaluate<string[]>(`{
      const said = document.querySelector('.announcement').getBoundingClientRect()
      const isOver = (box) =>
        box.bottom > said.top && box.top < said.bottom && box.right > said.left && box.left < said.right
      ;[...document.querySelectorAll('.top :is(a, button), .desk-head a, .guide :is(a, button)')]
        .filter((control) => control.checkVisibility() && isOver(control.getBoundingClientRect()))
        .map((control) => control.textContent)
    }`)

  for (const [width, height, touch] of [
    [1280, 800, false],
    [390, 844, true],
    [844, 390, true],
  ] as const) {
    it(`covers none of the controls at ${width} by ${height}`, async () => {
      await aStack(service, 3)
      await visit({ width, height, touch })
      const { page, button } = inbox
      await inbox.open(familyOf(1))
      await adoptTypedName(inbox)
      await inbox.ready()
      await inbox.sign()
      await page.getByRole('heading', { name: familyOf(2) }).waitFor()
      await page.locator('.sheet[data-drawn]').first().waitFor()
      await inbox.said('Signed:')
      await inbox.shoot('said-at-the-desk')
      expect(await covered(), 'beside the guide').to.deep.equal([])
      await button('Place signature').click()
      await inbox.ready()
      await page.evaluate('scrollTo(0, 0)')
      expect(await covered(), 'beside a larger guide').to.deep.equal([])
    })

    it(`has all its links whole, on one line, at ${width} by ${height}`, async () => {
      for (let i = 0; i < 11; i++) await aWaitingOrder(service)
      await visit({ width, height, touch })
      const { page, button } = inbox
      await inbox.open('Alma Whitfield')
      await page.getByRole('checkbox', { name: /^Checkbox/ }).check()
      await adoptTypedName(inbox)
      await inbox.ready()
      // On a low screen it takes scrolling to have the page shown in full.
      for (let seen = 0; seen < 4000; seen += 200) {
        await page.evaluate(`scrollTo(0, ${seen})`)
        await page.evaluate('new Promise(requestAnimationFrame)')
      }
      await button('Add to tray').click()
      await page.getByRole('link', { name: 'Tray 1' }).waitFor()
      await page.locator('.sheet[data-drawn]').first().waitFor()
      await inbox.shoot(`links-${height}`)
      await wholeLinks(page, 6)
    })
  }

  it('takes an error away with the page that it is about, and leaves what was done', async () => {
    await aStack(service, 2)
    await visit()
    const { page } = inbox
    await inbox.open(familyOf(1))
    await adoptTypedName(inbox)
    await inbox.ready()
    await page.route('**/sign', (route) => route.fulfill({ status: 400, json: { errors: ['This was refused.'] } }))
    await inbox.sign()
    await inbox.said('This was refused.')
    await page.getByRole('link', { name: 'Signed' }).click()
    await page.getByRole('heading', { name: 'Signed and rejected' }).waitFor()
    await page.locator('.announcement').waitFor({ state: 'detached' })
    await page.unroute('**/sign')
    await page.goBack()
    await inbox.ready()
    await inbox.sign()
    // A field that was not in sight is shown first, so the button may have to be pressed again. Both are asked in one turn of the
    // page: the next document has such a button, too.
    await eventually(async () =>
      expect(
        await page.evaluate<boolean>(`(() => {
          const isNext = [...document.querySelectorAll('h1')].some((heading) => heading.textContent.includes('${familyOf(2)}'))
          const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Sign document')
          if (!isNext && button && !button.disabled) button.click()
          return isNext
        })()`),
      ).to.equal(true),
    )
    await inbox.said('Signed:')
  })
})
