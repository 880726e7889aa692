/** What a person does after `npm start`: the button in the editor, a signature by hand in the inbox, and the signed PDF is there. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { verifySealed } from '../../lib/pdf/seal/verify.ts'
import { openBrowser, visitor } from '../support/browser/browser.ts'
import { openInbox } from '../support/browser/inbox-page.ts'
import { freePort } from '../support/network/free-port.ts'
import { type Started, start } from '../support/node-red/npm-start.ts'
import { textOf } from '../support/seen/text-of.ts'

const LIMIT_MS = 60_000

describe('a document, after npm start, from the button to a signature by hand', function () {
  this.timeout(2 * LIMIT_MS)
  const userDir = mkdtempSync(join(tmpdir(), 'countersign-by-hand-'))
  let browser: Browser
  let started: Started
  let said: string
  before(async () => {
    const [editorPort, servicePort] = [await freePort(), await freePort()]
    started = start({ userDir, editorPort, servicePort })
    ;[browser, said] = await Promise.all([openBrowser(), started.textUntil(/signed {4}.*\n/)])
  })
  after(async () => {
    await browser?.close()
    await started?.stop()
    rmSync(userDir, { recursive: true, force: true })
  })

  it('is Completed and saved in less than a minute', async function () {
    const printed = (name: string) => new RegExp(`^ {2}${name} +(\\S+)`, 'm').exec(said)![1]!
    const editor = await visitor(browser)
    await editor.page.goto(printed('editor'))
    const inject = editor.page.locator('.red-ui-flow-node-group').filter({ hasText: 'Sign it yourself' })
    await inject.waitFor()
    await editor.page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' })
    const debug = (text: RegExp) => editor.page.locator('.red-ui-debug-msg').filter({ hasText: text }).waitFor()

    const began = performance.now()
    await inject.locator('.red-ui-flow-node-button-button').click()
    await debug(/Event: task \d+ is Pending/)
    const inbox = await openInbox(browser, { service: { inboxUrl: printed('inbox') } })
    await inbox.signInAs('Ruth Calder')
    await inbox.open('Alma Whitfield')
    await inbox.button('Start').click()
    await inbox.page.keyboard.press('Enter')
    await inbox.draw()
    await inbox.button('Use this signature').click()
    await inbox.sign()
    await inbox.said('Signed:')
    await debug(/Event: task \d+ is Completed/)
    await debug(/Signed PDF of \d+ bytes, recorded as SAVED-/)
    const tookMs = performance.now() - began

    const shown = await editor.page.locator('.red-ui-debug-msg').allTextContents()
    const [, taskId] = /Event: task (\d+) is Completed/.exec(shown.join('\n'))!
    const pdf = readFileSync(join(printed('signed'), `${taskId}.pdf`))
    expect(verifySealed(pdf).signatures[0]).to.include({ state: 'valid', coversWholeDocument: true })
    expect(await textOf(pdf.toString('base64'))).to.include('Electronically signed by Ruth Calder DO')
    expect(shown.join('\n')).not.to.match(/failure|Not signed/)
    expect(tookMs).to.be.below(LIMIT_MS)
    this.test!.title += `: ${(tookMs / 1_000).toFixed(1)} s`
    await editor.shoot('npm-start-editor')
    expect(inbox.errors).to.deep.equal([])
    await inbox.close()
    await editor.close()
  })
})
