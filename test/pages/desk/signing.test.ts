/** A physician signs and rejects in a real browser, and the sender gets what was filled in. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { MAX_FIELD_TEXT } from '../../../lib/contract/task/field-kinds.ts'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { goodLook } from '../../support/browser/good-look.ts'
import { type InboxPage, openInbox } from '../../support/browser/inbox-page.ts'
import { certificateText } from '../../support/seen/certificate-text.ts'
import { renderPage } from '../../support/seen/render-page.ts'
import { textOf } from '../../support/seen/text-of.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

const DECLAN = { externalId: 'WILLOW|2', names: [{ family: 'O’Brien', given: ['Declan'] }] }

describe('signing in the browser', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
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
  const visit = async (look = {}) => {
    inbox = await openInbox(browser, service, look)
    await inbox.signInAs('Ruth Calder')
  }
  afterEach(async () => {
    const { errors } = inbox
    await inbox.close()
    expect(errors).to.deep.equal([])
  })

  async function signedPdf(taskId: number): Promise<Buffer> {
    await service.reaches(taskId, 'Completed')
    const query = { includeOutputAttachment: true }
    const { output } = await service.client.readTask({ params: { id: taskId }, query })
    return Buffer.from(output!.attachment!, 'base64')
  }

  it('leads through all four field types, signs, and goes on to the next document', async () => {
    const taskId = await aWaitingOrder(service)
    const next = await aWaitingOrder(service, { patient: DECLAN })
    await visit()
    await inbox.page.getByRole('heading', { name: '2 documents to sign' }).waitFor()
    await inbox.open('Alma Whitfield')
    await inbox.page.getByText('0 of 2 done').waitFor()
    await inbox.field('TextArea').locator('textarea').fill('Wound check on Mondays.')
    await inbox.button('Start').click()
    await inbox.page.keyboard.press('Space')
    await inbox.page.getByText('1 of 2 done').waitFor()
    await inbox.button('Next field').click()
    await inbox.page.keyboard.press('Enter')
    await inbox.draw()
    await inbox.shoot('signature')
    await inbox.button('Use this signature').click()
    await inbox.page.getByText('Ready to sign').waitFor()
    expect(await inbox.page.locator('.patient-name').textContent(), 'whom it is about').to.equal('Alma Whitfield')
    await inbox.shoot('ready')
    await inbox.sign()
    await inbox.said('Signed: Physician Order (verbal) of Alma Whitfield.')
    await inbox.page.getByRole('heading', { name: 'Declan O’Brien' }).waitFor()

    const pdf = await signedPdf(taskId)
    expect(verifySealed(pdf).signatures[0]).to.include({ state: 'valid', coversWholeDocument: true })
    const text = await textOf(pdf.toString('base64'))
    expect(text).to.include('Wound check on Mondays.').and.not.to.include('Continue as ordered.')
    expect(text).to.include('Electronically signed by Ruth Calder DO')
    expect(text).to.match(/NPI\s+9999900035/)
    expect(text).to.match(/drawn by hand/)

    // The order has its boxes at these places: ink stands in each of them.
    const page = await renderPage(pdf, 1)
    const inside = (left: number, top: number, right: number, bottom: number) =>
      page.inkBox({ left: left + 3, top: top + 3, right: right - 3, bottom: bottom - 3 })
    expect(inside(72, 600, 300, 640), 'signature').not.to.equal(null)
    expect(inside(380, 622, 540, 640), 'date').not.to.equal(null)
    expect(inside(72, 520, 84, 532), 'tick').not.to.equal(null)
    expect(inside(72, 450, 540, 490), 'text').not.to.equal(null)

    await service.rejects(next)
  })

  it('asks for a signature at the end of a document that has no field for it', async () => {
    const box = { pageNumber: 1, left: 300, top: 300, right: 312, bottom: 312 }
    const annotations = { type: 'Json' as const, data: [{ type: 'CheckBox' as const, required: true, ...box }] }
    const taskId = await service.create(aCreateBody({ document: { annotations } }))
    await service.reaches(taskId, 'Pending')
    await visit()
    await inbox.page.locator(`a[href="#/documents/${taskId}"]`).first().click()
    await inbox.page.getByText('0 of 2 done').waitFor()
    expect(await inbox.button('Sign document').count()).to.equal(0)
    await inbox.field('CheckBox').locator('input').check()
    await inbox.page.getByText('1 of 2 done').waitFor()
    // The one that was drawn for the document before is at hand.
    await inbox.page.locator('.end-signature button').click()
    await inbox.ready()
    await inbox.page.getByText('Ready to sign').waitFor()
    await goodLook(inbox, 'signature-at-end')
    await inbox.page.setViewportSize({ width: 390, height: 844 })
    await inbox.page.locator('.end-signature').scrollIntoViewIfNeeded()
    await goodLook(inbox, 'signature-at-end-phone')
    // What is signed has to have been in sight as it will be sealed.
    await inbox.field('CheckBox').scrollIntoViewIfNeeded()
    await inbox.inked('CheckBox')
    await inbox.ready()
    await inbox.sign()
    const text = await certificateText(await signedPdf(taskId), 2)
    expect(text).to.include('Signature drawn by hand').and.to.include('Consent version 2')
  })

  it('holds as much text as a field takes, in characters', async () => {
    const taskId = await aWaitingOrder(service)
    await visit()
    await inbox.open('Alma Whitfield')
    const text = inbox.field('TextArea').locator('textarea')
    await text.fill('😀'.repeat(MAX_FIELD_TEXT))
    expect(await text.inputValue()).to.have.length(2 * MAX_FIELD_TEXT)
    await text.fill('😀'.repeat(MAX_FIELD_TEXT + 1))
    expect(await text.inputValue()).to.equal('😀'.repeat(MAX_FIELD_TEXT))
    await service.rejects(taskId)
  })

  it('says of a text at its place that it is too long to be read there, until it is shorter', async () => {
    const taskId = await aWaitingOrder(service)
    await visit()
    await inbox.open('Alma Whitfield')
    const text = inbox.field('TextArea').locator('textarea')
    const problem = inbox.page.getByText(
      'Please write a shorter text: in its box, this one would be too small to be read.',
    )
    await text.fill('word '.repeat(800))
    await problem.waitFor()
    await problem.scrollIntoViewIfNeeded()
    await goodLook(inbox, 'text-too-long')
    await text.fill('word')
    await problem.waitFor({ state: 'hidden' })
    await service.rejects(taskId)
  })

  it('says of a text at its place, while it is typed, which characters no font can write, and signs none of it', async () => {
    const taskId = await aWaitingOrder(service)
    await visit()
    await inbox.open('Alma Whitfield')
    const text = inbox.field('TextArea').locator('textarea')
    const named = 'text without ‘𓂀’ (U+13080), for which the service has no font.'
    await text.fill('Eye drops 𓂀')
    await inbox.page.getByText(`Please write ${named}`).waitFor()
    await goodLook(inbox, 'text-without-font')
    await inbox.page.getByRole('checkbox', { name: /^Checkbox/ }).check()
    // The saved one is at hand.
    await inbox.field('VisibleSignature').locator('button').click()
    await inbox.page.getByText('Not ready to sign').waitFor()
    await inbox.sign()
    await inbox.said(`Text on page 1: ${named}`)
    await text.and(inbox.page.locator(':focus')).waitFor()
    await text.fill('Eye drops')
    await inbox.page.getByText(`Please write ${named}`).waitFor({ state: 'hidden' })
    await inbox.page.getByText('Ready to sign', { exact: true }).waitFor()
    await service.rejects(taskId)
  })

  it('uses the kept signature, then lets the signer delete it', async () => {
    const taskId = await aWaitingOrder(service)
    await visit()
    await inbox.open('Alma Whitfield')
    await inbox.page.getByRole('checkbox', { name: /^Checkbox/ }).check()
    await inbox.field('VisibleSignature').locator('button').click()
    await inbox.inked('VisibleSignature')
    await inbox.field('VisibleSignature').locator('button').click()
    await inbox.page.getByRole('img', { name: 'Your saved signature' }).waitFor()
    await inbox.button('Delete it').click()
    await inbox.page.locator('.pad canvas').waitFor()
    await inbox.button('Cancel').click()
    await inbox.sign()
    await inbox.said('Signed:')
    expect(await textOf((await signedPdf(taskId)).toString('base64'))).to.match(/drawn by hand/)
  })

  it('dates the document as the page showed it: by the day where the signer is', async () => {
    const taskId = await aWaitingOrder(service)
    const now = new Date()
    // At any hour one of them has another day than Greenwich.
    await visit({ timeZone: now.getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati' })
    await inbox.open('Alma Whitfield')
    await inbox.inked('DateSigned')
    const shown = (await inbox.page
      .locator('.textLayer')
      .getByText(/^\d{4}-\d\d-\d\d$/)
      .last()
      .textContent())!
    expect(shown)
      .to.match(/^\d{4}-\d\d-\d\d$/)
      .and.not.to.equal(now.toISOString().slice(0, 10))
    await inbox.page.getByRole('checkbox', { name: /^Checkbox/ }).check()
    await inbox.field('VisibleSignature').locator('button').click()
    await inbox.draw()
    await inbox.page.getByLabel('Save for next time').uncheck()
    await inbox.button('Use this signature').click()
    await inbox.sign()
    await inbox.said('Signed:')
    expect(await textOf((await signedPdf(taskId)).toString('base64'))).to.include(shown)
  })

  it('rejects with a reason, which the sender reads', async () => {
    const taskId = await aWaitingOrder(service)
    await visit()
    await inbox.open('Alma Whitfield')
    await inbox.button('Reject').click()
    expect(await inbox.button('Reject document').isDisabled()).to.equal(true)
    await inbox.button('Not my patient').click()
    await inbox.page.getByLabel('Reason', { exact: true }).press('End')
    await inbox.page.getByLabel('Reason', { exact: true }).pressSequentially(' any more')
    await inbox.button('Reject document').click()
    await inbox.said('Rejected:')
    await inbox.page.getByRole('heading', { name: 'No documents to sign' }).waitFor()
    expect((await service.reaches(taskId, 'Rejected')).statusReason).to.equal('Not my patient any more')
  })

  it('shows what was rejected among the past documents until its sender archives it', async () => {
    const patientOf = (id: number, family: string) => ({
      externalId: `PAST|${id}`,
      names: [{ family, given: ['Mira'] }],
    })
    const kept = await aWaitingOrder(service, { patient: patientOf(1, 'Kept') })
    const archived = await aWaitingOrder(service, { patient: patientOf(2, 'Archived') })
    for (const taskId of [kept, archived]) await service.rejects(taskId)
    await visit()
    await inbox.page.getByRole('link', { name: 'Signed' }).click()
    const past = (name: string) => inbox.page.getByRole('listitem').filter({ hasText: name })
    await past('Mira Kept').waitFor()
    await past('Mira Archived').waitFor()
    const query = { externalSavedDocumentId: 'PAST-1', archived: true }
    await service.client.updateTask({ params: { id: archived }, query })
    await inbox.page.reload()
    await past('Mira Kept').waitFor()
    expect(await past('Mira Archived').count()).to.equal(0)
  })

  it('can be done with the keyboard alone, from signing in to the signed document', async () => {
    const taskId = await aWaitingOrder(service)
    inbox = await openInbox(browser, service)
    const { keyboard } = inbox.page
    const focused = () =>
      inbox.page.evaluate<string>(`{
        const it = document.activeElement
        it.getAttribute('aria-label') || it.closest('label')?.textContent || it.textContent }`)
    /** Goes forward until the focus is on it. */
    const tabTo = async (name: RegExp) => {
      for (let i = 0; i < 40; i++) {
        await keyboard.press('Tab')
        if (name.test(await focused())) return
      }
      throw new Error(`The keyboard never came to ${name}; it is at ${await focused()}.`)
    }
    await inbox.button('Ruth Calder').waitFor()
    await tabTo(/^Ruth Calder/)
    await keyboard.press('Enter')
    await inbox.page.getByRole('link', { name: 'Alma Whitfield' }).waitFor()
    await tabTo(/Alma Whitfield/)
    await keyboard.press('Enter')
    await inbox.page.locator('.sheet[data-drawn]').waitFor()
    await tabTo(/^Text, optional/)
    await keyboard.press('Control+A')
    await keyboard.type('By keyboard.')
    await tabTo(/^Checkbox, required/)
    await keyboard.press('Space')
    await tabTo(/^Signature, required/)
    await keyboard.press('Enter')
    await inbox.page.getByRole('dialog', { name: 'Your signature' }).waitFor()
    await tabTo(/^Draw$/)
    await keyboard.press('ArrowRight')
    await tabTo(/^Use this signature$/)
    await keyboard.press('Enter')
    await inbox.page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused()).to.match(/^Signature, required/)
    await inbox.ready()
    await tabTo(/^Sign document$/)
    await keyboard.press('Enter')
    await inbox.said('Signed:')
    const text = await textOf((await signedPdf(taskId)).toString('base64'))
    expect(text)
      .to.include('By keyboard.')
      .and.to.match(/typed name/)
  })

  it('works on a phone, without anything wider than the screen', async () => {
    const taskId = await aWaitingOrder(service)
    await visit({ width: 390, height: 844 })
    const overflow = () =>
      inbox.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(await overflow(), 'list').to.equal(0)
    await inbox.shoot('list')
    await inbox.open('Alma Whitfield')
    expect(await overflow(), 'document').to.equal(0)
    await inbox.shoot('document')
    await inbox.button('Start').click()
    await inbox.page.getByRole('checkbox', { name: /^Checkbox/ }).check()
    await inbox.field('TextArea').locator('button').click()
    await inbox.page.getByRole('dialog', { name: 'Text' }).getByLabel('Text').fill('From my phone.')
    await inbox.button('Done').click()
    await inbox.button('Next field').click()
    await inbox.field('VisibleSignature').locator('button').click()
    await inbox.draw()
    await inbox.shoot('signature')
    await inbox.page.getByLabel('Save for next time').uncheck()
    await inbox.button('Use this signature').click()
    expect(await overflow(), 'filled').to.equal(0)
    await inbox.shoot('ready')
    await inbox.sign()
    await inbox.said('Signed:')
    expect(await textOf((await signedPdf(taskId)).toString('base64'))).to.include('From my phone.')
  })

  it('shows each field within a point of where the sender asked for it', async () => {
    const taskId = await aWaitingOrder(service)
    await visit()
    await inbox.open('Alma Whitfield')
    const sheet = (await inbox.page.locator('.sheet').boundingBox())!
    const box = (await inbox.field('VisibleSignature').boundingBox())!
    const scale = sheet.width / 612
    expect((box.x - sheet.x) / scale).to.be.closeTo(72, 1)
    expect((box.y - sheet.y) / scale).to.be.closeTo(600, 1)
    expect(box.width / scale).to.be.closeTo(228, 1)
    expect(box.height / scale).to.be.closeTo(40, 1)
    await service.rejects(taskId)
  })
})
