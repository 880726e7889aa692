/**
 * Runs the commands of the README and of the guides to the service literally, in a fresh clone: `npm install`, then each block of
 * commands with bash. What serves is started, asked and stopped. `npm run check:readme`; the ports 1880, 8090 and 8091 must be free. Exits with 1
 * when a command fails or a block was not run, and leaves nothing behind.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const LIMIT_MS = 600_000
const SERVICE = 'http://127.0.0.1:8090'
const RECORDER = 'http://127.0.0.1:8091'
/** A host that is only an example. */
const EXAMPLE_HOST = 'https://sign.example.org'
const SERVE = 'npx -p @countersign/node-red-document-signature countersign serve'
const PAGES = ['README.md', 'docs/guides/service.md', 'docs/guides/sandbox.md', 'docs/guides/record-and-replay.md']
/** The whole suite, which a clone runs by itself. */
const NOT_RUN = /^npm install && npm test/
/** Blocks that need a server of another kind; test/journeys and test/server start one. */
const NEEDS_A_SERVER = /--documents s3:|--smtp-url|--timestamp-url/

const begun = performance.now()
const say = (text: string) =>
  process.stdout.write(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}\n`)

/** Returns the commands of each block of a page, continued lines joined. */
const blocksOf = (page: string): string[][] =>
  [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) =>
    text!
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line.trim() !== '' && !NOT_RUN.test(line)),
  )

async function main(work: string): Promise<void> {
  const clone = join(work, 'clone')
  execFileSync('git', ['clone', '--quiet', root, clone], { stdio: ['ignore', 'ignore', 'inherit'] })
  const blocks = PAGES.flatMap((page) => blocksOf(readFileSync(join(clone, page), 'utf8'))).filter(
    (commands) => !commands.some((command) => NEEDS_A_SERVER.test(command)),
  )
  const take = (holds: string): string[] => {
    const at = blocks.findIndex((commands) => commands.some((command) => command.includes(holds)))
    if (at < 0) throw new Error(`No block of the pages has the command ${holds}.`)
    return blocks.splice(at, 1)[0]!
  }
  const bash = bashIn(clone)

  await bash.run(['npm install'])
  const faults = take('/sandbox/v1/faults')
  await bash.serving(take(SERVE), '"baseUrl"', {
    beside: async (said) => {
      const [{ key } = { key: '' }] = (JSON.parse(said) as { apiKeys: { key: string }[] }).apiKeys
      await bash.run(faults, { KEY: key })
    },
  })
  await bash.serving(take('countersign serve --sandbox'), '"baseUrl"')
  await bash.serving(take('npm start'), 'Countersign is running')
  await bash.run(['npm run demo'])
  copyFileSync(join(clone, 'out/signed.pdf'), join(clone, 'signed.pdf'))

  const env = { COUNTERSIGN_MASTER_KEY: randomBytes(32).toString('base64') }
  await bash.run(take('organizations create'), env)
  const operatorKeys = take('operator-keys create')
  await bash.serving(take('--oidc-issuer'), '"baseUrl"', { env })
  const [record, replay] = take('countersign record')
  await bash.serving(['countersign serve'], '"baseUrl"', {
    env,
    beside: async () => {
      const said = await bash.run(['countersign operator-keys create --json'], env)
      await bash.run(operatorKeys, { ...env, OPERATOR_KEY: (JSON.parse(said) as { key: string }).key })
      await bash.serving([record!.replace(EXAMPLE_HOST, SERVICE)], '"baseUrl"', { at: RECORDER })
    },
  })
  await bash.serving([replay!], '"baseUrl"', { at: RECORDER })
  await bash.run(take('set-active-content'), env)
  // Another service has sealed the document, so that it cannot be determined.
  await bash.run(take('countersign verify'), env, 2)
  await bash.run(take('countersign backup'), env)
  if (blocks.length > 0) throw new Error(`The pages have commands that are not tried:\n${blocks.flat().join('\n')}`)
}

interface Serving {
  beside?: (said: string) => Promise<void>
  env?: NodeJS.ProcessEnv
  /** The base URL that is asked for its health. */
  at?: string
}

function bashIn(cwd: string) {
  const started = (commands: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
    spawn('bash', ['-e', '-c', commands.join('\n')], {
      cwd,
      env: { ...process.env, PATH: `${join(cwd, 'node_modules/.bin')}${delimiter}${process.env.PATH}`, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
      // Its own group, so that all that it has started is stopped with it.
      detached: true,
      timeout: LIMIT_MS,
    })

  /** Resolves with what the commands print. Rejects when they end with another code. */
  async function run(commands: readonly string[], env: NodeJS.ProcessEnv = {}, expected = 0): Promise<string> {
    const child = started(commands, env)
    let said = ''
    for await (const chunk of child.stdout!) said += chunk
    const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once('exit', resolve)))
    if (code !== expected) throw new Error(`This ended with ${code}:\n${commands.join('\n')}\n${said}`)
    for (const command of commands) say(`ran     ${command}`)
    return said
  }

  /** Starts what serves, asks it once it has said that it is ready, does the rest alongside it, and stops it. */
  async function serving(
    commands: readonly string[],
    ready: string,
    { beside = async () => {}, env = {}, at = SERVICE }: Serving = {},
  ): Promise<void> {
    const child = started(commands, env)
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    try {
      let said = ''
      child.stdout!.setEncoding('utf8')
      await Promise.race([
        new Promise<void>((resolve) => {
          child.stdout!.on('data', (text: string) => {
            said += text
            if (said.includes(ready)) resolve()
          })
        }),
        ended.then(() => Promise.reject(new Error(`This ended by itself:\n${commands.join('\n')}\n${said}`))),
      ])
      const { status } = await fetch(`${at}/health-check`)
      if (status !== 200) throw new Error(`${at} answered ${status} to:\n${commands.join('\n')}`)
      await beside(said)
      for (const command of commands) say(`served  ${command}`)
    } finally {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM')
      await ended
    }
  }
  return { run, serving }
}

const work = mkdtempSync(join(tmpdir(), 'countersign-readme-'))
try {
  await main(work)
} catch (failure) {
  process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`)
  process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}
