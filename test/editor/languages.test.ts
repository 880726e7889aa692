/** The nodes in German, French and Spanish, in a Node-RED whose own language is German. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { textsOf } from '../support/node-red/catalogues.ts'
import { type Editor, openEditor } from '../support/node-red/editor.ts'
import { embedded, flow, read, webhookIn } from '../support/node-red/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'
import { offeredHelp, offeredTexts } from '../support/node-red/offered-texts.ts'

const german = (set: string, key: string) => textsOf('de', set).get(key)!

describe('the nodes in other languages', function () {
  this.timeout(60_000)
  let browser: Browser
  let red: NodeRed
  let editor: Editor

  before(async () => {
    red = await startNodeRed({ settings: { lang: 'de' } })
    await red.deploy(flow(embedded(), ...read(), ...webhookIn({ path: '' })))
    browser = await openBrowser()
    editor = await openEditor(browser, red, 'light', { width: 1280, height: 1000 }, 'de-DE')
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
  })

  for (const [asked, language] of [
    ['de', 'de'],
    ['de-AT', 'de'],
    ['fr', 'fr'],
    ['fr-CA', 'fr'],
    ['es-ES', 'es'],
    ['es-MX', 'es'],
  ] as const)
    it(`are offered to an editor that asks for ${asked}`, async () => {
      const offered = await offeredTexts(red, asked)
      expect(offered.wait).to.include({ name: textsOf(language, 'wait').get('name') })
      expect(offered.service?.status).to.include({ held: textsOf(language, 'service').get('status.held') })
      expect(await offeredHelp(red, asked, 'countersign-wait')).to.contain(
        `<b>${textsOf(language, 'reconcile').get('name')}</b>`,
      )
    })

  it('show German names in the palette', async () => {
    const palette = editor.page.locator('.red-ui-palette-node[data-palette-type^="countersign-"]')
    // The palette breaks long names, also within a word.
    const joined = (name: string) => name.replace(/\s/g, '')
    const shown = (await palette.allInnerTexts()).map(joined)
    for (const set of ['create-task', 'wait', 'download', 'reconcile', 'webhook-in'])
      expect(shown).to.include(joined(german(set, 'name')))
  })

  it('show German names of the sections of the palette', async () => {
    const headers = editor.page.locator('.red-ui-palette-header[id*="signature"]')
    const names = ['main', 'bridge', 'more'].map((name) => german('service', `category.${name}`))
    await eventually(async () => expect(await headers.allInnerTexts()).to.have.members(names))
  })

  it('show German labels, choices and faults in a form', async () => {
    await editor.open('webhook')
    const form = editor.page.locator('#dialog-form')
    const labels = (await form.locator('label').allInnerTexts()).map((label) => label.trim())
    for (const key of ['path', 'publicUrl', 'statuses', 'subscribe'])
      expect(labels).to.include(german('webhook-in', `label.${key}`))
    await editor.page.fill('#node-input-path', 'two words')
    await editor.shoot('webhook-in-german')
    await editor.save()
    expect((await editor.faults('webhook')).join()).to.contain(german('webhook-in', 'invalid.path'))
    await editor.open('service')
    expect(await editor.page.locator('#node-config-input-mode').textContent()).to.contain(
      german('service', 'mode.host'),
    )
    await editor.shoot('service-german')
    await editor.save()
  })

  it('show German statuses, which the runtime writes', async () => {
    await red.statusOf('webhook', new RegExp(german('service', 'status.noPath')))
    await editor.page.locator('.red-ui-flow-node-status-label').getByText(german('service', 'status.noPath')).waitFor()
    await editor.shootBoth('german')
  })

  it('are explained in German', async () => {
    const help = await editor.page.evaluate<string>(`RED.nodes.getNodeHelp('countersign-wait')`)
    expect(help).to.contain('<h3>Ausgangsdaten</h3>')
    expect(editor.errors).to.deep.equal([])
  })
})
