/** Tests of the part "Held" of the sidebar tab, which is open in a browser: what it shows of held messages, and each of its actions. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { accessibilityFaults } from '../browser/axe.ts'
import { anOrder, mdm } from '../hl7/an-order.ts'
import type { Editor } from './editor.ts'
import type { NodeRed } from './node-red.ts'

const TAB = '.countersign-sidebar'
const HELD = ['TXA-2: the code "UNKNOWN" is not in documentTypes of the map']
const DOCUMENT = 'JVBERi0x'.repeat(500)

export interface Sidebar {
  red: NodeRed
  editor: Editor
  page: Page
  /** Deploys the flow with a node held beside its nodes. */
  deployHeld(): Promise<void>
}

/** @param name of the pictures */
export function testHeldSection(name: string, sidebar: () => Sidebar) {
  const part = () => sidebar().page.locator(`${TAB} details`, { hasText: /^Held / })
  const row = (heldId: number) =>
    part()
      .locator('.countersign-task')
      .filter({ has: sidebar().page.locator(`strong:text-is("Message ${heldId}")`) })
  const press = (heldId: number, action: string) =>
    row(heldId)
      .getByRole('button', { name: `${action}, message ${heldId}` })
      .click()
  const told = (words: string) => sidebar().page.locator('.countersign-sidebar-told', { hasText: words }).waitFor()
  const lookAgain = () => sidebar().page.getByRole('button', { name: 'Refresh' }).click()

  it('lists what is held with its reasons, and no contents, once there is a node that holds', async () => {
    const { red, editor, page, deployHeld } = sidebar()
    expect(await part().isVisible()).to.equal(false)
    await deployHeld()
    const OBX = `OBX|1|ED|||^^PDF^Base64^${DOCUMENT}`
    const payload = Buffer.from(anOrder({ OBX, TXA: String(mdm.TXA).replace('CMS485', 'UNKNOWN') })).toString()
    red.inject('held', { payload, held: HELD })
    red.inject('held', { payload: { resourceType: 'Bundle' }, held: ['Bundle: no <b>document</b>'] })
    await red.statusOf('held', '2 held')
    await lookAgain()
    await part().locator('summary').click()
    expect(await row(1).textContent())
      .to.contain('MDM^T02, MSG1')
      .and.contain(HELD[0])
      .and.not.match(/Rowan|JVBER/)
    expect(await row(2).textContent()).to.contain('Bundle: no <b>document</b>')
    await row(1).scrollIntoViewIfNeeded()
    await editor.shootBoth(`${name}-held`)
    for (const isDark of [false, true]) {
      await page.evaluate(`document.documentElement.classList.toggle('nr-theme-dark', ${isDark})`)
      expect(await accessibilityFaults(page, TAB)).to.deep.equal([])
    }
    await page.evaluate(`document.documentElement.classList.remove('nr-theme-dark')`)
  })

  it('corrects a message in a dialog, its document left as it is, and resends it', async () => {
    const { red, editor, page } = sidebar()
    await press(1, 'Edit')
    const dialog = page.getByRole('dialog', { name: 'Correct message 1' })
    const field = dialog.getByLabel('Message')
    const shown = await field.inputValue()
    expect(shown.split('\n')).to.include('OBX|1|ED|||^^PDF^Base64^⟦1: 4000⟧')
    await editor.shootBoth(`${name}-held-edit`)
    expect(await accessibilityFaults(page, '.countersign-dialog')).to.deep.equal([])
    await field.fill(shown.replace('UNKNOWN', 'CMS485'))
    await dialog.getByRole('button', { name: 'Save and resend' }).click()
    await told('Message 1 was corrected and resent through “held”.')
    const { payload } = await red.next('held.0')
    expect(payload).to.equal(Buffer.from(anOrder({ OBX: `OBX|1|ED|||^^PDF^Base64^${DOCUMENT}` })).toString())
    await row(1).filter({ hasText: 'still processing' }).waitFor()
  })

  it('discards a message when its question is answered, and not before', async () => {
    const { editor, page } = sidebar()
    const dialog = page.getByRole('dialog', { name: 'Discard message 2?' })
    await press(2, 'Discard')
    await dialog.waitFor()
    await editor.shootBoth(`${name}-held-discard`)
    await dialog.getByRole('button', { name: 'Keep the message' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await row(2).count()).to.equal(1)
    await press(2, 'Discard')
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await told('Message 2 was discarded.')
    await row(2).waitFor({ state: 'detached' })
  })

  it('says that somebody else was faster', async () => {
    const { red } = sidebar()
    red.inject('held', { action: 'discard', heldId: 1 })
    await red.statusOf('held', '')
    await press(1, 'Resend')
    await told('The message is no longer held.')
    await row(1).waitFor({ state: 'detached' })
  })
}
