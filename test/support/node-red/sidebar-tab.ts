/**
 * Tests of the sidebar tab "Signatures" in a real browser, on the embedded service: what it shows, each of its actions, and when it
 * looks. Every Node-RED that is supported has to pass them.
 */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import type { Overview } from '../../../nodes/shared/sidebar/overview.ts'
import { accessibilityFaults } from '../browser/axe.ts'
import { openBrowser } from '../browser/browser.ts'
import { eventually } from '../eventually.ts'
import { anOrder, SIGNER } from '../service/order.ts'
import { type Editor, openEditor } from './editor.ts'
import { createTask, embedded, flow, held, host, operation, reconcile, signer, wait } from './flow.ts'
import { testHeldSection } from './held-section.ts'
import { type NodeRed, type NodeRedOptions, startNodeRed } from './node-red.ts'

const TAB = '.countersign-sidebar'
const SIGNER_INPUTS = { taskId: 'taskId', taskIdType: 'msg', reason: 'reason', reasonType: 'msg' }

/** @param where the Node-RED that it is tried in, as `startNodeRed` takes it; `name` is for the pictures */
export function testSidebarTab({ name, ...where }: NodeRedOptions & { name: string }) {
  let browser: Browser
  let red: NodeRed
  let editor: Editor
  let page: Page
  const ids = { pending: 0, kept: 0, signed: 0, rejected: 0, failed: 0 }

  before(async () => {
    ;[browser, red] = await Promise.all([openBrowser(), startNodeRed(where)])
    await red.deploy(nodes(embedded({ name: 'Ward <b>3</b>' })))
    await red.statusOf('create', 'simulated signers')
    const made = await Promise.all([aTask(), aTask(), aTask(), aTask(), aTask(SIGNER.unknown)])
    Object.assign(ids, Object.fromEntries(Object.keys(ids).map((name, index) => [name, made[index]])))
    for (const taskId of [ids.pending, ids.kept]) red.inject('wait', { taskId })
    await red.statusOf('wait', '2 waiting')
    await areIngested()
    await acts('signer', ids.signed)
    await acts('rejecter', ids.rejected)
    editor = await openEditor(browser, red)
    page = editor.page
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
  })

  const nodes = (service: ReturnType<typeof embedded>, ...more: Parameters<typeof flow>) =>
    flow(
      service,
      { ...host('http://127.0.0.1:9'), id: 'nobody', name: 'Away' },
      ...createTask(),
      ...wait(),
      ...signer(),
      ...operation('rejecter', 'signer', { ...SIGNER_INPUTS, act: 'reject' }),
      ...more,
    )
  async function aTask(userNPI: string = SIGNER.idle) {
    const order = anOrder(userNPI)
    red.inject('create', order)
    const created = await red.next('create.0', ({ externalDocId }) => externalDocId === order.externalDocId)
    return created.taskId as number
  }
  /** Resolves once all tasks have left ingestion: only then can a signer act. */
  const areIngested = () =>
    eventually(async () => {
      const answer = await fetch(red.adminUrl('countersign/services/service/tasks'))
      const { open, failed } = (await answer.json()) as Overview
      expect(open.rows.map(({ status }) => status)).to.deep.equal(Array(4).fill('Pending'))
      expect(failed.rows).to.have.length(1)
    })
  async function acts(node: 'signer' | 'rejecter', taskId: number) {
    red.inject(node, { taskId, reason: 'Not my patient' })
    await red.next(`${node}.0`)
  }
  const rowsOf = (name: string) =>
    page.locator(`${TAB} details`, { hasText: new RegExp(`^${name} `) }).locator('.countersign-task')
  const rowOf = (name: string, taskId: number) =>
    rowsOf(name).filter({ has: page.locator(`strong:text-is("${taskId}")`) })
  const told = (words: string) => page.locator('.countersign-sidebar-told', { hasText: words }).waitFor()
  const state = (words: string) => page.locator('.countersign-sidebar-state', { hasText: words }).waitFor()
  const show = (tab: string) => page.evaluate(`RED.sidebar.show(${JSON.stringify(tab)})`)

  it('looks when it comes into sight, and lists the tasks of the service by part', async () => {
    await page.clock.install()
    await show('countersign-signatures')
    await page.locator('.countersign-sidebar-count', { hasText: /\d/ }).first().waitFor()
    const counts = await page.locator('.countersign-sidebar-count:visible').allTextContents()
    expect(counts).to.deep.equal(['2', '2', '1', '2'])
    expect(await page.locator(`${TAB} select option`).allTextContents()).to.have.members(['Ward <b>3</b>', 'Away'])
  })

  it('has no accessibility fault, and is legible in both themes', async () => {
    await editor.shootBoth(`${name}`)
    for (const summary of await page.locator(`${TAB} summary:visible`).all()) await summary.click()
    await rowOf('Not recorded', ids.signed).scrollIntoViewIfNeeded()
    await editor.shootBoth(`${name}-unrecorded`)
    for (const isDark of [false, true]) {
      await page.evaluate(`document.documentElement.classList.toggle('nr-theme-dark', ${isDark})`)
      expect(await accessibilityFaults(page, TAB)).to.deep.equal([])
    }
    await page.evaluate(`document.documentElement.classList.remove('nr-theme-dark')`)
  })

  it('retracts a task when its question is answered, by keyboard too', async () => {
    const button = rowOf('Open', ids.pending).getByRole('button', { name: `Retract, task ${ids.pending}` })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: `Retract task ${ids.pending}?` })
    await dialog.waitFor()
    await editor.shootBoth(`${name}-retract`)
    expect(await accessibilityFaults(page, '.countersign-dialog')).to.deep.equal([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.dataset.key')).to.equal(`retract-${ids.pending}`)

    await page.keyboard.press('Enter')
    await dialog.getByLabel(/^Reason/).fill('A corrected order follows')
    await dialog.getByRole('button', { name: 'Retract' }).click()
    await told(`Task ${ids.pending} was retracted.`)
    await rowOf('Open', ids.pending).waitFor({ state: 'detached' })
    const ended = await red.next('wait.2', ({ taskId }) => taskId === ids.pending)
    expect(ended).to.include({ status: 'Retracted', statusReason: 'A corrected order follows' })
  })

  it('saves the signed PDF', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      rowOf('Not recorded', ids.signed).getByRole('button', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).to.equal(`task-${ids.signed}-signed.pdf`)
    expect(
      readFileSync(await download.path())
        .subarray(0, 5)
        .toString(),
    ).to.equal('%PDF-')
    await told(`The signed PDF of task ${ids.signed} is in your downloads.`)
  })

  it('opens the page of a task in the console', async () => {
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      rowOf('Failed', ids.failed)
        .getByRole('link', { name: `Console, task ${ids.failed}` })
        .click(),
    ])
    await opened.waitForLoadState()
    expect(opened.url()).to.match(new RegExp(`/console#/tasks/${ids.failed}$`))
    expect(await opened.title()).to.contain('Countersign')
    await opened.close()
  })

  it('looks again by itself while it is in sight, and only then', async () => {
    const asked: string[] = []
    page.on(
      'request',
      (request) => /services\/\w+\/tasks$/.test(new URL(request.url()).pathname) && asked.push(request.url()),
    )
    const fresh = await aTask()
    await page.clock.fastForward(3000)
    await rowOf('Open', fresh).waitFor()
    await show('info')
    await page.waitForFunction(`!document.querySelector('${TAB}').checkVisibility()`)
    // An observer that begins now is told after the one of the tab.
    await page.evaluate(`new Promise((done) => new IntersectionObserver((_, own) => {
      own.disconnect()
      done()
    }).observe(document.querySelector('${TAB}')))`)
    const before = asked.length
    await page.clock.fastForward(60_000)
    expect(asked.length).to.equal(before)
    await show('countersign-signatures')
    await page.waitForRequest(/\/tasks\?/)
  })

  it('sends an outcome into the flow again, or says what that needs', async () => {
    const resend = () => rowOf('Not recorded', ids.rejected).getByRole('button', { name: 'Resend' }).click()
    await resend()
    await told('No flow can take the outcome. Add a reconcile node of this service to a flow, and deploy.')
    await editor.shootBoth(`${name}-refused`)
    await red.deploy(nodes(embedded({ name: 'Ward <b>3</b>' }), ...reconcile({ name: 'Orphans & more' })), 'full')
    await page.locator(`${TAB}-head`).getByRole('button', { name: 'Refresh' }).click()
    await resend()
    await told(`The outcome of task ${ids.rejected} was sent into the flow by “Orphans & more”.`)
    expect(await red.next('reconcile.1')).to.include({ taskId: ids.rejected, status: 'Rejected' })
  })

  const deployHeld = () => red.deploy(nodes(embedded({ name: 'Ward <b>3</b>' }), ...held()), 'full')
  testHeldSection(name, () => ({ red, editor, page, deployHeld }))

  it('says in words that a service cannot be reached, is not deployed, or is not there', async () => {
    const choose = (id: string) => page.getByLabel('Service', { exact: true }).selectOption(id)
    await choose('nobody')
    await state('ECONNREFUSED')
    await editor.shootBoth(`${name}-unreachable`)
    expect(await page.locator('.countersign-task:visible').count()).to.equal(0)
    await editor.add([{ ...embedded({ name: 'New' }), id: 'undeployed' }])
    await choose('undeployed')
    await state('This service is not deployed. Deploy first.')
    await page.evaluate(`for (const id of ['undeployed', 'nobody', 'service']) RED.nodes.remove(id)`)
    await state('There is no signature service in the flows.')
    await editor.shootBoth(`${name}-no-service`)
    // The browser itself notes the answers 409 and 503.
    expect(editor.errors.filter((line) => !/status of (409|503)/.test(line))).to.deep.equal([])
  })
}
