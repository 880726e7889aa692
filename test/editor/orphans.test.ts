/** The part "Orphaned" of the sidebar, and the warning before a node is removed that keeps something, in a real browser. */
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { accessibilityFaults } from '../support/browser/axe.ts'
import { openBrowser } from '../support/browser/browser.ts'
import { aGateway, type Gateway } from '../support/network/a-gateway.ts'
import { type Editor, openEditor } from '../support/node-red/editor.ts'
import { createTask, flow, wait } from '../support/node-red/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'
import { type HostedService, hostedService } from '../support/service/hosted-service.ts'
import { anOrder } from '../support/service/order.ts'

const TAB = '.countersign-sidebar'

describe('the part "Orphaned" of the sidebar', function () {
  this.timeout(120_000)
  let browser: Browser
  let red: NodeRed
  let service: HostedService
  let renamed: Gateway
  let editor: Editor
  let page: Page
  const ids: number[] = []

  before(async () => {
    service = await hostedService()
    renamed = await aGateway(service.baseUrl)
    ;[browser, red] = await Promise.all([openBrowser(), startNodeRed()])
    await red.deploy(nodes(service.baseUrl))
    for (let count = 0; count < 2; count++) {
      red.inject('create', anOrder())
      const { taskId, externalDocId } = await red.next('create.0')
      ids.push(taskId as number)
      red.inject('wait', { taskId, externalDocId })
    }
    await red.statusOf('wait', '2 waiting')
    await red.deploy(nodes(renamed.baseUrl))
    await red.statusOf('wait', `2 waits belong to ${service.baseUrl}`)
    editor = await openEditor(browser, red)
    page = editor.page
    await page.evaluate(`RED.sidebar.show('countersign-signatures')`)
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
    await renamed?.stop()
    await service?.stop()
  })

  const nodes = (baseUrl: string) => flow(service.node({ baseUrl }), ...createTask(), ...wait())
  const part = () => page.locator(`${TAB} details`, { hasText: /^Orphaned / })
  const rowOf = (taskId: number) => part().locator('.countersign-task', { hasText: `task ${taskId}` })

  it('lists what belongs to another address, legible in both themes and narrow', async () => {
    await part().locator('summary').click()
    await rowOf(ids[0]!).waitFor()
    expect(await part().locator('.countersign-sidebar-count').textContent()).to.equal('2')
    expect(await rowOf(ids[0]!).textContent()).to.contain(`Belongs to ${service.baseUrl}.`)
    await editor.shootBoth('orphans')
    for (const isDark of [false, true]) {
      await page.evaluate(`document.documentElement.classList.toggle('nr-theme-dark', ${isDark})`)
      expect(await accessibilityFaults(page, TAB)).to.deep.equal([])
    }
    await page.evaluate(`document.documentElement.classList.remove('nr-theme-dark')`)
    await page.setViewportSize({ width: 900, height: 700 })
    await editor.shootBoth('orphans-narrow')
  })

  it('asks first, adopts one and discards the other', async () => {
    await rowOf(ids[0]!)
      .getByRole('button', { name: /^Adopt/ })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await editor.shootBoth('orphans-adopt')
    await dialog.getByRole('button', { name: 'Adopt' }).click()
    await page.locator('.countersign-sidebar-told', { hasText: 'works on it now.' }).waitFor()
    await rowOf(ids[0]!).waitFor({ state: 'detached' })
    await red.statusOf('wait', '1 waiting')
    await rowOf(ids[1]!)
      .getByRole('button', { name: /^Discard/ })
      .click()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await page.locator('.countersign-sidebar-told', { hasText: 'Discarded.' }).waitFor()
    await part().waitFor({ state: 'hidden' })
  })

  it('warns with the number before the deploy that removes a node, and undoes the removal', async () => {
    await page.evaluate(
      `RED.view.select({ nodes: [RED.nodes.node('wait')] }); RED.actions.invoke('core:delete-selection')`,
    )
    const notice = page.locator('.red-ui-notification', { hasText: 'The removed nodes keep 1 wait.' })
    await notice.waitFor()
    await editor.shootBoth('orphans-removal')
    await notice.getByRole('button', { name: 'Undo' }).click()
    await page.waitForFunction(`RED.nodes.node('wait')`)
  })

  it('says after a deploy without the node that nothing works on its wait any more', async () => {
    await page.evaluate(
      `RED.view.select({ nodes: [RED.nodes.node('wait')] }); RED.actions.invoke('core:delete-selection')`,
    )
    await page
      .locator('.red-ui-notification', { hasText: 'The removed nodes keep 1 wait.' })
      // The one that was answered before may still slide out.
      .last()
      .getByRole('button', { name: 'Remove anyway' })
      .click()
    // It leaves by itself after a while, so it is waited for from the deploy on.
    const said = page.locator('.red-ui-notification', { hasText: 'No node works on 1 wait any more.' }).waitFor()
    await Promise.all([editor.deploy(), said])
    await red.statusOf('create', '1 wait without a node')
  })
})
