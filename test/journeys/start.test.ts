/** `npm start` as its user runs it: the editor with the demo flow, and the service, on ports of their own. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { started } from '../support/processes.ts'

const root = join(import.meta.dirname, '../..')

describe('npm start', () => {
  let userDir: string
  let running: ChildProcess | undefined

  beforeEach(() => {
    userDir = mkdtempSync(join(tmpdir(), 'countersign-start-'))
  })

  afterEach(async () => {
    if (running && running.exitCode === null) {
      running.kill('SIGTERM')
      await once(running, 'exit')
    }
    rmSync(userDir, { recursive: true, force: true })
  })

  function start(editorPort: number, servicePort: number) {
    const env = { ...process.env, NODE_RED_USER_DIR: userDir, NODE_RED_PORT: `${editorPort}`, PORT: `${servicePort}` }
    running = started(['scripts/start.ts'], { cwd: root, env })
    return running
  }

  it('brings up the editor with the demo flow, and the service', async function () {
    this.timeout(60_000)
    const [editorPort, servicePort] = await freePorts(2)
    const child = start(editorPort!, servicePort!)
    const said = await textUntil(child, /service {3}http/)
    expect(said).to.contain(`http://127.0.0.1:${editorPort}`).and.to.contain(`http://127.0.0.1:${servicePort}/inbox`)
    const flows = (await (await fetch(`http://127.0.0.1:${editorPort}/flows`)).json()) as { type: string }[]
    expect(flows.map(({ type }) => type)).to.include.members(['countersign-create-task', 'countersign-webhook-in'])
    const health = await fetch(`http://127.0.0.1:${servicePort}/health-check`)
    expect(await health.json()).to.deep.equal({ status: 'ok' })
  })

  it('says which port is in use, and how to choose another', async () => {
    const [editorPort] = await freePorts(1)
    const taken = createServer()
    await listen(taken)
    const child = start(editorPort!, portOf(taken))
    const said = await textUntil(child, /\n/)
    expect(said).to.match(/^Port \d+ for the service is in use\. Choose another one: PORT=\d+ npm start\n$/)
    if (child.exitCode === null) await once(child, 'exit')
    expect(child.exitCode).to.equal(1)
    taken.close()
  })
})

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  await Promise.all(servers.map(listen))
  const ports = servers.map(portOf)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const portOf = (server: Server) => (server.address() as { port: number }).port

async function textUntil(child: ChildProcess, wanted: RegExp): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    const add = (chunk: Buffer) => {
      text += chunk
      if (wanted.test(text)) resolve(text)
    }
    child.stdout!.on('data', add)
    child.stderr!.on('data', add)
    child.once('exit', () => (wanted.test(text) ? resolve(text) : reject(new Error(`It ended with: ${text}`))))
  })
}
