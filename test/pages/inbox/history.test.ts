/** What a signer does with documents that are done, and with one on paper: search, look, download, print. */
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../support/browser/browser.ts'
import { goodLook, looks } from '../../support/browser/good-look.ts'
import { type InboxPage, openInbox } from '../../support/browser/inbox-page.ts'
import { eventually } from '../../support/eventually.ts'
import { textOf } from '../../support/seen/text-of.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

const patientOf = (id: number, given: string, family: string, birthDate: string) => ({
  externalId: `HISTORY|${id}`,
  names: [{ family, given: [given] }],
  birthDate,
  identifiers: [{ authority: 'mrn' as const, value: `WC20000${id}` }],
})
const LUKASZ = patientOf(1, 'Łukasz', 'Marsh', '1931-05-14')
const OCONNELL = patientOf(2, 'James', 'O’Connell', '1948-03-12')
const ADAMS = patientOf(3, 'Ann', 'Adams', '1950-01-02')

describe('the history of a signer', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  let browser: Browser
  let service: TestService
  let inbox: InboxPage
  let signed: number
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService({ unsignedPdf: 'download' })])
    signed = await aWaitingOrder(service, { patient: LUKASZ, externalDocId: 'EHR|HIST-7' })
    await service.signs(signed)
    await service.rejects(await aWaitingOrder(service, { patient: ADAMS }), 'Please send to Dr. Marsh')
    for (const patient of [OCONNELL, ADAMS]) await aWaitingOrder(service, { patient })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })
  const visit = async (look = {}) => {
    inbox = await openInbox(browser, service, look)
    await inbox.signInAs('Ruth Calder')
  }
  afterEach(async () => {
    const { errors } = inbox
    await inbox.close()
    expect(errors).to.deep.equal([])
  })
  const search = (words: string) => inbox.page.getByRole('searchbox').fill(words)
  const shown = async () => (await inbox.page.locator('.documents strong').allTextContents()).sort()
  const found = (...names: string[]) => eventually(async () => expect(await shown()).to.deep.equal(names))

  it('begins with a search of what waits: by date, name, apostrophe, record number and sender', async () => {
    await visit()
    await found('Ann Adams', 'James O’Connell')
    for (const words of ['03/12/1948', "o'connell", 'oconnell', 'wc200002']) {
      await search(words)
      await found('James O’Connell')
    }
    await search('willow')
    await found('Ann Adams', 'James O’Connell')
  })

  it('is searched, and shows reasons and the signed document', async () => {
    await visit(looks[1])
    const asked: string[] = []
    inbox.page.on('request', (request) => asked.push(request.url()))
    await inbox.page.getByRole('link', { name: 'Signed' }).click()
    await found('Ann Adams', 'Łukasz Marsh')
    await inbox.page.getByText('Reason: Please send to Dr. Marsh').waitFor()
    await search('lukasz 05/14/1931')
    await found('Łukasz Marsh')
    await goodLook(inbox, 'history-search')
    expect(asked.join()).not.to.match(/lukasz|1931/i)
    await search('nobody')
    await inbox.page.getByText('No document matches the search.').waitFor()
    await search('lukasz')
    await inbox.page.getByRole('link', { name: 'View the signed document of Łukasz Marsh' }).click()
    await inbox.page.locator('.sheet[data-drawn]').first().waitFor()
    await eventually(async () =>
      expect(await inbox.page.locator('.textLayer').first().textContent()).to.include('Ruth Calder DO'),
    )
    await goodLook(inbox, 'history-document')
    const download = inbox.page.waitForEvent('download')
    await inbox.page.getByRole('link', { name: 'PDF of this document' }).click()
    const pdf = await readFile(await (await download).path())
    expect(await textOf(pdf.toString('base64'))).to.include('Ruth Calder DO')
  })

  for (const look of looks)
    it(`is narrowed by the number of an order and by days (${look.width}, ${look.scheme})`, async () => {
      await visit(look)
      await inbox.page.getByRole('link', { name: 'Signed' }).click()
      // The list of what waits has a search of its own.
      await found('Ann Adams', 'Łukasz Marsh')
      await search('hist-7')
      await found('Łukasz Marsh')
      await search(String(signed))
      await found('Łukasz Marsh')
      await search('')
      await found('Ann Adams', 'Łukasz Marsh')
      await inbox.page.getByLabel('through').fill('2001-02-03')
      await inbox.page.getByText('No document matches the search.').waitFor()
      await inbox.page.getByLabel('through').fill('')
      await inbox.page.getByLabel('From').fill('2001-02-03')
      await found('Ann Adams', 'Łukasz Marsh')
      await goodLook(inbox, 'history-days')
      await inbox.page.getByLabel('From').fill('2999-12-31')
      await inbox.page.getByText('No document matches the search.').waitFor()
    })

  describe('on paper', () => {
    /** Stands for the browser's print dialog, and keeps the page as it would be printed. */
    const printed = async (page: Page) => {
      await page.emulateMedia({ media: 'print' })
      const text = await page.evaluate<string>('document.body.innerText')
      const seen = await page.evaluate<string[]>(
        `[...document.querySelectorAll('body *')].filter((part) => part.checkVisibility() && part.children.length === 0).map((part) => part.tagName + '.' + part.className)`,
      )
      return { text: text.trim(), seen: [...new Set(seen)] }
    }
    const announced = async () => {
      await visit()
      await inbox.open('Ann Adams')
      await inbox.button('Reject').click()
      await inbox.button('Not my patient').click()
      await inbox.button('Reject document').click()
      await inbox.said('of Ann Adams')
      await inbox.page.locator('.desk-head h1', { hasText: 'James O’Connell' }).waitFor()
      await inbox.page.locator('.sheet[data-drawn]').first().waitFor()
      await inbox.field('TextArea').locator('textarea').fill('Not on paper yet.')
    }

    it('is the document alone: every page, no other patient, nothing that is filled in', async () => {
      await announced()
      await inbox.page.evaluate('window.print = () => { window.hasPrinted = true }')
      await inbox.page.keyboard.press('Control+P')
      await eventually(async () => expect(await inbox.page.evaluate('window.hasPrinted')).to.equal(true), 40_000)
      expect(await printed(inbox.page)).to.deep.equal({ text: '', seen: ['IMG.'] })
      await inbox.shoot('printed')
      const pages = await inbox.page.locator('.sheet').count()
      expect(await inbox.page.locator('.printed img').count()).to.equal(pages)
      const pdf = await inbox.page.pdf({ preferCSSPageSize: true })
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).to.have.length(pages)
      // The browser has printed, and says so.
      await eventually(async () => expect(await inbox.page.locator('.printed').count()).to.equal(0))
    })

    it('is the document alone from the menu of the browser, too', async () => {
      await aWaitingOrder(service, { patient: ADAMS })
      await announced()
      expect(await printed(inbox.page)).to.deep.equal({ text: '', seen: ['CANVAS.'] })
      await inbox.shoot('printed-from-menu')
      await inbox.page.emulateMedia({ media: 'screen' })
      const download = inbox.page.waitForEvent('download')
      await inbox.page.getByRole('link', { name: 'Unsigned PDF' }).click()
      expect((await download).suggestedFilename()).to.match(/^document-\d+-not-signed\.pdf$/)
    })
  })
})
