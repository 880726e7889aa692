/**
 * Whoever may write into the folder of order from files gets nothing of Node-RED by it: neither a file of its user nor code that it runs.
 * A real Node-RED of one user, and attacks by another one; by the same one where the tests are not root's.
 */
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { eventually } from '../support/eventually.ts'
import { anIndex, asJson } from '../support/hl7/an-index.ts'
import { anotherUser, isRoot, NODE_RED_USER, share } from '../support/hostile/by-another.ts'
import { flow, orderFromFiles } from '../support/node-red/flow.ts'
import { type FlowNode, type NodeRed, prepareUserDir, startNodeRed } from '../support/node-red/node-red.ts'
import { orderPdf } from '../support/service/order.ts'

const TODAY = new Date().toISOString().slice(0, 10)
const MAP = { documentTypes: { CMS485: { documentTypeId: 104 } } }
const SECRET = 'of Node-RED alone'
const PDF = Buffer.from(orderPdf()).toString('latin1')
const PATIENT = 'Doe-Jane-1950'

describe('a folder that a stranger may write into', function () {
  this.timeout(120_000)
  let drop: string
  let red: NodeRed
  let victim: string
  let stranger: ReturnType<typeof anotherUser>

  const start = (before: Partial<Pick<NodeRed, 'userDir' | 'port'>> = {}) =>
    startNodeRed({ user: NODE_RED_USER, ...before })
  const nodes = () => {
    const [files, ...probes] = orderFromFiles(drop, MAP) as FlowNode[]
    return flow({ ...files!, wires: [['order-from-files.0'], [], ['order-from-files.2']] }, ...probes)
  }
  const at = (...names: string[]) => join(drop, ...names)
  const harm = () => ({
    victim: existsSync(victim) && readFileSync(victim, 'utf8'),
    inNodes: readdirSync(join(red.userDir, 'nodes')).toSorted(),
    code: existsSync(join(red.userDir, 'OWNED')),
    isShown: existsSync(at('processing/1')) && readdirSync(at('processing/1')).includes('secret.json'),
  })
  const noHarm = { victim: SECRET, inNodes: ['probe.html', 'probe.js'], code: false, isShown: false }

  beforeEach(async () => {
    drop = aFolder()
    share(drop)
    const userDir = prepareUserDir()
    victim = join(userDir, 'secret.json')
    writeFileSync(victim, SECRET, { mode: 0o600 })
    red = await start({ userDir })
    stranger = anotherUser()
    await red.deploy(nodes())
    await red.statusOf('order-from-files', '0 in progress')
  })
  afterEach(async () => {
    stranger.end()
    await red.stop()
  })

  it('is shared by two users where the tests may choose them', async () => {
    await stranger.act('writeFileSync', at('whose.txt'), '')
    expect(statSync(at('whose.txt')).uid === statSync(red.userDir).uid).to.equal(!isRoot)
    if (isRoot) expect(await stranger.act('readFileSync', victim, {}).catch(String)).to.contain('EACCES')
  })

  it('gives no file and takes no code, although the stranger plants claims, outcomes and links', async () => {
    // One look fails.
    await stranger.act('writeFileSync', at('processing'), 'a file')
    await stranger.act('writeFileSync', at('x.pdf'), '%PDF-1.4')
    await stranger.act('writeFileSync', at('x.json'), '{}')
    await red.statusOf('order-from-files', 'folder refused')
    // A claim that names a file outside, and a finished one, whose files are to go through a link.
    const up = relative(drop, victim)
    await stranger.act('symlinkSync', red.userDir, at('done'))
    await stranger.act('rmSync', at('processing'))
    for (const id of ['1', '2']) await stranger.act('mkdirSync', at('processing', id), { recursive: true })
    const claim = (id: number, pdf: string) => JSON.stringify({ id, pdf, index: null, others: [], size: 1 })
    await stranger.act('writeFileSync', at('processing/1/.claim.json'), claim(1, up))
    await stranger.act('writeFileSync', at('processing/2/.claim.json'), claim(2, 'nodes'))
    const outcome = JSON.stringify({ outcome: 'done', suffix: '', reasons: [] })
    await stranger.act('writeFileSync', at('processing/2/.outcome.json'), outcome)
    await stranger.act('mkdirSync', at('processing/2/nodes'))
    const evil = 'module.exports = (RED) => require("node:fs").writeFileSync(RED.settings.userDir + "/OWNED", "")'
    await stranger.act('writeFileSync', at('processing/2/nodes/evil.js'), evil)
    await red.deploy(nodes())
    await red.statusOf('order-from-files', 'folder refused')
    expect(harm()).to.deep.equal(noHarm)
    await eventually(() => expect(red.log.join('')).to.match(/The work folder "(processing|done)" (is a link|belongs)/))

    // Neither does a restart, and the folder works again when the stranger's folders are gone.
    await red.stop({ keep: true })
    red = await start(red)
    await red.statusOf('order-from-files', 'folder refused')
    expect(harm()).to.deep.equal(noHarm)
    await stranger.act('rmSync', at('done'))
    if (isRoot) await stranger.act('renameSync', at('processing'), at('.removed'))
    await red.next('order-from-files.2')
    await eventually(() => expect(readdirSync(at('error'))).to.include('x.reason.json'))
    expect(harm()).to.deep.equal(noHarm)
    if (!isRoot) await red.statusOf('order-from-files', '0 in progress, 2 refused')
  })

  for (const name of ['done', 'error', 'processing'])
    it(`is refused while ${name} is a link or of the stranger, and used again when it is neither`, async () => {
      await stranger.act('symlinkSync', join(red.userDir, 'nodes'), at(name))
      await stranger.act('writeFileSync', at('x.json'), '{}')
      await stranger.act('writeFileSync', at('x.pdf'), '%PDF-1.4')
      await red.statusOf('order-from-files', 'folder refused')
      await eventually(() => expect(red.log.join('')).to.contain(`The work folder "${name}" is a link`))
      expect(harm()).to.deep.equal(noHarm)
      await stranger.act('rmSync', at(name))
      if (isRoot) {
        await stranger.act('mkdirSync', at(name))
        await eventually(() => expect(red.log.join('')).to.contain(`The work folder "${name}" belongs to another user`))
        rmSync(at(name), { recursive: true })
      }
      await eventually(() => expect(readdirSync(at('error'))).to.include('x.reason.json'))
    })

  it('hands over neither what a link nor what a hard link leads to, and names no file in its log', async () => {
    await stranger.act('symlinkSync', victim, at(`${PATIENT}.json`))
    await stranger.act('writeFileSync', at(`${PATIENT}.pdf`), PDF, 'latin1')
    // Where the system lets a user do this at all, it is done as root.
    const other = join(aFolder(), 'other')
    writeFileSync(other, asJson(anIndex({ date: TODAY })))
    linkSync(other, at('linked.json'))
    await red.statusOf('order-from-files', '0 in progress, 2 refused')
    await eventually(() => expect(red.log.join('')).to.contain('Links: 1.').and.contain('hard links): 1.'))
    expect(red.log.join('')).to.not.contain(PATIENT)
    // The same document as a plain file is taken.
    await stranger.act('rmSync', at(`${PATIENT}.json`))
    await stranger.act(
      'writeFileSync',
      at(`${PATIENT}.json`),
      String(asJson(anIndex({ date: TODAY, documentId: 'T-1' }))),
    )
    expect(await red.next('order-from-files.0')).to.include({ externalDocId: 'T-1' })
  })

  it('does not end each next start when a document ends the process', async () => {
    await red.stop({ keep: true })
    const ends =
      'module.exports = (RED) => RED.nodes.registerType("ends", function (c) { RED.nodes.createNode(this, c); this.on("input", () => process.abort()) })'
    writeFileSync(join(red.userDir, 'nodes/ends.js'), ends)
    writeFileSync(
      join(red.userDir, 'nodes/ends.html'),
      '<script type="text/javascript">RED.nodes.registerType("ends", {})</script>',
    )
    red = await start(red)
    const [files, ...probes] = orderFromFiles(drop, MAP) as FlowNode[]
    const deadly: FlowNode = { id: 'ends', type: 'ends', wires: [[]] }
    await red.deploy(flow({ ...files!, wires: [['ends'], [], []] }, deadly, ...probes))
    await stranger.act('writeFileSync', at('deadly.json'), String(asJson(anIndex({ date: TODAY }))))
    await stranger.act('writeFileSync', at('deadly.pdf'), PDF, 'latin1')
    await eventually(() => expect(red.isRunning()).to.equal(false))
    const second = await start(red).catch(() => null)
    if (second) await eventually(() => expect(second.isRunning()).to.equal(false))
    red = await start(red)
    await eventually(() =>
      expect(readdirSync(at('error')).toSorted()).to.deep.equal(['deadly.json', 'deadly.pdf', 'deadly.reason.json']),
    )
    expect(readFileSync(at('error/deadly.reason.json'), 'utf8')).to.contain('Node-RED ended twice')
    await red.statusOf('order-from-files', '0 in progress')
  })
})
