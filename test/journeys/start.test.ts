/** `npm start` as its user runs it: the editor with the demo flow, and the service, on ports of their own. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ensureBuilt, root } from '../support/built.ts'
import { freePort } from '../support/network/free-port.ts'
import { listen, portOf } from '../support/network/listening.ts'
import { type Started, start } from '../support/node-red/npm-start.ts'

describe('npm start', () => {
  let userDir: string
  let started: Started | undefined

  beforeEach(() => {
    userDir = mkdtempSync(join(tmpdir(), 'countersign-start-'))
  })

  afterEach(async () => {
    await started?.stop()
    rmSync(userDir, { recursive: true, force: true })
  })

  it('brings up the editor with the demo flow, and the service', async function () {
    this.timeout(300_000)
    const [editorPort, servicePort] = [await freePort(), await freePort()]
    started = start({ userDir, editorPort, servicePort })
    const said = await started.textUntil(/signed {4}\//)
    expect(said).to.contain(`http://127.0.0.1:${editorPort}`).and.to.contain(`http://127.0.0.1:${servicePort}/inbox`)
    const key = /csk_test_\w+/.exec(said)?.[0] ?? ''
    const url = `http://127.0.0.1:${servicePort}/api/v1/signature/tasks`
    expect((await fetch(url, { headers: { 'x-api-key': key } })).status).to.equal(200)
    const flows = (await (await fetch(`http://127.0.0.1:${editorPort}/flows`)).json()) as { type: string }[]
    expect(flows.map(({ type }) => type)).to.include.members(['countersign-create-task', 'countersign-webhook-in'])
    const health = await fetch(`http://127.0.0.1:${servicePort}/health-check`)
    expect(await health.json()).to.deep.equal({ status: 'ok' })
  })

  it('says which port is in use, and how to choose another, before it builds anything', async () => {
    ensureBuilt()
    const built = statSync(join(root, 'dist')).ino
    const editorPort = await freePort()
    const taken = createServer()
    await listen(taken)
    started = start({ userDir, editorPort, servicePort: portOf(taken), builds: true })
    const said = await started.textUntil(/\n/)
    expect(said).to.match(/^Port \d+ for the service is in use\. Choose another one: PORT=\d+ npm start\n$/)
    if (started.child.exitCode === null) await once(started.child, 'exit')
    expect(started.child.exitCode).to.equal(1)
    expect(statSync(join(root, 'dist')).ino).to.equal(built)
    taken.close()
  })
})
