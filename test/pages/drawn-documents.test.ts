/** Signers and operators read that a document was converted to pictures, and why; an operator gets it as it was received. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { preparationSentences } from '../../lib/pdf/prepare/preparation.ts'
import { openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook, looks } from '../support/browser/good-look.ts'
import { openInbox } from '../support/browser/inbox-page.ts'
import { fixture } from '../support/fixtures.ts'
import { base64 } from '../support/pdf/order-pdf.ts'
import { order, stream, text, writtenPdf } from '../support/pdf/written-pdf.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const ODD = fixture('pdf/unusual/contents-with-null.pdf')

describe('a drawn document on the pages', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(90_000)
  let browser: Browser
  let service: TestService
  let taskId: number
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService({ staffDocuments: 'all' })])
    taskId = await service.create(aCreateBody({ document: { attachment: base64(ODD) } }))
    await service.reaches(taskId, 'Pending')
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  for (const look of looks) {
    it(`says to its signer that it is a picture, and why, ${look.width} pixels`, async () => {
      const inbox = await openInbox(browser, service, look)
      await inbox.signInAs('Ruth Calder')
      await inbox.open('Alma Whitfield')
      await inbox.page.getByText(`Prepared for signing: ${preparationSentences.drawnForContent}`).waitFor()
      const page = inbox.page.getByRole('region', { name: 'Page 1 of' })
      await page.getByText('This page is a picture. No reliable text of it exists for screen readers.').waitFor()
      await goodLook(inbox, 'inbox-drawn')
      expect(inbox.errors).to.deep.equal([])
      await inbox.close()
    })

    it(`can be downloaded as it was received, ${look.width} pixels`, async () => {
      const opened = await visitor(browser, look)
      await opened.page.goto(`${service.baseUrl}/console#/tasks`)
      await opened.page.getByRole('button', { name: 'Service operator' }).click()
      await opened.page.getByRole('link', { name: String(taskId) }).click()
      const button = opened.page.getByRole('button', { name: 'Save file as received' })
      const [download] = await Promise.all([opened.page.waitForEvent('download'), button.click()])
      expect(Buffer.from(ODD).equals(readFileSync(await download.path()))).to.equal(true)
      await goodLook(opened, 'console-drawn')
      expect(opened.errors).to.deep.equal([])
      await opened.close()
    })
  }

  it('says that its text is not reliable where it is plain and has text that does not show', async () => {
    const scanned = writtenPdf({
      ...order(),
      5: stream(`${text('Morphine 5 mg')} BT /F1 18 Tf 3 Tr 300 700 Td (500) Tj ET`),
    }).pdf
    const plain = await service.create(aCreateBody({ document: { attachment: base64(scanned) } }))
    await service.reaches(plain, 'Pending')
    const inbox = await openInbox(browser, service, looks[0]!)
    await inbox.signInAs('Ruth Calder')
    await inbox.page.goto(`${service.baseUrl}/inbox#/documents/${plain}`)
    const page = inbox.page.getByRole('region', { name: 'Page 1 of' })
    await page
      .getByText('This page is shown as a picture. No reliable text of it exists for screen readers.')
      .waitFor({ state: 'attached' })
    expect(await page.getByText('Morphine').count()).to.equal(0)
    expect(inbox.errors).to.deep.equal([])
    await inbox.close()
  })

  for (const look of looks)
    it(`says the same once it is signed, ${look.width} pixels`, async () => {
      const signed = await service.create(aCreateBody({ document: { attachment: base64(ODD) } }))
      await service.reaches(signed, 'Pending')
      expect((await service.ask('POST', `/sandbox/v1/tasks/${signed}/sign`)).status).to.equal(204)
      const inbox = await openInbox(browser, service, look)
      await inbox.signInAs('Ruth Calder')
      await inbox.page.goto(`${service.baseUrl}/inbox#/signed/${signed}`)
      await inbox.page.getByText('The pages of this document are pictures. No reliable text of them exists').waitFor()
      await inbox.page.getByRole('region', { name: 'Page 1 of' }).locator('canvas').waitFor()
      await goodLook(inbox, 'inbox-drawn-signed')
      expect(inbox.errors).to.deep.equal([])
      await inbox.close()
    })
})
