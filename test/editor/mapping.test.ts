/** The forms that map messages, in a real browser: a message is tried by the map as it is typed, before anything is deployed. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
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
      'TXA-2: the code "CMS485" is not in documentTypes of the map',
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
    await result().getByText('does not identify an organization').waitFor()
    await editor.shootBoth('try-fhir')
    await page.fill('#countersign-try-message', 'no JSON')
    await tries('Held')
    await editor.fillTyped('map', 'json', '{"pdfs":1}')
    await tries('The map is not valid')
    await editor.fillTyped('map', 'msg', 'map')
    await tries('The map is not in this form.')
    await page.click('#node-dialog-cancel')
    await page.waitForSelector('.red-ui-tray', { state: 'detached' })
  })

  const storedMap = async () => JSON.parse(String((await editor.stored('order-from-hl7')).map))
  const cells = (table: string) => editor.page.locator(`#node-input-${table}-rows input`)
  /** What the cells of a table say, row by row. */
  const shown = (table: string) =>
    editor.page.evaluate<string[]>(
      `$('#node-input-${table}-rows').editableList('items').toArray()
         .map((row) => row.find('input').toArray().map((input) => input.value).join(' '))`,
    )
  const typed = () => editor.page.evaluate<string>(`$('#node-input-map').typedInput('value')`)

  it('shows the texts of its tabs whole', async () => {
    await editor.open('order-from-hl7')
    const cut = await editor.page.evaluate<string[]>(
      `$('#countersign-tabs a').toArray().filter((tab) => tab.scrollWidth > tab.clientWidth).map((tab) => tab.innerText)`,
    )
    expect(cut).to.deep.equal([])
    expect(await editor.page.locator('#countersign-tabs a').allInnerTexts()).to.have.length(4)
    await editor.save()
  })

  it('fills the tables with what the service lists, and keeps what they do not show', async () => {
    const { page } = editor
    await editor.open('order-from-hl7')
    await editor.fillTyped(
      'map',
      'json',
      '{"ssn":"never","documentTypes":{"OLD":{"documentTypeId":101,"templateId":204}}}',
    )
    expect(await shown('documentTypes')).to.deep.equal(['OLD 101 204'])
    await editor.addRow('documentTypes')
    await cells('documentTypes').nth(3).fill('CMS485 ')
    await cells('documentTypes').nth(4).click()
    await page.keyboard.type('verbal')
    await page.locator('.red-ui-autoComplete-container .countersign-offer').getByText('104 – ').click()
    await editor.shootBoth('map-document-types')
    await editor.showTab('Organizations')
    await editor.addRow('organizations')
    await cells('organizations').nth(0).fill('LAKE')
    await cells('organizations').nth(1).fill('9999901017')
    await cells('organizations').nth(1).press('Tab')
    await editor.shootBoth('map-organizations')
    await editor.save()
    expect(await editor.isValid('order-from-hl7')).to.equal(true)
    expect(await storedMap()).to.deep.equal({
      ssn: 'never',
      documentTypes: { OLD: { documentTypeId: 101, templateId: 204 }, CMS485: { documentTypeId: 104 } },
      organizations: { LAKE: '9999901017' },
    })
  })

  it('edits one map, as rows and as JSON, and marks rows that are wrong', async () => {
    const { page } = editor
    await editor.open('order-from-hl7')
    const wrong = page.getByText('Marked rows have a missing or duplicate code').locator('visible=true')
    await editor.fillTyped('map', 'json', '{"documentTypes":{"A":{"documentTypeId":101},"B":{"documentTypeId":"x"}}}')
    expect(await shown('documentTypes')).to.deep.equal(['A 101 ', 'B x '])
    await wrong.waitFor()
    await editor.shootBoth('map-wrong')
    await cells('documentTypes').nth(4).fill('102')
    await cells('documentTypes').nth(3).fill('A')
    await cells('documentTypes').nth(3).press('Tab')
    expect(await typed(), 'a code that is there already').to.equal('{"documentTypes":{"A":{"documentTypeId":101}}}')
    await cells('documentTypes').nth(3).fill('C')
    await cells('documentTypes').nth(3).press('Tab')
    await wrong.waitFor({ state: 'detached' })
    await page.locator('#node-input-documentTypes-rows .red-ui-editableList-item-remove').first().click()
    await eventually(async () => expect(await typed()).to.equal('{"documentTypes":{"C":{"documentTypeId":102}}}'))
    for (const unshown of ['{"documentTypes":[101]}', '{"documentTypes":{"A":101}}', '{"documentTypes"']) {
      await editor.fillTyped('map', 'json', unshown)
      await page.getByText('cannot be shown as a table').locator('visible=true').waitFor()
      expect(await typed()).to.equal(unshown)
    }
    await editor.fillTyped('map', 'msg', 'map')
    await page.getByText('to edit its tables here').locator('visible=true').waitFor()
    await editor.fillTyped('map', 'json', '{"signers":{"d1":"7"}}')
    await page.waitForSelector('.countersign-tab-wrong')
    await editor.save()
    expect(await editor.faults('order-from-hl7')).to.deep.equal(['A JSON object whose tables have IDs and NPIs'])
  })

  it('reads a table from a CSV file, says what is wrong with one, and writes it', async () => {
    const { page } = editor
    await editor.open('order-from-hl7')
    await editor.showTab('Signers')
    const part = page.locator('#countersign-map-signers')
    const file = (csv: string) =>
      part
        .locator('input[type=file]')
        .setInputFiles({ name: 'signers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await file('id,userNPI\nd1,12')
    await part.getByText('line 2, userNPI: exactly 10 digits').waitFor()
    await editor.shootBoth('map-csv-wrong')
    expect(await shown('signers')).to.deep.equal(['d1 7'])
    await file('id;userNPI\n"a, b";9999900019\nd2;9999900027')
    await part.getByText('line 2').waitFor({ state: 'detached' })
    await page.waitForFunction(`$('#node-input-signers-rows').editableList('length') === 2`)
    const [download] = await Promise.all([page.waitForEvent('download'), part.getByText('Export CSV').click()])
    expect(download.suggestedFilename()).to.equal('signers.csv')
    expect(readFileSync(await download.path(), 'utf8')).to.equal(
      '\ufeffid,userNPI\r\n"a, b",9999900019\r\nd2,9999900027\r\n',
    )
    await editor.save()
    expect(await storedMap()).to.deep.equal({ signers: { 'a, b': '9999900019', d2: '9999900027' } })
  })
})
