/** Templates in the browser: saving changes nothing that was not changed, the sample is kept, and nothing is lost by leaving. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { demoOrder } from '../../scripts/demo-order.ts'
import type { ListedTemplate, TemplateBody, TemplateFile } from '../../server/operations/operator/messages/templates.ts'
import { aVisit, type Visit } from '../support/browser/a-visit.ts'
import { type Opened, openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook } from '../support/browser/good-look.ts'
import { daysFromToday } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const box = { left: 72.25, top: 600.5, right: 252, bottom: 636 }
const signature = { type: 'VisibleSignature' as const, page: 1, required: true, box }
const everyField = [
  signature,
  { ...signature, type: 'DateSigned' as const, required: false, page: 2 },
  { ...signature, type: 'TextArea' as const, value: 'As discussed' },
  { ...signature, type: 'CheckBox' as const, required: false },
]

describe('templates in the browser', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  let browser: Browser
  let service: TestService
  let operator: Visit
  let open: Opened
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService()])
    operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    open = await visitor(browser)
    await open.page.goto(`${service.baseUrl}/console#/tasks`)
    await open.page.getByRole('button', { name: 'Service operator' }).click()
    await open.page.getByRole('heading', { name: 'Tasks' }).waitFor()
  })
  after(async () => {
    await open?.close()
    await browser?.close()
    await service?.stop()
  })
  afterEach(() => expect(open.errors).to.deep.equal([]))

  const fileOf = async (id: number) => (await operator.ask<TemplateFile>('GET', `/admin/v1/templates/${id}`)).body
  const make = async (rules: Partial<TemplateBody>) => {
    const [sender] = (await operator.ask<{ id: number }[]>('GET', '/admin/v1/senders')).body
    const plain = { organizationId: sender!.id, summary: 'Order', clinicalDateLabel: 'Order date', fields: [signature] }
    const body = { ...plain, diagnosisCode: 'none' as const, daysBefore: null, daysAfter: null, ...rules }
    return (await operator.ask<{ templateId: number }>('POST', '/admin/v1/templates', body)).body.templateId
  }
  const edit = async (id: number) => {
    await open.page.goto(`${service.baseUrl}/console#/templates/${id}`)
    await open.page.getByRole('heading', { level: 1, name: `Template ${id}` }).waitFor()
    await open.page.getByLabel('Name').waitFor()
  }
  const save = async (id: number) => {
    await open.page.getByRole('button', { name: 'Save template' }).click()
    await open.page.getByText(`Template ${id} is ready for use.`).waitFor()
  }

  it('stay as they are, of every kind, when their name alone is edited', async () => {
    await make({ diagnosisCode: 'none', daysBefore: 0, daysAfter: 30, pdfRequired: false, signatureRule: 'required' })
    await make({ diagnosisCode: 'allowed', daysBefore: 3660, fields: everyField, coversTokens: false })
    await make({
      diagnosisCode: 'required',
      daysAfter: 0,
      summary: ' Ordre "été" <b>',
      clinicalDateLabel: 'Jour & mois',
    })
    const ids = (await operator.ask<ListedTemplate[]>('GET', '/admin/v1/templates')).body.map((each) => each.templateId)
    for (const id of ids) {
      const before = await fileOf(id)
      await edit(id)
      const name = open.page.getByLabel('Name')
      await name.fill(`${await name.inputValue()}, new`)
      await save(id)
      expect(await fileOf(id)).to.deep.equal({ ...before, summary: `${before.summary}, new` })
    }
  })

  it('blame no file while what reads documents does not come, and show it when it does', async () => {
    const id = await make({})
    const { page, close } = await visitor(browser)
    const reader = /\/assets\/pdf-[^/]*\.js$/
    await page.route(reader, (route) => route.abort())
    await page.goto(`${service.baseUrl}/console#/templates/${id}`)
    await page.getByRole('button', { name: 'Service operator' }).click()
    const choose = (text: Uint8Array) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 's.pdf', mimeType: 'application/pdf', buffer: Buffer.from(text) })
    const order = await demoOrder(daysFromToday(0))
    await choose(order)
    await page.getByText('The PDF viewer did not load.').waitFor()
    await page.unroute(reader)
    // Some browsers remember that a module did not come, until the page is loaded again.
    await page.reload()
    await page.locator('input[type=file]').waitFor({ state: 'attached' })
    await choose(Buffer.from('no PDF'))
    await page.getByText('This file cannot be shown. Choose a PDF.').waitFor()
    await choose(order)
    await page.locator('.sheet[data-drawn]').first().waitFor()
    await close()
  })

  it('keep the sample on which their fields were placed', async () => {
    const id = await make({})
    await edit(id)
    const buffer = Buffer.from(await demoOrder(daysFromToday(0)))
    await open.page.locator('input[type=file]').setInputFiles({ name: 's.pdf', mimeType: 'application/pdf', buffer })
    await open.page.locator('.sheet[data-drawn]').first().waitFor()
    await save(id)
    await edit(id)
    await open.page.locator('.sheet[data-drawn]').first().waitFor()
    expect(await open.page.getByRole('button', { name: /^Signature, page 1/ }).count()).to.equal(1)
    await goodLook(open, 'template-with-sample')
    const kept = await operator.ask('GET', `/admin/v1/templates/${id}/sample`)
    expect(kept.bytes.equals(buffer)).to.equal(true)
    const refused = await operator.ask('POST', `/admin/v1/templates/${id}/sample`, new TextEncoder().encode('no PDF'))
    expect([refused.status, refused.errors]).to.deep.equal([400, ['body: a PDF']])
    await operator.ask('POST', `/admin/v1/templates/${id}/retire`)
    expect((await operator.ask('GET', `/admin/v1/templates/${id}/sample`)).status).to.equal(404)
  })

  it('are not left with unsaved work, and not saved without a signature field, unless that is confirmed', async () => {
    const { page } = open
    const id = await make({ fields: everyField.slice(2), withoutSignature: true })
    await edit(id)
    await page.getByLabel('Name').fill('Checklist')
    const dialog = page.getByRole('dialog')
    await page.getByRole('link', { name: 'Receivers' }).click()
    await goodLook(open, 'leave-unsaved')
    await dialog.getByRole('button', { name: 'Back' }).click()
    await page.goBack()
    await dialog.getByRole('button', { name: 'Back' }).click()
    expect(new URL(page.url()).hash).to.equal(`#/templates/${id}`)
    expect(await page.getByLabel('Name').inputValue()).to.equal('Checklist')
    await page.getByRole('button', { name: 'Save template' }).click()
    await goodLook(open, 'template-without-signature')
    await dialog.getByRole('button', { name: 'Save without one' }).click()
    await page.getByText(`Template ${id} is ready for use.`).waitFor()
    expect((await fileOf(id)).summary).to.equal('Checklist')

    await edit(id)
    await page.getByLabel('Name').fill('Lost')
    await page.getByRole('link', { name: 'Receivers' }).click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Receivers' }).waitFor()
    expect((await fileOf(id)).summary).to.equal('Checklist')
  })

  it('ask for no signature only where the operator has chosen that; an administrator may keep it', async () => {
    const [id, without] = [await make({}), await make({ signatureRule: 'notNeeded' })]
    const administrator = await visitor(browser)
    const { page } = administrator
    await page.goto(`${service.baseUrl}/console#/tasks`)
    await page.getByRole('button', { name: 'Willow Creek administrator' }).click()
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
    const notNeeded = page.getByRole('option', { name: 'Ask for no signature' })
    await page.goto(`${service.baseUrl}/console#/templates/${id}`)
    await page.getByRole('heading', { level: 1, name: `Template ${id}` }).waitFor()
    await page.getByText('Only the operator of the service can choose “Ask for no signature”.').scrollIntoViewIfNeeded()
    expect(await notNeeded.isDisabled()).to.equal(true)
    await goodLook(administrator, 'template-administrator')

    await page.goto(`${service.baseUrl}/console#/templates/${without}`)
    await page.getByRole('heading', { level: 1, name: `Template ${without}` }).waitFor()
    expect(await notNeeded.isEnabled()).to.equal(true)
    await page.getByLabel('Name').fill('Kept')
    await page.getByRole('button', { name: 'Save template' }).click()
    await page.getByText(`Template ${without} is ready for use.`).waitFor()
    expect(await fileOf(without)).to.include({ summary: 'Kept', signatureRule: 'notNeeded' })
    expect(administrator.errors).to.deep.equal([])
    await administrator.close()
  })
})
