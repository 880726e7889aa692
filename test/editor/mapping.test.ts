/** The forms that map messages, in a real browser: a message is tried by the map as it is typed, before anything is deployed. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser/browser.ts'
import { type Editor, openEditor } from '../support/node-red/editor.ts'
import { embedded, fhirBase, flow, orderFromFhir, orderFromHl7 } from '../support/node-red/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'

describe('a person who maps messages in the editor', function () {
  this.timeout(60_000)
  let browser: Browser
  let red: NodeRed
  let editor: Editor

  before(async () => {
    red = await startNodeRed({ adminRoot: '/admin' })
    const base = fhirBase('https://ehr.example.org/fhir')
    await red.deploy(flow(embedded(), base, ...orderFromHl7({}), ...orderFromFhir({})))
    browser = await openBrowser()
    editor = await openEditor(browser, red)
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
  })
  afterEach(() => expect(editor.errors).to.deep.equal([]))

  const result = () => editor.page.locator('#countersign-try-result')
  const tries = async (says: string) => {
    await editor.page.click('#countersign-try-go')
    await result().getByText(says).waitFor()
  }
  /** The rows of the result, as `field = value < place`. */
  const rows = () =>
    editor.page.evaluate<string[]>(
      `$('#countersign-try-result tbody tr').toArray()
         .map((row) => $(row).children().toArray().map((cell) => cell.textContent))
         .map(([field, value, from]) => field + ' = ' + value + ' < ' + from)`,
    )
  async function chooses(sample: string) {
    await editor.page.selectOption('#countersign-try-sample', sample)
    await editor.page.waitForFunction(`$('#countersign-try-message').val() !== ''`)
  }

  it('sees what holds a sample, and what it becomes once the map is right', async () => {
    const before = await editor.stored('order-from-hl7')
    await editor.open('order-from-hl7')
    await editor.showTab('Try')
    await chooses('mdm-t02.hl7')
    await tries('Held')
    expect(await result().locator('li').allInnerTexts()).to.deep.equal([
      'TXA-2: the code "CMS485" is not in the table of document types',
    ])
    await editor.shootBoth('try-held')
    await editor.fillTyped('map', 'json', '{"documentTypes":{"CMS485":{"documentTypeId":104}}}')
    await result().getByText('Edited since the last trial.').waitFor()
    await tries('A new task')
    expect(await rows()).to.include.members([
      'patient.names[0].family = Rowan < PID-5(1)',
      'document.documentTypeId = 104 < TXA-2, by the table documentTypes',
    ])
    await editor.shootBoth('try-create')
    await editor.save()
    expect(await editor.stored('order-from-hl7'), 'the message is no part of the node').to.deep.equal({
      ...before,
      map: '{"documentTypes":{"CMS485":{"documentTypeId":104}}}',
    })
  })

  it('tries a message of their own, and reads it as text', async () => {
    const { page } = editor
    await editor.open('order-from-fhir')
    await editor.showTab('Try')
    await chooses('document-reference.json')
    const sample = await page.inputValue('#countersign-try-message')
    await page.fill('#countersign-try-message', sample.replace('98 Birch Lane', '<b>98</b>'))
    await editor.fillTyped('map', 'json', '{"documentTypes":{"52030-8":{"documentTypeId":104}}}')
    await tries('A new task')
    expect(await rows()).to.include('patient.addresses[0].line = <b>98</b> < Patient.address[0]')
    await result().getByText('names no organization').waitFor()
    await editor.shootBoth('try-fhir')
    await page.fill('#countersign-try-message', 'no JSON')
    await tries('Held')
    await editor.fillTyped('map', 'json', '{"pdfs":1}')
    await tries('The map has mistakes')
    await editor.fillTyped('map', 'msg', 'map')
    await tries('The map is not in this form.')
    await page.click('#node-dialog-cancel')
    await page.waitForSelector('.red-ui-tray', { state: 'detached' })
  })
})
