/**
 * `npm run check:package` checks the package as people get it: packs it, installs it with strict engines and without development
 * dependencies into an empty user directory, and starts Node-RED there. Every node must be in the palette, and the first example
 * must run until its outcome is recorded. Exits with 1 when a step fails. Leaves nothing behind.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkConsumers } from './package/check-consumers.ts'
import { judgeByNodeRed } from './package/judged-by-node-red.ts'
import { checkLock } from './package/lock.ts'

const root = join(import.meta.dirname, '..')
/** Only what hangs takes so long, on any machine: what is checked is not how fast it is. */
const LIMIT_MS = 3_600_000
const EXAMPLE = 'Send a document and wait for the signature.json'
const MANIFEST: { name: string; 'node-red': { nodes: Record<string, string> } } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

const TYPES = Object.keys(MANIFEST['node-red'].nodes).map((set) => `countersign-${set}`)
/** The others hold settings. */
const isInPalette = (type: string) => type !== 'countersign-service' && type !== 'countersign-fhir-base'

type FlowNode = { id: string; type: string; port?: string }
type Installed = { module: string; types: string[]; enabled: boolean; err?: string }

const begun = performance.now()
const say = (text: string) =>
  process.stdout.write(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}\n`)

async function main(work: string, signal: AbortSignal, started: (child: ChildProcess) => void): Promise<void> {
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync('npm', [...args, '--no-audit', '--no-fund'], {
      cwd,
      encoding: 'utf8',
      timeout: LIMIT_MS,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const [packed] = JSON.parse(npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', work)) as [
    { filename: string; size: number; entryCount: number },
  ]
  say(`packed ${packed.filename}: ${packed.entryCount} files, ${(packed.size / 1024).toFixed(0)} kB`)

  checkLock(root, say)

  const userDir = join(work, 'user')
  mkdirSync(userDir)
  writeFileSync(join(userDir, 'package.json'), JSON.stringify({ name: 'check', private: true }))
  npm(userDir, 'install', '--engine-strict', '--omit=dev', '--prefer-offline', join(work, packed.filename))
  say('installed with --engine-strict --omit=dev into an empty user directory')

  const inPackage = join(userDir, 'node_modules', MANIFEST.name)
  judgeByNodeRed(work, inPackage, TYPES.filter(isInPalette), say)
  await checkConsumers(userDir, join(work, packed.filename), say)

  const port = await freePort()
  started(startNodeRed(userDir, port))
  const base = `http://127.0.0.1:${port}`
  await answers(`${base}/flows`, signal)
  say('Node-RED answers')

  const response = await fetch(`${base}/nodes`, { headers: { accept: 'application/json' }, signal })
  const ours = ((await response.json()) as Installed[]).filter(({ module }) => module === MANIFEST.name)
  const usable = new Set(ours.filter(({ enabled, err }) => enabled && !err).flatMap(({ types }) => types))
  const missing = TYPES.filter((type) => !usable.has(type))
  if (missing.length > 0)
    throw new Error(`Not in the palette: ${missing.join(', ')}. ${ours.map(({ err }) => err).join(' ')}`)
  say(`all ${TYPES.length} nodes are in the palette`)

  await runExample(base, join(inPackage, 'examples', EXAMPLE), signal)
}

/** Deploys the example that came with the package, presses its button, and watches the statuses as the editor does. */
async function runExample(base: string, file: string, signal: AbortSignal): Promise<void> {
  const flow: FlowNode[] = JSON.parse(readFileSync(file, 'utf8'))
  for (const node of flow) if (node.type === 'countersign-service') node.port = '0'
  const idOf = (type: string) => flow.find((node) => node.type === type)!.id
  const shown = watchStatuses(base, signal)
  const post = async (path: string, body: string) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${base}/${path}`, { method: 'POST', headers, body, signal })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  }
  await shown.ready
  await post('flows', JSON.stringify(flow))
  await shown.until(idOf('countersign-webhook-in'), 'listening')
  say('the first example is deployed')
  await post(`inject/${idOf('inject')}`, '{}')
  for (const [type, status] of [
    ['countersign-create-task', 'created'],
    ['countersign-download', 'downloaded'],
    ['countersign-record', 'recorded'],
    ['countersign-wait', 'acknowledged'],
  ] as const) {
    await shown.until(idOf(type), status)
    say(`${type} shows "${status}"`)
  }
}

/** Watches every status that a node shows, on the channel that the editor uses. */
function watchStatuses(base: string, signal: AbortSignal) {
  const latest = new Map<string, string>()
  const seen = new Set<string>()
  const looks = new Set<() => void>()
  const socket = new WebSocket(`${base.replace('http', 'ws')}/comms`)
  socket.addEventListener('message', ({ data }) => {
    for (const { topic = '', data: status } of [JSON.parse(String(data))].flat() as StatusUpdate[]) {
      const id = /^status\/(.+)$/.exec(topic)?.[1]
      if (!id || !status?.text) continue
      // Behind it stand the task and the time.
      const word = status.text.split(',')[0]!
      latest.set(id, word)
      seen.add(`${id} ${word}`)
    }
    for (const look of looks) look()
  })
  signal.addEventListener('abort', () => socket.close())
  const ready = new Promise<void>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('The channel of the editor does not open.')))
    socket.addEventListener('open', () => {
      socket.send(JSON.stringify({ subscribe: 'status/#' }))
      resolve()
    })
  })
  /** Resolves as soon as the node has shown the text. */
  const until = (id: string, text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!seen.has(`${id} ${text}`)) return
        looks.delete(look)
        resolve()
      }
      signal.addEventListener('abort', () =>
        reject(new Error(`A node shows "${latest.get(id) ?? ''}" and not "${text}".`)),
      )
      looks.add(look)
      look()
    })
  return { ready, until }
}

interface StatusUpdate {
  topic?: string
  data?: { text?: string }
}

function startNodeRed(userDir: string, port: number): ChildProcess {
  const settings = {
    uiPort: port,
    uiHost: '127.0.0.1',
    flowFile: 'flows.json',
    credentialSecret: 'check',
    telemetry: { enabled: false },
    logging: { console: { level: 'warn' } },
  }
  writeFileSync(join(userDir, 'settings.js'), `module.exports = ${JSON.stringify(settings)}\n`)
  const red = join(dirname(createRequire(import.meta.url).resolve('node-red/package.json')), 'red.js')
  return spawn(process.execPath, [red, '--userDir', userDir], { cwd: userDir, stdio: ['ignore', 'inherit', 'inherit'] })
}

async function answers(url: string, signal: AbortSignal): Promise<void> {
  while (!(await fetch(url, { signal }).catch(() => null))?.ok) {
    signal.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

const work = mkdtempSync(join(tmpdir(), 'countersign-package-'))
const over = new AbortController()
const limit = setTimeout(() => over.abort(new Error(`Not done within ${LIMIT_MS / 1000} seconds.`)), LIMIT_MS)
let nodeRed: ChildProcess | undefined
try {
  await main(work, over.signal, (child) => {
    nodeRed = child
    child.once('exit', (code) => over.abort(new Error(`Node-RED ended with ${code}; the lines above say why.`)))
  })
  say('the package is good')
} catch (failure) {
  say(failure instanceof Error ? failure.message : String(failure))
  process.exitCode = 1
} finally {
  clearTimeout(limit)
  if (nodeRed && nodeRed.exitCode === null) {
    const gone = new Promise((resolve) => nodeRed?.once('exit', resolve))
    nodeRed.kill()
    await gone
  }
  over.abort()
  rmSync(work, { recursive: true, force: true })
}
