/** Node-RED on a Node.js that is too old: the nodes say so wherever somebody looks, do nothing else, and do no harm. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { LOWEST_NODE } from '../../lib/floor.ts'
import { openBrowser } from '../support/browser/browser.ts'
import { root } from '../support/built.ts'
import { openEditor } from '../support/node-red/editor.ts'
import { everyNode } from '../support/node-red/every-node.ts'
import { host } from '../support/node-red/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'

const { 'node-red': declared } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const TYPES = Object.keys(declared.nodes).map((set) => `countersign-${set}`)
const SENTENCE = `Countersign needs Node.js ${LOWEST_NODE} or later, and this is 20.19.0.`

describe('on a Node.js that is too old', function () {
  this.timeout(60_000)
  let red: NodeRed
  let browser: Browser

  before(async () => {
    red = await startNodeRed({ preload: join(root, 'test/support/node-red/as-node-20.cjs') })
    const connection = host('https://sign.example.org', { credentials: { apiKey: 'KEPT' } })
    await red.deploy(everyNode(red, connection, ''))
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
  })

  it('each node is there and says so beneath itself, and the log says it once', async () => {
    for (const id of ['create', 'wait', 'webhook', 'preview', 'signer'])
      expect(await red.statusOf(id, 'Node.js is too old')).to.include({ fill: 'red' })
    expect(red.log.join('').split(SENTENCE)).to.have.length(2)
    expect(red.log.join('')).to.not.match(/\[error\]|missing types/i)
  })

  it('nothing else is done: no message, no route, no file', async () => {
    for (const id of ['create', 'read', 'preview']) red.inject(id, {})
    expect((await fetch(red.nodeUrl('countersign/events'), { method: 'POST' })).status).to.equal(404)
    expect((await fetch(red.adminUrl('countersign/services/service/tasks'))).status).to.equal(404)
    expect(existsSync(join(red.userDir, 'countersign'))).to.equal(false)
    expect(red.waiting('caught')).to.deep.equal([])
  })

  it('a deploy keeps the key', async () => {
    await red.deploy(everyNode(red, host('https://sign.example.org', { credentials: undefined }), 'renamed'))
    const kept = await fetch(red.adminUrl('credentials/countersign-service/service'))
    expect(await kept.json()).to.deep.equal({ has_apiKey: true })
  })

  it('the palette and the help say so, and a form opens', async () => {
    browser = await openBrowser()
    const { page, errors, open, save, shoot, close } = await openEditor(browser, red)
    for (const type of TYPES) expect(await page.evaluate(`RED.nodes.getNodeHelp('${type}')`), type).to.contain(SENTENCE)
    const node = page.locator('.red-ui-palette-node[data-palette-type="countersign-wait"]')
    await node.scrollIntoViewIfNeeded()
    expect(await node.getAttribute('title')).to.equal(SENTENCE)
    await shoot('node-too-old')
    await open('create')
    await save()
    // The form asks for lists that nobody has.
    expect(errors.filter((error) => !error.includes('status of 404'))).to.deep.equal([])
    await close()
  })
})
