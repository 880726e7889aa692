/**
 * Checks the package on the Node.js versions that it promises: installs the packed tarball, and runs its journey on exactly the
 * lowest versions of `engines` and the newest 22, 24 and 26, which npm's package `node` provides. On versions below, the
 * command, the library and the service must say in one sentence what they need, and so must the nodes in the log of a Node-RED
 * that starts its flows. Part of `npm run check:package`.
 * Exits with 1 when something fails, and leaves nothing behind.
 */
import { type ExecFileSyncOptions, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LOWEST_NODE, LOWEST_NODE_AFTER_22 } from '../lib/floor.ts'
import { printedByNodeRed } from './package/printed-by-node-red.ts'

const root = join(import.meta.dirname, '..')
/** Only what hangs takes so long, on any machine. */
const LIMIT_MS = 3_600_000
/** Versions that are too old, each with the version that is needed instead. */
const BELOW: readonly [version: string, needed: string][] = [
  ['20.19.0', LOWEST_NODE],
  ['22.12.0', LOWEST_NODE],
  ['23.11.1', LOWEST_NODE_AFTER_22],
]
/** Exactly these, and the newest of those that are named by their first number. */
const ADMITTED = [LOWEST_NODE, '22', LOWEST_NODE_AFTER_22, '24', '26']
const { name, 'node-red': red }: { name: string; 'node-red': { nodes: Record<string, string> } } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

const begun = performance.now()
const say = (text: string) =>
  process.stdout.write(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}\n`)

const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    stdio: ['ignore', 'pipe', 'inherit'],
  } satisfies ExecFileSyncOptions) as string

async function main(work: string): Promise<void> {
  const [packed] = JSON.parse(npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', work)) as [
    { filename: string },
  ]
  const consumer = folder(work, 'consumer', {})
  npm(consumer, 'install', '--omit=dev', join(work, packed.filename))
  cpSync(join(import.meta.dirname, 'floor-journey.mjs'), join(consumer, 'journey.mjs'))
  say('installed the tarball')

  for (const version of ADMITTED) {
    const node = nodeOf(work, version)
    const { status, stdout, stderr } = run(node, ['journey.mjs'], consumer)
    const is = run(node, ['--version'], consumer).stdout.trim()
    if (status !== 0) throw new Error(`The journey failed on Node.js ${is}: ${stderr || stdout}`)
    if (version.includes('.') && is !== `v${version}`) throw new Error(`npm gave ${is} for ${version}.`)
    await checkLog(node, consumer)
    say(`the journey ends well on Node.js ${is}, and the log of a service is JSON`)
  }

  for (const [version, needed] of BELOW) {
    checkDoors(nodeOf(work, version), { version, needed }, consumer)
    say(`on Node.js ${version}, every door says what it needs, and Node-RED starts its flows`)
  }
}

function checkDoors(node: string, { version, needed }: { version: string; needed: string }, consumer: string): void {
  const sentence = `Countersign needs Node.js ${needed} or later, and this is ${version}.`
  for (const [what, args] of [
    ['the command', [commandIn(consumer), 'serve']],
    ['the library', ['--input-type=module', '--eval', importing(name)]],
    ['the service', ['--input-type=module', '--eval', importing(`${name}/server`)]],
  ] as [string, string[]][]) {
    const { status, stderr } = run(node, args, consumer)
    if (status !== 1 || stderr !== `${sentence}\n`) throw new Error(`On Node.js ${version}, ${what} says: ${stderr}`)
  }
  const printed = printedByNodeRed(node, consumer, Object.keys(red.nodes))
  if (printed.split(sentence).length !== 2 || !printed.includes('Started flows'))
    throw new Error(`On Node.js ${version}, Node-RED prints: ${printed}`)
}

/** Starts a service and stops it. Throws when a line of its log is text. */
async function checkLog(node: string, consumer: string): Promise<void> {
  const args = [commandIn(consumer), 'serve', '--sandbox', '--port', '0', '--data', join(consumer, 'data')]
  const service = spawn(node, args, { cwd: consumer, timeout: LIMIT_MS })
  let log = ''
  service.stderr.on('data', (chunk: Buffer) => {
    log += chunk
  })
  const ended = once(service, 'close')
  await Promise.race([once(service.stdout, 'data'), ended])
  service.kill()
  await ended
  const texts = log.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  if (texts.length > 0) throw new Error(`The log has lines that are not JSON: ${texts.join('\n')}`)
  if (!log.includes('stopped')) throw new Error(`The service did not start and stop: ${log}`)
}

const commandIn = (consumer: string) => join(consumer, 'node_modules', name, 'bin/countersign.cjs')

/** A program that prints the message of what the import throws. */
const importing = (specifier: string) =>
  `await import(${JSON.stringify(specifier)}).catch(({ message }) => { console.error(message); process.exit(1) })`

function run(node: string, args: readonly string[], cwd: string) {
  return spawnSync(node, args, { cwd, encoding: 'utf8', timeout: LIMIT_MS })
}

/** The program of a version; `22` is the newest of them. */
function nodeOf(work: string, version: string): string {
  const at = folder(work, `node-${version}`, { allowScripts: { node: true } })
  npm(at, 'install', `node@${version}`)
  return join(at, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

function folder(work: string, called: string, manifest: object): string {
  const made = join(work, called)
  mkdirSync(made)
  writeFileSync(join(made, 'package.json'), JSON.stringify({ name: called, private: true, ...manifest }))
  return made
}

const work = mkdtempSync(join(tmpdir(), 'countersign-floor-'))
try {
  await main(work)
  say('the floor holds')
} catch (failure) {
  say(failure instanceof Error ? failure.message : String(failure))
  process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}
