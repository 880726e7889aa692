/** The control room's “Node-RED flow”: copied on the page, imported into an editor, deployed with a key, and run. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser, visitor } from '../support/browser/browser.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { type Editor, openEditor } from '../support/node-red/editor.ts'
import type { FlowNode, NodeRed } from '../support/node-red/node-red.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

describe('the flow that the control room copies', function () {
  this.timeout(60_000)
  let browser: Browser
  let service: TestService
  let red: NodeRed
  let editor: Editor
  before(async () => {
    ;[service, red, browser] = await Promise.all([aService(), aNodeRed(), openBrowser()])
    editor = await openEditor(browser, red)
  })
  after(async () => {
    await browser?.close()
    await Promise.all([red?.stop(), service?.stop()])
  })

  it('is imported from the clipboard without a question, and its button makes the task', async () => {
    const visit = await visitor(browser)
    await visit.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await visit.page.goto(`${service.baseUrl}/sandbox`)
    await visit.page.getByRole('button', { name: 'Service operator' }).click()
    const send = visit.page.getByRole('region', { name: 'Send an order' })
    await send.getByLabel('Patient').selectOption({ label: 'Jörg Müller' })
    await send.getByRole('button', { name: 'Node-RED flow' }).click()
    await visit.page.getByText('Copied as a Node-RED flow.').waitFor()
    const text = await visit.page.evaluate<string>('navigator.clipboard.readText()')
    expect(text).not.to.include(service.key)
    const nodes = JSON.parse(text) as FlowNode[]
    const idOf = (type: string) => nodes.find((node) => node.type === type)!.id

    const { page } = editor
    await page.click('#red-ui-header-button-sidemenu')
    await page.click('#menu-item-import')
    const pasted = page.locator('#red-ui-clipboard-dialog-import-text')
    await pasted.fill(text)
    await pasted.press('End')
    await page.locator('#red-ui-clipboard-dialog-ok:enabled').click()
    await page.locator('#red-ui-workspace-tabs').getByText('Sample order', { exact: true }).click()
    expect(await page.locator('button:has-text("Import copy")').count(), 'questions').to.equal(0)

    const [server, create] = [idOf('countersign-service'), idOf('countersign-create-task')]
    await editor.open(server)
    await page.fill('#node-config-input-apiKey', service.key)
    await editor.save()
    for (const id of [server, create]) expect(await editor.faults(id), id).to.deep.equal([])
    await editor.deploy()
    await page.locator(`[id="${idOf('inject')}"] .red-ui-flow-node-button-button`).click()
    await red.statusOf(create, 'created')
    const [task, ...others] = await service.client.listTasks()
    expect(others).to.deep.equal([])
    await service.reaches(task!.taskId, 'Pending')
    expect(visit.errors).to.deep.equal([])
    // The form of a service that is not deployed yet asks for what only the deployed one knows, and is answered 503.
    expect(editor.errors.filter((error) => !error.includes('503'))).to.deep.equal([])
    await visit.close()
  })
})
