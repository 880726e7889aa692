/** The Node-RED that files of tests share: each finds it as it was after its start, and none finds one that has ended. */
import { existsSync, readdirSync } from 'node:fs'
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { createTask, embedded, flow } from '../support/node-red/flow.ts'
import { type FlowNode, type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'

describe('the Node-RED that files share', function () {
  this.timeout(40_000)
  let red: NodeRed

  beforeEach(async () => {
    red = await aNodeRed()
  })
  afterEach(() => red?.stop())

  const ask = async (path: string) => (await (await fetch(red.adminUrl(path))).json()) as object
  /** All that one file could find of another. */
  const state = async () => ({
    flows: await ask('flows'),
    globals: await ask('context/global'),
    ofTheEditor: await ask('settings/user'),
    files: readdirSync(red.userDir).filter((name) => !name.startsWith('.config')),
    seen: [...red.waiting('caught'), ...red.waiting('completed'), ...red.waiting('create.0')],
  })
  const sets: FlowNode = { id: 'sets', type: 'change', rules: [{ t: 'set', p: 'left', pt: 'global', to: 'behind' }] }
  const says: FlowNode = {
    id: 'says',
    type: 'function',
    func: 'node.warn("a warning")\nreturn msg',
    wires: [['caught']],
  }

  it('is as it was after its start when one has used it', async () => {
    const own = red
    red = await startNodeRed()
    const fresh = await state()
    await red.stop()
    red = own
    await red.deploy(flow(embedded(), ...createTask(), { ...sets, wires: [['caught']] }, says))
    await red.statusOf('create', 'simulated signers')
    for (const id of ['sets', 'says']) red.inject(id)
    const body = '{"editor":{"view":{}}}'
    await fetch(red.adminUrl('settings/user'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    await eventually(() => expect(red.waiting('caught')).to.have.length(2))
    await eventually(() => expect(red.log.join('')).to.contain('a warning'))
    const used = await state()
    for (const [what, found] of Object.entries(fresh))
      expect(used[what as keyof typeof used], what).to.not.deep.equal(found)

    await red.stop()
    red = await aNodeRed()
    expect(red).to.include({ port: own.port, userDir: own.userDir })
    expect(await state()).to.deep.equal(fresh)
    expect(red.log).to.deep.equal([])
    await red.deploy(flow(embedded(), ...createTask()))
    await red.statusOf('create', 'simulated signers')
  })

  it('is another one when the last was killed, in the same place where that is wanted', async () => {
    const { userDir, port } = red
    await red.kill()
    red = await aNodeRed({ userDir, port })
    expect(red).to.include({ userDir, port })
    await red.kill()
    await red.stop()
    expect(existsSync(userDir)).to.equal(false)
    red = await aNodeRed()
    expect(red.userDir).to.not.equal(userDir)
    expect(await ask('flows')).to.deep.equal([])
  })

  it('is another one for another environment, and while it is in use', async () => {
    const { userDir } = red
    const other = await aNodeRed()
    expect(other.userDir).to.not.equal(userDir)
    await red.stop()
    await other.stop()
    expect(existsSync(other.userDir)).to.equal(false)
    process.env.OF_A_TEST = 'set'
    try {
      red = await aNodeRed()
    } finally {
      delete process.env.OF_A_TEST
    }
    expect(red.userDir).to.not.equal(userDir)
    expect(existsSync(userDir)).to.equal(false)
  })
})
