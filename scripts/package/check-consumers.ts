/**
 * Checks the installed package as those who write TypeScript get it: ES modules and CommonJS, by three versions of the compiler and
 * three ways of resolving, each program compiled strictly and one of each kind run; what publint and attw say of the package; and
 * how large `verifyWebhook` alone becomes in a bundle. Part of `npm run check:package`.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundle, VERIFY_WEBHOOK_KB } from './bundle.ts'

const root = join(import.meta.dirname, '../..')
const PACKAGE = '@countersign/node-red-document-signature'

const COMPILERS = ['typescript', 'typescript-5.9', 'typescript-5.4']
/** How modules are resolved, with the kinds of programs that this way knows. */
const RESOLUTIONS = [
  { module: 'node16', moduleResolution: 'node16', files: ['consumer.mts', 'consumer.cts'] },
  { module: 'nodenext', moduleResolution: 'nodenext', files: ['consumer.mts', 'consumer.cts'] },
  { module: 'esnext', moduleResolution: 'bundler', files: ['consumer.mts'] },
]

const PROGRAM = `
import { createClient, type CreateTask, signWebhook, type Task } from '${PACKAGE}'
import { createService, type Service } from '${PACKAGE}/server'
import { signedWebhook, type TestSandbox } from '${PACKAGE}/testing'
const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'x' })
export const read = (): Promise<Task> => client.readTask({ params: { id: 1 } })
export const create = (body: CreateTask) => client.createTask({ body })
export const start = (): Promise<Service> => createService({ port: 0, data: ':memory:', sandbox: true })
export type Sandbox = TestSandbox
const { body, headers } = signedWebhook({ taskId: 1, status: 'Completed' })
if (typeof signWebhook !== 'function' || !body || Object.keys(headers).length !== 8) throw new Error('The package is not whole.')
`

/**
 * @param folder where the package is installed
 * @param tarball what was packed
 * @param say tells of each step
 */
export async function checkConsumers(folder: string, tarball: string, say: (text: string) => void): Promise<void> {
  for (const file of ['consumer.mts', 'consumer.cts']) writeFileSync(join(folder, file), PROGRAM)
  const run = (program: string, ...args: string[]) => node(folder, join(root, 'node_modules', program), ...args)

  for (const compiler of COMPILERS) {
    for (const { files, ...options } of RESOLUTIONS) {
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: optionsOf(options), files }))
      run(`${compiler}/bin/tsc`, '-p', 'tsconfig.json')
    }
    say(`${compiler} compiles ES modules and CommonJS strictly, resolved in three ways`)
  }

  for (const kind of ['mjs', 'cjs']) node(folder, `out/consumer.${kind}`)
  say('what was compiled runs, as an ES module and as CommonJS')

  const module = join('node_modules', PACKAGE)
  run('publint/src/cli.js', module, '--strict', '--pack', 'false')
  run('@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'node16')
  say('publint and attw find nothing')
  writeFileSync(join(folder, 'verify.js'), `export { verifyWebhook } from '${PACKAGE}'\n`)
  say(`verifyWebhook alone is bundled by Vite into ${sizeOf((await bundle(folder, 'verify.js')).code)}`)
  say(`verifyWebhook alone is bundled by esbuild into ${sizeOf(bundledByEsbuild(folder))}`)
}

const optionsOf = (resolution: { module: string; moduleResolution: string }) => ({
  ...resolution,
  strict: true,
  target: 'es2022',
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  skipLibCheck: false,
  outDir: 'out',
})

function node(cwd: string, ...args: string[]): void {
  try {
    execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: 'pipe', timeout: 3_600_000 })
  } catch (failure) {
    const { stdout, stderr } = failure as { stdout: string; stderr: string }
    throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`)
  }
}

/** The bundler is no dependency of ours, so it is installed alongside the package. */
function bundledByEsbuild(folder: string): string {
  const at = join(folder, '../esbuild')
  const [cli, bundle] = [join(at, 'node_modules/esbuild/bin/esbuild'), join(folder, 'bundle.mjs')]
  const flags = ['--no-audit', '--no-fund', '--prefer-offline']
  execFileSync('npm', ['install', '--prefix', at, ...flags, 'esbuild'], { stdio: 'pipe', timeout: 3_600_000 })
  const how = ['--bundle', '--minify', '--platform=node', '--format=esm', '--log-level=error']
  execFileSync(cli, ['verify.js', ...how, `--outfile=${bundle}`], { cwd: folder, stdio: 'pipe' })
  return readFileSync(bundle, 'utf8')
}

/** Returns the size as text. Throws when it is more than the README says. */
function sizeOf(code: string): string {
  const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
  if (code.length >= VERIFY_WEBHOOK_KB * 1000)
    throw new Error(`verifyWebhook alone is ${kB(code.length)}; the README says less than ${VERIFY_WEBHOOK_KB} kB.`)
  return `${kB(code.length)}, ${kB(gzipSync(code).length)} compressed`
}
