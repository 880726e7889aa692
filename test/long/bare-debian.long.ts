/**
 * `npm run test:long`: the two commands of the README in a clone, on a Debian with nothing but Node.js and npm, as an ordinary user. It
 * runs as root of this machine, and mmdebstrap must be installed. With each Node.js, all of `npm test` takes about 40 minutes on two cores.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { root } from '../support/built.ts'
import { AUTHORITIES, bareDebian, installNode, run } from '../support/container/debian.ts'
import { freePort } from '../support/network/free-port.ts'
import { startedProgram } from '../support/processes.ts'

const USER = 1000
const HOME = '/home/ann'
const CLONE = `${HOME}/countersign`

describe('A bare Debian', () => {
  const folder = aFolder()
  const bare = join(folder, 'bare')
  const running = new Set<ChildProcess>()
  before(() => bareDebian(bare))
  afterEach(() => {
    for (const child of running) end(child)
  })

  /** Ends all that a command has started: its first process has another user, and outlives the one that started it. */
  function end({ pid }: ChildProcess): void {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    process.kill(Number(first), 'SIGKILL')
  }

  /** Makes a Debian with Node.js, npm, and a clone of the last commit that belongs to an ordinary user. */
  function aDebian(versions: { node: number; npm: number }): string {
    const made = join(folder, `node-${versions.node}`)
    run('cp', ['--archive', bare, made])
    installNode(made, versions)
    appendFileSync(join(made, 'etc/passwd'), `ann:x:${USER}:${USER}::${HOME}:/bin/sh\n`)
    mkdirSync(join(made, HOME))
    chownSync(join(made, HOME), USER, USER)
    run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, join(made, CLONE)])
    run('chown', ['--recursive', `${USER}:${USER}`, join(made, CLONE)])
    return made
  }

  function begun(debian: string, ...command: string[]): ChildProcess {
    const inside = ['sh', join(root, 'test/support/container/as-user.sh'), debian, CLONE]
    const authorities = process.env.NODE_EXTRA_CA_CERTS ? [`NODE_EXTRA_CA_CERTS=${AUTHORITIES}`] : []
    const namespaces = ['--mount', '--pid', '--fork']
    const child = startedProgram('unshare', [...namespaces, ...inside, ...authorities, ...command], { showsKeys: true })
    running.add(child)
    child.once('exit', () => running.delete(child))
    return child
  }

  async function ended(debian: string, ...command: string[]): Promise<string> {
    const child = begun(debian, ...command)
    let text = ''
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (text += String(chunk)))
    const [code] = (await once(child, 'close')) as [number | null]
    expect(code, `${command.join(' ')}: ${text}`).to.equal(0)
    return text
  }

  /** Reads what a program prints until a line matches. Rejects with all of it when the program ends before. */
  async function lineOf(child: ChildProcess, wanted: RegExp): Promise<string> {
    const said: string[] = []
    for await (const line of createInterface({ input: child.stdout! })) {
      said.push(line)
      if (wanted.test(line)) return line
    }
    throw new Error(said.join('\n'))
  }

  for (const { node, npm } of [
    { node: 20, npm: 10 },
    { node: 24, npm: 11 },
  ])
    it(`with Node.js ${node} and npm ${npm}: installs what the lockfile says, starts, and tests`, async () => {
      const debian = aDebian({ node, npm })
      expect(await ended(debian, 'sh', '-c', 'id -u; node --version; npm --version')).to.match(
        new RegExp(`^${USER}\\nv${node}\\..*\\n${npm}\\.`),
      )
      const installed = await ended(debian, 'npm', 'ci')
      // Node.js 20 is too old to run the package. A clone brings the Node.js that it is developed with, so npm only warns.
      const warning =
        /EBADENGINE +package: '@countersign\/node-red-document-signature@.*\n.*EBADENGINE +required: \{ node: '\^22/
      expect(warning.test(installed), installed).to.equal(node === 20)

      const [editor, service] = [await freePort(), await freePort()]
      const start = begun(debian, `NODE_RED_PORT=${editor}`, `PORT=${service}`, 'npm', 'start')
      const [key = ''] = /csk_test_\w+/.exec(await lineOf(start, /^ {2}key /)) ?? []
      const tasks = `http://127.0.0.1:${service}/api/v1/signature/tasks`
      expect((await fetch(tasks, { headers: { 'x-api-key': key } })).status).to.equal(200)
      const flows = (await (await fetch(`http://127.0.0.1:${editor}/flows`)).json()) as { type: string }[]
      expect(flows.map(({ type }) => type)).to.include('countersign-create-task')
      const stopped = once(start, 'exit')
      end(start)
      await stopped

      const tests = await ended(debian, 'NO_COLOR=1', 'FORCE_COLOR=0', 'npm', 'test')
      expect(tests).to.match(/\d+ passing/)
      console.log(tests.match(/^ +\d+ (passing|pending|failing).*$/gm)?.join('\n'))
      expect(await ended(debian, 'node_modules/.bin/node', '--version')).to.match(/^v24\./)
    })

  it('with Node.js 20: the installed package says which Node.js it needs, and does not start', async () => {
    const debian = join(folder, 'node-20')
    const child = begun(debian, 'node', 'bin/countersign.cjs', 'serve', '--data', ':memory:')
    let text = ''
    child.stderr!.on('data', (chunk: Buffer) => (text += String(chunk)))
    const [code] = (await once(child, 'close')) as [number | null]
    expect(code).not.to.equal(0)
    expect(text)
      .to.match(/Node\.js/)
      .and.to.include('22.13')
  })
})
