/**
 * `npm run test:long`: the image is built and run for real, as root of this machine. buildah and mmdebstrap must be installed. What is
 * not shown: networks and limits of memory of a container, because `--isolation chroot` has none.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { fetchSigned } from '../../lib/client/fetch-signed.ts'
import { sampleTask } from '../../testing/sample-task.ts'
import { aFolder } from '../support/a-folder.ts'
import { ensureBuilt } from '../support/built.ts'
import { buildImage, type Image } from '../support/container/image.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { patience } from '../support/patience.ts'
import { startedProgram } from '../support/processes.ts'
import { aClient } from '../support/service/a-client.ts'

const USER = 10001
const MOST_MEGABYTES = 120

interface Team {
  team: string
  baseUrl: string
  apiKeys: { key: string }[]
}

describe('The container image', () => {
  const folder = aFolder()
  const volume = join(folder, 'volume')
  let image: Image
  let environment: string[]
  const running = new Set<ChildProcess>()

  before(async () => {
    ensureBuilt()
    image = buildImage(folder)
    mkdirSync(volume)
    chmodSync(volume, 0o700)
    chownSync(volume, USER, USER)
    environment = [
      'HOME=/data',
      'COUNTERSIGN_HOST=127.0.0.1',
      `COUNTERSIGN_PORT=${await freePort()}`,
      'COUNTERSIGN_DATA=/data/countersign',
      'COUNTERSIGN_SANDBOX=true',
      'COUNTERSIGN_SEED=demo',
    ]
  })
  afterEach(async () => {
    // The first process of a container is killed itself: it has another user, and outlives the one that started it.
    for (const child of running) {
      process.kill(firstOf(child), 'SIGKILL')
      await once(child, 'exit')
    }
  })
  after(() => rmSync(join(folder, 'storage'), { recursive: true, force: true }))

  /** Runs a command in a container, whose processes all end with its first. */
  function contained(...command: string[]): ChildProcess {
    const inside = ['sh', join(import.meta.dirname, '../support/container/run.sh'), image.mounted, volume]
    const namespaces = ['--mount', '--pid', '--fork']
    const args = [...namespaces, ...inside, ...environment, ...command]
    const child = startedProgram('unshare', args, { showsKeys: true })
    running.add(child)
    child.once('exit', () => running.delete(child))
    return child
  }

  async function output(...command: string[]): Promise<{ code: number | null; text: string }> {
    const child = contained(...command)
    let text = ''
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (text += String(chunk)))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, text }
  }

  interface Started {
    child: ChildProcess
    baseUrl: string
    apiKeys: { key: string }[]
  }

  async function start(): Promise<Started> {
    const child = contained('countersign', 'serve')
    let log = ''
    child.stderr!.on('data', (chunk: Buffer) => (log += String(chunk)))
    const gone = once(child, 'exit').then(() => null)
    const line = await Promise.race([
      once(createInterface({ input: child.stdout! }), 'line') as Promise<[string]>,
      gone,
    ])
    if (!line) throw new Error(`It did not start: ${log}`)
    return { child, ...(JSON.parse(line[0]) as Omit<Started, 'child'>) }
  }

  /** Returns a port of this machine that is free, as is the one after it. */
  async function freePair(): Promise<number> {
    for (;;) {
      const first = await freePort()
      const next = createServer().listen(first + 1, '127.0.0.1')
      const [isFree] = await Promise.race([
        once(next, 'listening').then(() => [true]),
        once(next, 'error').then(() => [false]),
      ])
      next.close()
      if (isFree) return first
    }
  }

  /** The first process of the container, as this machine numbers it. */
  const firstOf = ({ pid }: ChildProcess): number =>
    Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])

  it(`adds at most ${MOST_MEGABYTES} MB to its base`, () => {
    process.stdout.write(`      ${image.megabytes} MB over the base\n`)
    expect(image.megabytes).to.be.greaterThan(10).and.at.most(MOST_MEGABYTES)
  })

  it('runs as an ordinary user, as the first process, without capabilities, on a root that cannot be written', async () => {
    const { text } = await output('sh', '-c', 'id -u; echo $$; touch /x; grep CapEff /proc/self/status')
    expect(text).to.match(/^10001\n1\n/m)
    expect(text).to.include('Read-only file system')
    expect(text).to.match(/CapEff:\s+0{16}/)
  })

  it('has the driver of PostgreSQL, and no tools for building', async () => {
    const { text } = await output(
      'node',
      '-e',
      "import('/opt/countersign/node_modules/pg/lib/index.js').then(() => console.log('pg'))",
    )
    expect(text).to.equal('pg\n')
    expect((await output('ls', '/opt/countersign/node_modules')).text).not.to.match(/^(typescript|mocha|esbuild)$/m)
  })

  it('takes a document from create to signed PDF, is killed and restarted, and loses nothing', async () => {
    const first = await start()
    const { key } = first.apiKeys[0]!
    const client = aClient({ baseUrl: first.baseUrl, apiKey: key, timeoutMs: patience(30_000) })
    const { taskId } = await client.createTask({ body: await sampleTask() })
    const pending = (id: number) =>
      eventually(async () => expect((await client.readTask({ params: { id } })).status).to.equal('Pending'))
    await pending(taskId)
    const sign = (id: number) =>
      fetch(`${first.baseUrl}/sandbox/v1/tasks/${id}/sign`, { method: 'POST', headers: { 'x-api-key': key } })
    expect((await sign(taskId)).status).to.equal(204)
    const before = await fetchSigned(client, taskId)
    const { taskId: waiting } = await client.createTask({ body: await sampleTask({ externalDocId: 'SAMPLE-2' }) })
    process.kill(firstOf(first.child), 'SIGKILL')
    await once(first.child, 'exit')

    const second = await start()
    expect((await fetchSigned(client, taskId)).sha256).to.equal(before.sha256)
    await pending(waiting)
    expect((await sign(waiting)).status).to.equal(204)
    expect(Buffer.from((await fetchSigned(client, waiting)).bytes.subarray(0, 5)).toString()).to.equal('%PDF-')
    const exit = once(second.child, 'exit')
    process.kill(firstOf(second.child), 'SIGTERM')
    expect((await exit)[0], 'ended by SIGTERM, as the first process').to.equal(0)
  })

  it('is healthy by its own command, and not when nothing listens', async () => {
    const dockerfile = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8')
    const check = JSON.parse(/HEALTHCHECK.*\\\n {2}CMD (\[.*ready.*\])/.exec(dockerfile)![1]!) as string[]
    expect((await output(...check)).code).to.equal(1)
    const { child } = await start()
    await eventually(async () => expect((await output(...check)).code).to.equal(0))
    process.kill(firstOf(child), 'SIGTERM')
    await once(child, 'exit')
  })

  it('has a sandbox for each team on a port of its own, kept in the volume over a restart', async () => {
    const first = await freePair()
    const startTeams = async () => {
      const child = contained('countersign', 'serve', '--teams', 'north,south', '--port', String(first))
      const lines = createInterface({ input: child.stdout! })
      const [[north], [south]] = [await once(lines, 'line'), await once(lines, 'line')] as [[string], [string]]
      return { child, teams: [north, south].map((line) => JSON.parse(line) as Team) }
    }
    const { child, teams } = await startTeams()
    expect(teams.map(({ team, baseUrl }) => [team, Number(new URL(baseUrl).port)])).to.deep.equal([
      ['north', first],
      ['south', first + 1],
    ])
    const keys = teams.map(({ apiKeys }) => apiKeys[0]!.key)
    const ask = (to: number, path: string, key: string, body?: object) =>
      fetch(`http://127.0.0.1:${first + to}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    const ahead = async (to: number) =>
      ((await (await ask(to, '/sandbox/v1/clock', keys[to]!)).json()) as { aheadSeconds: number }).aheadSeconds
    const both = async () => [await ahead(0), await ahead(1)]
    expect((await ask(0, '/sandbox/v1/clock', keys[1]!)).status, 'the key of the other team').to.equal(403)
    await ask(0, '/sandbox/v1/clock', keys[0]!, { advanceSeconds: 86_400 })
    await eventually(async () => expect(await both()).to.deep.equal([86_400, 0]))
    const exit = once(child, 'exit')
    process.kill(firstOf(child), 'SIGTERM')
    expect((await exit)[0]).to.equal(0)

    const again = await startTeams()
    expect(await both()).to.deep.equal([86_400, 0])
    process.kill(firstOf(again.child), 'SIGTERM')
    await once(again.child, 'exit')
  })

  it('answers commands on the store of its volume', async () => {
    const { code, text } = await output('countersign', 'organizations', 'list', '--json')
    expect(code, text).to.equal(0)
    expect(text).to.include('Willow Creek')
  })
})
