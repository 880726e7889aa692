/**
 * `npm run test:long`: both compose files are started for real, as root of this machine. dockerd, docker with its compose plugin (2.24
 * or later, as Debian 13 has it), mmdebstrap and openssl must be installed. The ports on the machine itself are not opened: the test
 * calls the addresses of the containers.
 */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect } from 'chai'
import { aFolder } from '../support/a-folder.ts'
import { ensureBuilt } from '../support/built.ts'
import { run } from '../support/container/debian.ts'
import { type Docker, makeImages, startDocker } from '../support/container/docker.ts'
import { packedContext } from '../support/container/image.ts'
import { eventually } from '../support/eventually.ts'
import { exampleFlow, idIn } from '../support/node-red/examples/examples.ts'
import { aClient } from '../support/service/a-client.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'

const EXAMPLE = 'Send a document and wait for the signature'
const NPI = '9999900019'

describe('The compose files', () => {
  const folder = aFolder()
  let started: Docker
  let context: string

  before(async () => {
    ensureBuilt()
    started = await startDocker(folder)
    await makeImages(folder, started.docker)
    context = packedContext(folder, ['compose.yaml', 'compose.production.yaml', 'docs/deployment/nginx.compose.conf'])
  })
  after(() => started?.stop())

  /** Returns a function that runs a command of compose on a file, one of whose services opens no port of this machine. */
  function composed(file: string, service: string, env: NodeJS.ProcessEnv = {}) {
    const changes = join(folder, `without-ports-of-${service}.yaml`)
    writeFileSync(changes, `services:\n  ${service}:\n    ports: !reset []\n`)
    return (...args: string[]) =>
      started.docker(['compose', '--file', join(context, file), '--file', changes, ...args], {
        cwd: context,
        env,
        showsKeys: args.includes('keys'),
      })
  }

  async function addressOf(container: string): Promise<string> {
    const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}'
    const [address = ''] = (await started.docker(['inspect', '--format', format, container])).split(' ')
    return address
  }

  it('to try it: an example runs to its record, and again after both were killed', async () => {
    const compose = composed('compose.yaml', 'sandbox')
    await compose('up', '--build', '--detach', '--wait')
    const log = await started.docker(['logs', 'countersign-try-sandbox-1'], { showsKeys: true })
    const [line = ''] = log.split('\n')
    const { apiKeys, inboxUrl } = JSON.parse(line) as { apiKeys: { key: string }[]; inboxUrl: string }
    expect(inboxUrl, 'as a browser on this machine reaches it').to.equal('http://localhost:8090/inbox')
    const { key: apiKey = '' } = apiKeys[0] ?? {}
    const address = await addressOf('countersign-try-sandbox-1')
    const client = aClient({ baseUrl: `http://${address}:8090`, apiKey })
    const editor = `http://${address}:1880`

    // What the guide says: the example as it is imported, with the address and a key of the sandbox in its service node.
    const sandbox = { mode: 'host', baseUrl: 'http://127.0.0.1:8090', credentials: { apiKey } }
    const flow = exampleFlow(EXAMPLE).map((node) =>
      node.type === 'countersign-service' ? { ...node, ...sandbox } : node,
    )
    const headers = { 'content-type': 'application/json' }
    const deployed = await fetch(`${editor}/flows`, { method: 'POST', headers, body: JSON.stringify(flow) })
    expect(deployed.status).to.equal(204)
    const recorded = async (count: number) => {
      const press = () => fetch(`${editor}/inject/${idIn(EXAMPLE, 'Send the order')}`, { method: 'POST' })
      await eventually(async () => expect((await press()).status).to.equal(200))
      await eventually(async () => {
        const tasks = await client.listTasks({ query: { status: 'Completed' } })
        expect(tasks.filter(({ output }) => output?.externalSavedDocumentId)).to.have.length(count)
      }, 120_000)
    }
    await recorded(1)
    await compose('kill')
    await compose('up', '--detach', '--wait')
    await recorded(2)
    const inside = (...command: string[]) => compose('exec', '-T', 'node-red', ...command)
    expect(await inside('sh', '-c', 'id -u; touch /x 2>&1 || true; grep CapEff /proc/self/status')).to.match(
      /^10001\n.*Read-only file system\nCapEff:\s+0{16}\n/,
    )
    await compose('down', '--volumes')
  })

  it('in production: two instances on PostgreSQL behind nginx with TLS, one of which may end', async () => {
    makeSecrets()
    const compose = composed('compose.production.yaml', 'nginx', { COUNTERSIGN_PUBLIC_URL: 'https://sign.example.org' })
    await compose('up', '--build', '--detach', '--wait')
    const command = (...args: string[]) => compose('exec', '-T', 'one', 'countersign', ...args)
    await command('organizations', 'create', '--name', 'Willow Creek', '--ingestion')
    const address = ['--line', '7 Mill Lane', '--city', 'Madison', '--state', 'WI', '--postal-code', '53703']
    await command('organizations', 'create', '--name', 'Harbor', '--npi', '9999901033', ...address)
    const names = ['--first-name', 'Helen', '--last-name', 'Marsh', '--signing-name', 'Helen Marsh MD']
    await command('providers', 'create', '--npi', NPI, ...names, '--organization', 'Harbor')
    const type = JSON.parse(
      await command('document-types', 'create', '--name', 'Order', '--category', 'Orders', '--json'),
    ) as { id: number }
    const made = await command('keys', 'create', '--organization', 'Willow Creek', '--person', 'Ann Vale', '--json')
    const { key } = JSON.parse(made) as { key: string }

    const host = await addressOf('countersign-nginx-1')
    const call = <T>(method: string, path: string, body?: unknown) => overTls<T>({ host, key, method, path, body })
    const tasks = '/api/v1/signature/tasks'
    const create = async () => {
      const body = aCreateBody({ performer: { signer: { userNPI: NPI } }, document: { documentTypeId: type.id } })
      const created = await call<{ taskId: number }>('POST', tasks, body)
      expect(created.status, JSON.stringify(created.body)).to.equal(201)
      return created.body.taskId
    }
    const pending = (id: number) =>
      eventually(async () => {
        const { status, body } = await call<{ status: string }>('GET', `${tasks}/${id}`)
        expect({ status, of: body.status }).to.deep.equal({ status: 200, of: 'Pending' })
      }, 60_000)
    const first = await create()
    await pending(first)

    await compose('kill', 'one')
    await pending(first)
    await pending(await create())
    await compose('up', '--detach', '--wait')
    await compose('kill', 'two')
    await pending(first)
    await compose('down', '--volumes')
  })

  /** Puts the secrets where the guide says, by its own commands; the certificate is signed by itself. */
  function makeSecrets(): void {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/containers.md'), 'utf8')
    const [, block = ''] = /```sh\n(mkdir -m 0700 secrets\n[\s\S]*?)```/.exec(guide) ?? []
    const [commands = ''] = block.split('COUNTERSIGN_PUBLIC_URL=')
    const certificate = ['-subj', '/CN=sign.example.org', '-addext', 'subjectAltName=DNS:sign.example.org']
    const files = ['-keyout', 'privkey.pem', '-out', 'fullchain.pem']
    run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...certificate, ...files], context)
    run('sh', ['-ec', commands], context)
  }

  interface Call {
    host: string
    key: string
    method: string
    path: string
    body: unknown
  }

  /** Calls nginx by its address; its certificate must be that of the public name. */
  async function overTls<T>({ host, key, method, path, body }: Call): Promise<{ status: number; body: T }> {
    const ca = readFileSync(join(context, 'secrets/certificate.pem'))
    const headers = { 'x-api-key': key, host: 'sign.example.org', 'content-type': 'application/json' }
    const sent = request({ host, path, method, ca, headers, servername: 'sign.example.org' })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    const [answer] = await once(sent, 'response')
    return { status: answer.statusCode, body: (await json(answer)) as T }
  }
})
