/** A real nginx with the configuration of docs/deployment, its ports, files and name filled in. Its package must be installed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../built.ts'
import { overhear } from '../overheard.ts'
import { freePort } from './free-port.ts'
import { answersAt } from './listening.ts'
import { tlsIdentity } from './tls-identity.ts'

export interface Nginx {
  baseUrl: string
  /** Where it redirects from. */
  plainUrl: string
  /** PEM of the authority that vouches for it. */
  authority: string
  /** All that it has written to its logs. */
  log(): string
  /** Where it wrote bodies and answers to disk. It removes the files afterwards; their folders stay. */
  buffered(): string[]
  stop(): Promise<void>
}

/** The text of the configuration, which every reader of the guide copies. */
export const nginxConfiguration = () => readFileSync(join(root, 'docs/deployment/nginx.conf'), 'utf8')

/** @param upstreams the ports of two instances */
export async function nginxBefore(upstreams: readonly number[]): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-nginx-'))
  // Its workers run as a user of their own.
  chmodSync(folder, 0o755)
  const [plainPort, tlsPort] = [await freePort(), await freePort()]
  const { authority, server } = await tlsIdentity()
  const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
  writeFileSync(certificate, server.cert)
  writeFileSync(key, server.key, { mode: 0o600 })
  const site = filledIn(nginxConfiguration(), {
    'listen 80;': `listen 127.0.0.1:${plainPort};`,
    'listen 443 ': `listen 127.0.0.1:${tlsPort} `,
    'sign.example.org;': '127.0.0.1;',
    '127.0.0.1:8091': `127.0.0.1:${upstreams[0]}`,
    '127.0.0.1:8092': `127.0.0.1:${upstreams[1] ?? upstreams[0]}`,
    '/etc/ssl/countersign/fullchain.pem': certificate,
    '/etc/ssl/countersign/privkey.pem': key,
    '/var/log/nginx/': `${folder}/`,
  })
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, around(site, folder))
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'start.log')], { stdio: 'ignore' })
  const end = () => void child.kill('SIGTERM')
  process.once('exit', end)
  const gone = once(child, 'exit')
  const log = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('')
  await Promise.race([answersAt(tlsPort), gone.then(() => Promise.reject(new Error(`nginx ended: ${log()}`)))])
  return {
    baseUrl: `https://127.0.0.1:${tlsPort}`,
    plainUrl: `http://127.0.0.1:${plainPort}`,
    authority,
    log,
    buffered: () => TEMPORARY.flatMap((name) => readdirSync(join(folder, name)).map((below) => `${name}/${below}`)),
    async stop() {
      process.removeListener('exit', end)
      child.kill('SIGTERM')
      await gone
      overhear(log())
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const TEMPORARY = ['client', 'proxy']

/** What Debian's nginx.conf has around the files of conf.d, as far as a site needs it. */
function around(site: string, folder: string): string {
  for (const name of TEMPORARY) mkdirSync(join(folder, name))
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 512; }
http {
client_body_temp_path ${folder}/client 1 2;
proxy_temp_path ${folder}/proxy 1 2;
fastcgi_temp_path ${folder}/fastcgi;
uwsgi_temp_path ${folder}/uwsgi;
scgi_temp_path ${folder}/scgi;
${site}
}
`
}

/** Each text must be there: a value that is not replaced would be tried on this machine as it stands. */
function filledIn(configuration: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [name, value]) => {
    if (!text.includes(name)) throw new Error(`docs/deployment/nginx.conf has no ${name}`)
    return text.replaceAll(name, value)
  }, configuration)
}
