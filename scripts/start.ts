/**
 * `npm start`: Node-RED with the nodes and the demo flow, and the embedded service with demo data inside it. One git-ignored
 * folder holds everything that is kept between starts. With `--build` it builds first, once the ports are known to be free.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { keyPersons, senders } from '../server/demo/people.ts'
import { build } from './build.ts'

const root = join(import.meta.dirname, '..')
const userDir = process.env.NODE_RED_USER_DIR ?? join(root, '.node-red')
const signedFolder = join(userDir, 'signed')
const EXAMPLE = 'Send a document and wait for the signature.json'
const NOTICE_AFTER_MS = 60_000

const editorPort = Number(process.env.NODE_RED_PORT ?? 1880)
const servicePort = Number(process.env.PORT ?? 8090)
const editorUrl = `http://127.0.0.1:${editorPort}`
const serviceUrl = `http://127.0.0.1:${servicePort}`

async function main(): Promise<void> {
  await mustBeFree(editorPort, 'the editor', 'NODE_RED_PORT')
  await mustBeFree(servicePort, 'the service', 'PORT')
  if (process.argv.includes('--build')) await build()
  prepareUserDir()
  const nodeRed = startNodeRed()
  await Promise.all([answers(`${editorUrl}/flows`, nodeRed), answers(`${serviceUrl}/health-check`, nodeRed)])
  process.stdout.write(`
Countersign is running. Ctrl+C stops it.

  editor    ${editorUrl}    press the button of "Send the order" and watch the debug sidebar
  inbox     ${serviceUrl}/inbox    after the button "Sign it yourself": sign here as Ruth Calder
  console   ${serviceUrl}/console    follow each task: sign in as Service operator
  all       ${serviceUrl}    the way to every page; the interface: ${serviceUrl}/docs
  key       ${keyToTry()}    x-api-key to try it with, until tomorrow
  signed    ${signedFolder}    where the flow saves the signed PDFs
`)
}

/** Makes Node-RED's user directory: the package is linked into it, and on the first start the example becomes its flow. */
function prepareUserDir(): void {
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }
  const link = join(userDir, 'node_modules', name)
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(root, link, 'junction')
  const manifest = { name: 'countersign-start', private: true, dependencies: { [name]: '*' } }
  writeFileSync(join(userDir, 'package.json'), JSON.stringify(manifest, null, 2))
  copyFileSync(join(import.meta.dirname, 'node-red-settings.cjs'), join(userDir, 'settings.js'))
  const flows = join(userDir, 'flows.json')
  if (!existsSync(flows)) writeFileSync(flows, demoFlow())
}

/**
 * Returns the example with its signed PDFs saved as files. The port of the service and the folder come from the environment, so
 * that later starts can change them.
 */
function demoFlow(): string {
  const nodes = JSON.parse(readFileSync(join(root, 'examples', EXAMPLE), 'utf8')) as Record<string, unknown>[]
  for (const node of nodes) {
    if (node.type === 'countersign-service') node.port = '$' + '{PORT}'
    if (node.type === 'countersign-download') Object.assign(node, { deliver: 'file', folder: '$' + '{SIGNED_FOLDER}' })
  }
  return JSON.stringify(nodes, null, 2)
}

function startNodeRed(): ChildProcess {
  const red = join(dirname(createRequire(import.meta.url).resolve('node-red/package.json')), 'red.js')
  const child = spawn(process.execPath, [red, '--userDir', userDir, '--settings', join(userDir, 'settings.js')], {
    stdio: 'inherit',
    env: {
      ...process.env,
      PORT: String(servicePort),
      NODE_RED_PORT: String(editorPort),
      SIGNED_FOLDER: signedFolder,
    },
  })
  child.on('exit', (code) => process.exit(code ?? 1))
  // Node-RED finishes what is under way by itself, and this process waits for it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return child
}

/** Makes a key for the first sender of the demo, whose keys are not shown. */
function keyToTry(): string {
  const expires = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString()
  const said = execFileSync(
    process.execPath,
    [
      join(root, 'dist/server/main.js'),
      ...[
        'keys',
        'create',
        '--organization',
        senders[0],
        '--person',
        keyPersons[senders[0]],
        '--description',
        'npm start',
        '--expires',
        expires,
      ],
      ...['--data', join(userDir, 'countersign/service'), '--json'],
    ],
    { encoding: 'utf8' },
  )
  return (JSON.parse(said) as { key: string }).key
}

/** Waits as long as Node-RED runs: on a slow machine a start takes minutes. When Node-RED ends, this process does too. */
async function answers(url: string, child: ChildProcess): Promise<void> {
  const notice = setTimeout(() => {
    process.stderr.write(
      `${url} has not answered for a minute. Lines above may say why. Still waiting; Ctrl+C stops it.\n`,
    )
  }, NOTICE_AFTER_MS)
  while (child.exitCode === null) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok) break
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  clearTimeout(notice)
}

function mustBeFree(port: number, what: string, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', () =>
      reject(new Error(`Port ${port} for ${what} is in use. Choose another one: ${variable}=${port + 1} npm start`)),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  })
}

main().catch((failure: unknown) => {
  process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`)
  process.exit(1)
})
