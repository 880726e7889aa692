/** A stack of orders is quick work: signed one after the other, in the order of the list, or read first and signed together. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import {
  adoptTypedName,
  aStack,
  beginStack,
  familyOf,
  openStack,
  paceLine,
  pressAtOnce,
  signRest,
} from '../../support/browser/a-stack.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { goodLook } from '../../support/browser/good-look.ts'
import { type InboxPage, openInbox } from '../../support/browser/inbox-page.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

describe('a stack of orders', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(90_000)
  let browser: Browser
  let service: TestService
  let inbox: InboxPage
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService()])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })
  afterEach(async () => {
    await inbox?.close()
    // What a test leaves is not in the list of the next one.
    await service.ask('POST', '/sandbox/v1/reset')
  })
  const visit = async (look = {}) => {
    inbox = await openInbox(browser, service, look)
    await inbox.signInAs('Ruth Calder')
  }
  const at = async (i: number) => {
    await inbox.page.getByRole('heading', { name: familyOf(i) }).waitFor()
    await inbox.page.locator('.sheet[data-drawn]').first().waitFor()
  }

  for (const how of ['keyboard', 'phone'] as const)
    it(`is signed with two ${how === 'phone' ? 'taps' : 'keys'} a document (${how})`, async () => {
      const tasks = await aStack(service, 5)
      inbox = await openStack(browser, service, how)
      await beginStack(inbox)
      const pace = await signRest(inbox, tasks.length, how)
      console.log(paceLine(how, pace))
      expect(pace.acts).to.equal(2)
      for (const task of tasks) await service.reaches(task, 'Completed')
      expect(inbox.errors).to.deep.equal([])
    })

  it('takes every key that is pressed as soon as there is something to press', async () => {
    const tasks = await aStack(service, 3)
    inbox = await openStack(browser, service, 'keyboard')
    await beginStack(inbox)
    await pressAtOnce(inbox.page)
    await inbox.page.getByRole('heading', { name: 'No documents to sign' }).waitFor()
    for (const task of tasks) await service.reaches(task, 'Completed')
    expect(await inbox.page.evaluate<number>('presses')).to.equal(4)
  })

  it('goes on as the list is sorted and searched, leaves what was skipped for the end, and comes back to the same place', async () => {
    await aStack(service, 12)
    await visit({ height: 600 })
    const { page, button } = inbox
    await page.getByLabel('Sort').selectOption('Newest first')
    await page.getByRole('searchbox').fill('stack')
    const row = page.getByRole('link', { name: familyOf(3) })
    await row.scrollIntoViewIfNeeded()
    const place = await page.evaluate<number>('scrollY')
    expect(place).to.be.greaterThan(100)
    await row.click()
    await at(3)
    await page.goBack()
    await row.waitFor()
    expect(await page.evaluate<number>('scrollY')).to.equal(place)
    expect(await page.getByRole('searchbox').inputValue()).to.equal('stack')

    await row.click()
    await at(3)
    await button('Skip').click()
    await at(2)
    await adoptTypedName(inbox)
    await inbox.sign()
    await at(1)
    await button('Skip').click()
    await at(3)
    await page.goBack()
    await row.waitFor()
    const names = await page.locator('.document .who strong').allTextContents()
    expect(names.map((name) => Number(name.slice(-3)))).to.deep.equal([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 1])
    expect(await page.evaluate<string>('document.activeElement.tagName'), 'the focus').to.equal('H1')
  })

  it('is read, then signed together: each document by a request of its own, with an outcome of its own', async () => {
    const [first, withdrawn, third] = await aStack(service, 3)
    await visit({ height: 500 })
    const { page, button } = inbox
    await inbox.open(familyOf(1))
    await adoptTypedName(inbox)
    await button('Add to tray').click()
    await inbox.said('Scroll through page 1 first.')
    for (const i of [1, 2, 3]) {
      await at(i)
      for (let seen = 0; seen < 6; seen++) {
        await page.mouse.wheel(0, 250)
        await page.evaluate('new Promise(requestAnimationFrame)')
      }
      if (i > 1) await button('Place signature').click()
      await button('Add to tray').click()
    }
    await page.getByRole('heading', { name: 'Sign all' }).waitFor()
    expect(await page.locator('.reviewed .who strong').allTextContents()).to.deep.equal(
      [1, 2, 3].map((i) => `Ida ${familyOf(i)}`),
    )
    await goodLook(inbox, 'tray')
    // The page does not learn of it before it signs.
    await page.route('**/inbox/api/documents', (route) => route.abort())
    await service.client.retractTask({ params: { id: withdrawn! }, query: { reason: 'Sent twice' } })
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    await button('Sign 3 documents').dblclick()
    await page.getByText('2 documents signed, 1 not signed: the list says why.').waitFor()
    const row = (i: number) => page.locator('.reviewed').filter({ hasText: familyOf(i) })
    expect(await row(2).locator('.outcome').textContent()).to.match(/^Not signed\. Withdrawn by the sender/)
    for (const i of [1, 3]) expect(await row(i).locator('.outcome').textContent()).to.equal('Signed')
    expect(sent.map((url) => Number(url.split('/').at(-2)))).to.deep.equal([first, withdrawn, third])
    await goodLook(inbox, 'tray-signed')
    for (const task of [first!, third!]) await service.reaches(task, 'Completed')
    await button(/^Take out/).click()
    await row(2).waitFor({ state: 'detached' })
    expect(await row(1).count(), 'what was signed').to.equal(1)
  })

  it('refuses a text that is too long for its box at the tray as it does at signing, in the same words', async () => {
    await aWaitingOrder(service)
    await visit()
    const { page, button, said, field } = inbox
    await inbox.open('Alma Whitfield')
    await page.getByRole('checkbox', { name: /^Checkbox/ }).check()
    await adoptTypedName(inbox)
    const text = field('TextArea').locator('textarea')
    const refused = 'Text on page 1: a shorter text: in its box, this one would be too small to be read.'
    await text.fill('word '.repeat(800))
    await button('Add to tray').click()
    await said(refused)
    expect(await page.getByRole('link', { name: /^Tray/ }).count()).to.equal(0)
    await button('Close').click()
    await inbox.sign()
    await said(refused)
    await text.fill('word')
    await button('Add to tray').click()
    await page.getByRole('link', { name: 'Tray 1' }).waitFor()
  })

  it('no longer offers to sign together what was withdrawn meanwhile', async () => {
    const [, withdrawn] = await aStack(service, 2)
    await visit()
    const { page, button } = inbox
    await inbox.open(familyOf(1))
    await adoptTypedName(inbox)
    for (const i of [1, 2]) {
      await at(i)
      if (i > 1) await button('Place signature').click()
      await button('Add to tray').click()
    }
    await button('Sign 2 documents').waitFor()
    await service.client.retractTask({ params: { id: withdrawn! }, query: { reason: 'Sent twice' } })
    await button('Sign 1 document').waitFor()
    const row = page.locator('.reviewed').filter({ hasText: familyOf(2) })
    expect(await row.locator('.outcome').textContent()).to.match(/^Not signed\. Withdrawn by the sender .*: Sent twice/)
    await button('Sign 1 document').click()
    await page.getByText('1 document signed, 1 not signed: the list says why.').waitFor()
    expect(await page.getByRole('button', { name: /^Sign \d/ }).count()).to.equal(0)
  })

  for (const [width, height, touch] of [
    [1280, 800, false],
    [390, 844, true],
    [844, 390, true],
  ] as const)
    it(`can be read and acted on without scrolling at ${width} by ${height}`, async () => {
      await aWaitingOrder(service)
      await visit({ width, height, touch })
      const { page, button } = inbox
      await page.getByRole('link', { name: 'Inbox 1' }).waitFor()
      const links = await page.locator('.top nav a').all()
      const tops = await Promise.all(links.map(async (link) => (await link.boundingBox())!.y))
      expect(new Set(tops).size, 'lines of links').to.equal(1)
      await inbox.open('Alma Whitfield')
      await goodLook(inbox, `desk-${height}`)
      const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!
      const bottomOf = async (name: string) => {
        const box = (await button(name).boundingBox())!
        return box.y + box.height
      }
      for (const name of ['Start', 'Skip', 'Reject']) expect(await bottomOf(name), name).to.be.at.most(height)
      await page.evaluate('scrollTo(0, 300)')
      const whose = page.locator('.guide .whose')
      expect(await whose.textContent(), 'whom it is about')
        .to.include('Mar 12, 1948')
        .and.to.include('MRN WC100001')
      const facts = (await whose.boundingBox())!
      expect([facts.y >= 0, facts.y + facts.height <= height], 'in sight, wherever the pages are').to.deep.equal([
        true,
        true,
      ])
      await page.evaluate('scrollTo(0, 0)')
      const shownOfPage = async () => {
        const [sheet, guide] = [await boxOf('.sheet'), await boxOf('.guide')]
        const bottom = guide.x >= sheet.x + sheet.width ? height : Math.min(guide.y, sheet.y + sheet.height)
        return bottom - sheet.y
      }
      expect(await shownOfPage(), 'of the page').to.be.at.least(height / 2)
      await page.getByRole('checkbox', { name: /^Checkbox/ }).check()
      await adoptTypedName(inbox)
      await inbox.ready()
      for (const name of ['Sign document', 'Add to tray', 'Reject'])
        expect(await bottomOf(name), name).to.be.at.most(height)
      expect(await bottomOf('Reject'), 'one line').to.equal(await bottomOf('Skip'))
      const agreement = (await page.getByText(/^By signing you confirm/).boundingBox())!
      expect(agreement.y + agreement.height, 'the agreement').to.be.at.most(height)
      await page.evaluate('scrollTo(0, 0)')
      expect(await shownOfPage(), 'of the page, ready to sign').to.be.at.least(height / 2)
      await goodLook(inbox, `desk-ready-${height}`)
    })
})
