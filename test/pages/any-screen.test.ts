/** All pages on wide, low and narrow screens: nothing is wider than the screen, and nothing is cut, however long a name is. */
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { aSigner, signsIn } from '../support/browser/a-signer.ts'
import { aVisit } from '../support/browser/a-visit.ts'
import { openBrowser, visitor } from '../support/browser/browser.ts'
import { openInbox } from '../support/browser/inbox-page.ts'
import { wholeLinks } from '../support/browser/whole-links.ts'
import { TEMPLATE } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { aWaitingOrder } from '../support/service/a-waiting-order.ts'

const NAME = 'Prof. Dr. Wilhelmina Featherstonehaugh-Cholmondeley MD FACP'
const screens = [
  { width: 1280, height: 800 },
  { width: 1000, height: 700 },
  { width: 844, height: 390 },
  { width: 390, height: 844 },
]

describe('a page on any screen', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  let browser: Browser
  let service: TestService
  let email: string
  let waiting: number
  let signed: number
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService({ unsignedPdf: 'view' })])
    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const signer = await aSigner(operator, 1, NAME)
    email = signer.email
    waiting = await aWaitingOrder(service, { signer: signer.npi })
    signed = await aWaitingOrder(service, { signer: signer.npi })
    await service.signs(signed)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const fits = async (page: Page, what: string) => {
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate<number>(wide), `${what} is wider than the screen`).to.equal(0)
  }

  for (const screen of screens) {
    const where = `at ${screen.width} by ${screen.height}`

    it(`shows a signer with a long name all there is, ${where}`, async () => {
      const inbox = await openInbox(browser, service, screen)
      const { page } = inbox
      await signsIn(inbox, email)
      for (const route of ['', 'tray', 'signed', `signed/${signed}`, 'notices', 'delegation', `documents/${waiting}`]) {
        await page.goto(`${service.service.inboxUrl}#/${route}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await fits(page, route)
      }
      await page.locator('.sheet[data-drawn]').first().waitFor()
      await fits(page, 'the desk')
      await wholeLinks(page, 5)
      const copy = (await page.getByRole('link', { name: 'Open unsigned PDF' }).boundingBox())!
      expect(copy.x + copy.width, 'the link to the copy').to.be.below(screen.width - 8)
      await inbox.field('VisibleSignature').locator('button').click()
      await page.getByRole('radio', { name: 'Type' }).check()
      const paper = `{ const paper = document.querySelector('.paper'); [paper.scrollWidth - paper.clientWidth, paper.scrollHeight - paper.clientHeight] }`
      expect(await page.evaluate(paper), 'of the name is cut').to.deep.equal([0, 0])
      await inbox.close()
    })

    it(`shows an operator all there is, ${where}`, async () => {
      const { page, close } = await visitor(browser, screen)
      await page.goto(`${service.baseUrl}/console#/tasks`)
      await page.getByRole('button', { name: 'Service operator' }).click()
      await page.getByRole('rowheader').first().waitFor()
      const routes = [
        '',
        'tasks',
        `tasks/${signed}`,
        'review',
        'deliveries',
        'templates',
        `templates/${TEMPLATE.verbalOrder}`,
      ]
      for (const route of [
        ...routes,
        'organizations',
        'organizations/1',
        'set-up',
        'set-up/1',
        'keys',
        'instances',
        'audit',
        'people',
      ]) {
        await page.goto(`${service.baseUrl}/console#/${route}`)
        await page.locator('main :is(table, .facts, .empty, .panel)').first().waitFor()
        await fits(page, route)
      }
      await wholeLinks(page, 6)
      await page.getByRole('rowheader', { name: '9999900035' }).waitFor()
      await fits(page, 'people, with all rows')
      const lines = await page.evaluate<number>(`{
        const heads = document.createTreeWalker(document.querySelector('tbody'), NodeFilter.SHOW_TEXT)
        while (heads.nextNode() && !heads.currentNode.data.includes('9999900035'));
        const at = heads.currentNode.data.indexOf('9999900035')
        const text = document.createRange()
        text.setStart(heads.currentNode, at)
        text.setEnd(heads.currentNode, at + 10)
        new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size
      }`)
      expect(lines, 'lines of an NPI').to.equal(1)
      await close()
    })
  }
})
