/** What may be in documents is set in the console by hand, and signers and operators are told what was removed. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { preparationSentences } from '../../lib/pdf/prepare/preparation.ts'
import { type Look, openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook, looks } from '../support/browser/good-look.ts'
import { openInbox } from '../support/browser/inbox-page.ts'
import { activePdf } from '../support/pdf/active-pdf.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const SCRIPTS = 'Scripts and actions'
const FILES = 'Attached files, sound, film'

describe('active content on the pages', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(90_000)
  let browser: Browser
  let service: TestService
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService()])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function atOrganization(who: string, look: Look = {}) {
    const opened = await visitor(browser, look)
    const { page } = opened
    await page.goto(`${service.baseUrl}/console#/tasks`)
    await page.getByRole('button', { name: who }).click()
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
    await page.goto(`${service.baseUrl}/console#/organizations`)
    await page.getByRole('link', { name: 'Willow Creek Home Health' }).click()
    await page.getByLabel(SCRIPTS).waitFor()
    const contents = page.getByRole('region', { name: 'What PDFs may contain' })
    const said = (text: string) => page.locator('.announcement').filter({ hasText: text }).waitFor()
    return { ...opened, said, save: () => contents.getByRole('button', { name: 'Save' }).click() }
  }

  it('is decided by the operator, and the decision is shown afterwards', async () => {
    const { page, save, said, errors, close } = await atOrganization('Service operator')
    expect(await page.getByLabel(SCRIPTS).inputValue()).to.equal('strip')
    await save()
    await said('Nothing was changed.')
    await page.getByLabel(SCRIPTS).selectOption('Refuse the document')
    await page.getByLabel(FILES).selectOption('Leave in')
    await save()
    await said('Saved for documents that arrive from now on.')
    await page.reload()
    expect(await page.getByLabel(SCRIPTS).inputValue()).to.equal('refuse')
    expect(await page.getByLabel(FILES).inputValue()).to.equal('allow')
    const refused = await service.ask('POST', '/api/v1/signature/tasks', {
      body: aCreateBody({ document: { attachment: await activePdf('javaScript') } }),
    })
    expect(refused.status).to.equal(400)
    expect(errors).to.deep.equal([])
    await close()
  })

  for (const look of looks)
    it(`lets an administrator be stricter, ${look.width} pixels`, async () => {
      const opened = await atOrganization('Willow Creek administrator', look)
      const { page, save, said, errors, close } = opened
      const leaveIn = (label: string) => page.getByLabel(label).getByRole('option', { name: 'Leave in' })
      expect(await leaveIn(SCRIPTS).isDisabled()).to.equal(true)
      await page.getByText('Only the operator of the service can choose “Leave in”.').scrollIntoViewIfNeeded()
      await goodLook(opened, 'console-active-content-administrator')
      const choice = (await page.getByLabel(SCRIPTS).inputValue()) === 'strip' ? 'Refuse the document' : 'Remove'
      await page.getByLabel(SCRIPTS).selectOption(choice)
      await save()
      await said('Saved for documents that arrive from now on.')
      expect(errors).to.deep.equal([])
      await close()
    })

  describe('that was removed', () => {
    const sentences = `${preparationSentences.javaScriptRemoved} ${preparationSentences.embeddedFilesRemoved}`
    let taskId: number
    before(async () => {
      const { page, save, said, close } = await atOrganization('Service operator')
      for (const label of [SCRIPTS, FILES]) await page.getByLabel(label).selectOption('Remove')
      await save()
      await said('Saved for documents that arrive from now on.')
      await close()
      const attachment = await activePdf('javaScript', 'embeddedFiles')
      taskId = await service.create(aCreateBody({ document: { attachment } }))
      await service.reaches(taskId, 'Pending')
    })

    for (const look of looks) {
      it(`is told to the signer in a line, ${look.width} pixels`, async () => {
        const inbox = await openInbox(browser, service, look)
        await inbox.signInAs('Ruth Calder')
        await inbox.open('Alma Whitfield')
        await inbox.page.getByText(`Prepared for signing: ${sentences}`).waitFor()
        await goodLook(inbox, 'inbox-prepared')
        expect(inbox.errors).to.deep.equal([])
        await inbox.close()
      })

      it(`is told to the operator, ${look.width} pixels`, async () => {
        const opened = await visitor(browser, look)
        await opened.page.goto(`${service.baseUrl}/console#/tasks`)
        await opened.page.getByRole('button', { name: 'Service operator' }).click()
        await opened.page.getByRole('link', { name: String(taskId) }).click()
        await opened.page.getByRole('definition').filter({ hasText: sentences }).waitFor()
        await goodLook(opened, 'console-prepared')
        expect(opened.errors).to.deep.equal([])
        await opened.close()
      })
    }
  })
})
