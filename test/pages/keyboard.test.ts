/** An operator without a pointer: a template, a review, a redelivery and a cancellation, with the keyboard alone. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { demoOrder } from '../../scripts/demo-order.ts'
import type { Opened as OpenedDocument } from '../../server/operations/signer/messages.ts'
import { aVisit } from '../support/browser/a-visit.ts'
import { openBrowser, visitor } from '../support/browser/browser.ts'
import { byKeyboard } from '../support/browser/by-keyboard.ts'
import { eventually } from '../support/eventually.ts'
import { TestReceiver } from '../support/network/test-receiver.ts'
import { aCreateBody, daysFromToday } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

describe('the console by keyboard alone', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(90_000)
  let browser: Browser
  let service: TestService
  let receiver: TestReceiver
  before(async () => {
    ;[browser, service, receiver] = await Promise.all([openBrowser(), aService(), TestReceiver.start()])
    const { secret } = await service.client.createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    await receiver?.stop()
  })

  it('makes a template, decides a review, sends a delivery again and cancels a task', async () => {
    const { page, errors, shoot, close } = await visitor(browser)
    const { reach, press, type, times } = byKeyboard(page)
    const link = (name: string | RegExp) => page.getByRole('link', { name, exact: typeof name === 'string' })
    const button = (name: string | RegExp) => page.getByRole('button', { name })
    await page.goto(`${service.baseUrl}/console#/tasks`)
    await press(button('Service operator'))
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()

    await press(link('Templates'))
    await press(link('New template'))
    const choosing = await eventually(async () => {
      await reach(page.locator('input[type=file]'))
      // A browser that is busy may lose the key.
      const opened = page.waitForEvent('filechooser', { timeout: 5000 })
      await page.keyboard.press('Space')
      return await opened
    }, 60_000)
    const buffer = Buffer.from(await demoOrder(daysFromToday(0)))
    await choosing.setFiles({ name: 's.pdf', mimeType: 'application/pdf', buffer })
    await page.locator('.sheet[data-drawn]').waitFor()
    await press(button('Checkbox').first())
    await page.getByRole('button', { name: /^Checkbox, page 1/ }).waitFor()
    await page.keyboard.press('Delete')
    expect(await page.locator('.placed').count()).to.equal(0)

    // It stands at 72, 72 with 180 by 36 points, and has the focus.
    await press(page.locator('.palette button.VisibleSignature'))
    await page.locator('.placed button:focus').waitFor()
    await times(37, 'Shift+ArrowDown')
    await times(9, 'ArrowRight')
    await times(1, 'ArrowLeft')
    await times(1, 'Alt+Shift+ArrowRight')
    await times(5, 'Alt+ArrowDown')
    await times(1, 'Alt+ArrowUp')
    await button(/^Signature, page 1, 80 from the left, 442 from the top/).waitFor()
    await type(page.getByLabel('Width'), '200')
    await page.keyboard.press('Tab')
    await shoot('template-by-keyboard')

    await reach(page.getByRole('combobox', { name: 'Organization', exact: true }))
    await page.keyboard.type('Willow')
    await type(page.getByLabel('Name'), 'Keyboard order')
    await type(page.getByLabel('Label for the clinical date'), 'Order date')
    await press(button('Save template'))
    const row = page.getByRole('row', { name: /Keyboard order/ })
    await row.waitFor()
    const templateId = Number(await row.getByRole('rowheader').textContent())

    const annotations = { type: 'Template' as const, templateId }
    const taskId = await service.create(
      aCreateBody({ document: { attachment: buffer.toString('base64'), annotations } }),
    )
    await service.reaches(taskId, 'Pending')
    const signer = aVisit(service.baseUrl)
    await signer.signInAs('Ruth Calder DO')
    const { fields } = (await signer.ask<OpenedDocument>('GET', `/inbox/api/documents/${taskId}`)).body
    expect(fields).to.have.length(1)
    const { left, top, right, bottom } = fields[0]!.box
    for (const [found, expected] of [
      [left, 80],
      [top, 442],
      [right - left, 200],
      [bottom - top, 40],
    ] as const)
      expect(found).to.be.closeTo(expected, 1)

    const twin = { externalId: 'WILLOW|TWIN', identifiers: null, telecoms: null }
    const inReview = await service.create(aCreateBody({ patient: twin }))
    await press(link('Review 1'))
    await press(link(String(inReview)))
    await press(button(/^Same person as patient/))
    await press(button('Match the patient'))
    await page.locator('.console-head .badge.Pending').waitFor()

    await receiver.until(({ event }) => event?.taskId === taskId)
    await press(link('Tasks').first())
    await press(link(String(taskId)))
    await press(page.getByText('Attempts'))
    await page.getByText(/Attempt 1: delivered, answer 204/).waitFor()
    await press(button(/^Send again/))
    await page.getByText(/after 2 attempts/).waitFor()

    await press(button('Cancel task'))
    await press(button('Sent in error'), 'Space')
    await press(page.getByRole('dialog').getByRole('button', { name: 'Cancel task' }))
    await page.locator('.console-head .badge.Cancelled').waitFor()
    expect((await service.reaches(taskId, 'Cancelled')).statusReason).to.equal('Sent in error')
    expect(errors).to.deep.equal([])
    await close()
  })
})
