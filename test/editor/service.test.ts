/** What the editor learns from the deployed service, and what it marks: in a real browser, against the embedded service. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { type Editor, openEditor } from '../support/node-red/editor.ts'
import { createTask, download, embedded, flow, host, webhookIn } from '../support/node-red/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'

describe('the editor and the service', function () {
  this.timeout(60_000)
  let browser: Browser
  let red: NodeRed
  let editor: Editor

  before(async () => {
    red = await startNodeRed({ adminRoot: '/admin' })
    const nobody = { ...host(`http://127.0.0.1:${await freePort()}`), id: 'nobody' }
    await red.deploy(flow(embedded(), nobody, ...createTask(), ...download(), ...webhookIn()))
    browser = await openBrowser()
    editor = await openEditor(browser, red)
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
  })

  /** Types into a field that offers what the service lists, and takes an offer. */
  async function takeOffer(name: string, typed: string, wanted: string) {
    const input = editor.page.locator(`.form-row:has(#node-input-${name}) .red-ui-typedInput-input`)
    await input.scrollIntoViewIfNeeded()
    await input.fill(typed)
    await input.press('End')
    const offers = editor.page.locator('.red-ui-autoComplete-container, .red-ui-popover, .red-ui-menu-dropdown')
    const offer = offers.locator(`text=${wanted}`).first()
    await offer.waitFor()
    await editor.shootBoth(`create-offers-${name}`)
    await offer.click()
  }

  it('offers the ids that the service knows, and takes others', async () => {
    await editor.open('create')
    await takeOffer('documentTypeId', 'plan', '101')
    await editor.showTab('Fields')
    await editor.page.selectOption('#node-input-placement', 'Template')
    await takeOffer('templateId', 'verbal', '204')
    await editor.save()
    expect(await editor.stored('create')).to.include({ documentTypeId: '101', templateId: '204' })
    await editor.open('create')
    await editor.fillTyped('documentTypeId', 'str', '99')
    await editor.save()
    expect(await editor.stored('create')).to.include({ documentTypeId: '99' })
  })

  it('tests the settings that are typed, and forgets what it found when they are edited', async () => {
    const { page } = editor
    const says = (...lines: RegExp[]) =>
      eventually(async () => {
        const found = await page.locator('#countersign-test-result li').allInnerTexts()
        expect(found).to.have.length(lines.length)
        lines.forEach((line, index) => void expect(found[index]).to.match(line))
      })
    await editor.open('service')
    await page.click('#countersign-test')
    await says(/Port: ok/, /Folder: ok/, /API key: ok/)
    await editor.scrollTo('#countersign-test-result')
    await editor.shootBoth('service-tested')
    const { port } = new URL(red.adminUrl(''))
    await page.fill('#node-config-input-port', port)
    await says(/Edited since the last test/)
    await page.click('#countersign-test')
    await says(/Port: failed . Port \(port\): \d+ is in use/, /Folder: ok/, /Start: ok/)
    await page.fill('#node-config-input-port', '0')
    await editor.save()

    await editor.open('nobody')
    await page.click('#countersign-test')
    await says(/Service: failed . Nothing is listening at this address and port.*\(ECONNREFUSED\)/)
    await editor.scrollTo('#countersign-test-result')
    await editor.shootBoth('service-host-tested')
    await page.fill('#node-config-input-apiKey', '')
    await page.fill('#node-config-input-baseUrl', 'http://sign.example.org')
    await page.click('#countersign-test')
    await says(/Settings: failed . Base URL/, /Settings: failed . API key/)
    await page.click('#node-config-dialog-cancel')
    await page.waitForSelector('.red-ui-tray', { state: 'detached' })

    await editor.add([{ ...embedded(), id: 'undeployed' }])
    await editor.open('undeployed')
    await page.click('#countersign-test')
    await says(/Port: ok/, /Folder: ok/, /Start: ok . It starts with these settings when they are deployed/)
    expect(await page.isVisible('#countersign-pages'), 'pages of a service that does not run').to.equal(false)
    // The browser itself notes the answer 503 to the question for its pages.
    expect(editor.errors.splice(0)).to.have.length(1)
    await editor.save()
  })

  it('opens the pages of the embedded service while it runs', async () => {
    const { page } = editor
    await editor.open('service')
    await page.waitForSelector('#countersign-pages a[data-page="console"]')
    const opened = page.waitForEvent('popup')
    await page.click('#countersign-pages a[data-page="inbox"]')
    const inbox = await opened
    await inbox.waitForSelector('input[type="password"]')
    expect(inbox.url()).to.match(/^http:\/\/127\.0\.0\.1:\d+\/inbox/)
    await inbox.close()
    await editor.save()
  })

  it('warns of settings that leave this machine in clear text, and marks addresses that cannot be right', async () => {
    const { page } = editor
    await editor.open('nobody')
    expect(await page.isVisible('#countersign-clear-text')).to.equal(false)
    await page.fill('#node-config-input-baseUrl', 'http://sign-test.local:8090')
    await page.fill('#node-config-input-httpHosts', 'sign-test.local, 10.0.0.7')
    expect(await page.isVisible('#countersign-clear-text')).to.equal(true)
    await editor.shootBoth('service-clear-text')
    await editor.save()
    expect(await editor.isValid('nobody')).to.equal(true)
    for (const httpHosts of ['http://sign-test.local', 'sign-test.local:8090', '10.0.0.7', '']) {
      await editor.open('nobody')
      await page.fill('#node-config-input-httpHosts', httpHosts)
      await editor.save()
      expect(await editor.isValid('nobody'), httpHosts).to.equal(false)
    }
    await editor.open('nobody')
    await page.fill('#node-config-input-baseUrl', 'http://127.0.0.1:1')
    await editor.save()
    await editor.open('service')
    await page.fill('#node-config-input-bindHost', '0.0.0.0')
    await page.fill('#node-config-input-publicUrl', 'http://sign.example.org')
    expect(await page.isVisible('#countersign-exposed')).to.equal(true)
    await editor.shootBoth('service-exposed')
    await page.setViewportSize({ width: 390, height: 1000 })
    await editor.scrollTo('#node-config-input-publicUrl')
    await editor.shootBoth('service-narrow')
    await page.setViewportSize({ width: 1280, height: 1000 })
    await editor.save()
    expect(await editor.faults('service')).to.deep.equal(['An https address without a path; http only for localhost'])
    await editor.open('service')
    await page.fill('#node-config-input-bindHost', '')
    await page.fill('#node-config-input-publicUrl', '')
    await editor.save()
    expect(await editor.isValid('service')).to.equal(true)
  })

  it('takes the profile of a host: from a file, from another service, or none', async () => {
    const { page } = editor
    const acme = join(import.meta.dirname, '../support/foreign-host/acme.json')
    await editor.open('service')
    expect(await page.isVisible('#node-config-input-profile')).to.equal(false)
    await page.selectOption('#countersign-profile-choice', 'own')
    await page.setInputFiles('#countersign-profile-file', acme)
    await page.waitForFunction(`$('#node-config-input-profile').val().includes('ACME')`)
    await editor.scrollTo('.countersign-profile')
    await editor.shootBoth('service-profile')
    await editor.save()
    const { profile } = await editor.stored('service')
    expect(profile).to.equal(readFileSync(acme, 'utf8'))

    await editor.open('nobody')
    await page.selectOption('#countersign-profile-choice', 'service')
    expect(await page.inputValue('#countersign-profile-choice')).to.equal('own')
    await editor.save()
    expect(await editor.stored('nobody')).to.include({ profile })

    await editor.open('nobody')
    await page.fill('#node-config-input-profile', '["ACME"]')
    await editor.save()
    expect(await editor.isValid('nobody')).to.equal(false)
    for (const id of ['nobody', 'service']) {
      await editor.open(id)
      await page.selectOption('#countersign-profile-choice', 'none')
      await editor.save()
      expect(await editor.stored(id)).not.to.have.property('profile')
      expect(await editor.isValid(id)).to.equal(true)
    }
    expect(editor.errors).to.deep.equal([])
  })

  describe('marks what cannot be right', () => {
    it('in the service, and lets environment variables pass where they are all of a value', async () => {
      const { page } = editor
      const open = async (fields: Record<string, string>) => {
        await editor.open('service')
        await page.selectOption('#node-config-input-mode', 'host')
        for (const [name, value] of Object.entries(fields)) await page.fill(`#node-config-input-${name}`, value)
      }
      const wrong = { baseUrl: 'http://signature.example.org', timeout: 'soon', concurrency: '0', settle: '' }
      await open(wrong)
      await page.keyboard.press('Tab')
      await page.waitForFunction(`$('.red-ui-tray input.input-error').length === 5`)
      await editor.shootBoth('service-marked')
      await editor.save()
      expect(await editor.faults('service')).to.have.length(4)

      // Node-RED fills in no part of a value, so this would be called as it stands.
      await open({ baseUrl: 'https://$' + '{HOST}/sign', timeout: '30', concurrency: '5', settle: '120' })
      await editor.save()
      expect(await editor.isValid('service')).to.equal(false)
      await open({ baseUrl: '$' + '{SIGNATURE_URL}', timeout: '$' + '{LIMIT}' })
      await editor.save()
      expect(await editor.isValid('service')).to.equal(true)
    })

    it('in the create node: a required input that nothing provides', async () => {
      const { page } = editor
      await editor.open('create')
      for (const name of ['externalId', 'documentTypeId', 'templateId']) await editor.fillTyped(name, 'str', '')
      await page.evaluate(`$('#node-input-names-rows').editableList('empty')`)
      await editor.showTab('Patient')
      await editor.scrollTo('.form-row:has(#node-input-externalId)')
      await editor.save()
      expect(await editor.faults('create')).to.have.length(4)
      await editor.open('create')
      await editor.shootBoth('create-marked')
      await page.selectOption('#node-input-source', 'body')
      await editor.save()
      expect(await editor.isValid('create')).to.equal(true)
    })

    it('in other nodes', async () => {
      const { page } = editor
      await editor.open('download')
      await page.selectOption('#node-input-deliver', 'file')
      await editor.save()
      expect(await editor.isValid('download')).to.equal(false)
      await editor.open('webhook')
      await page.fill('#node-input-path', 'no blanks here')
      await page.fill('#node-input-tolerance', '0')
      await editor.shootBoth('webhook-marked')
      await editor.save()
      // Now that the service is a real host, it also wants a public URL.
      expect(await editor.faults('webhook')).to.have.length(3)
      await editor.open('webhook')
      await page.fill('#node-input-path', '$' + '{WEBHOOK_PATH}')
      await page.fill('#node-input-publicUrl', '$' + '{PUBLIC_URL}')
      await page.fill('#node-input-tolerance', '300')
      await editor.save()
      expect(await editor.isValid('webhook')).to.equal(true)
    })
  })
})
