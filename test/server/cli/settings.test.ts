/** Every setting comes from a flag, a variable or a file; what is wrong is said at once, and no secret is repeated. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { fileVariableOf, flagOf, SETTING_NAMES, variableOf } from '../../../server/cli/settings/names.ts'
import { SETTINGS } from '../../../server/config.ts'
import { aFolder } from '../../support/a-folder.ts'
import { called } from '../../support/commands/called.ts'
import { serve } from '../../support/service/served.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const CANARY = 'canary-7f3a'

interface Row {
  name: string
  value: unknown
  source: string
  from: string | null
}

/** Returns what `config` shows of one setting. */
async function effective(name: string, args: readonly string[], env: Record<string, string> = {}): Promise<Row> {
  const { code, stdout, stderr } = await called(['config', '--json', ...args], env)
  expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
  const rows = (JSON.parse(stdout) as { settings: Row[] }).settings
  return rows.find((row) => row.name === name)!
}

function aFile(content: string): string {
  const file = join(aFolder(), 'value')
  writeFileSync(file, content)
  return file
}

const refused = async (args: readonly string[], env: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await called(['serve', ...args], env)
  expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' })
  expect(stderr).not.to.include(CANARY)
  return stderr.replace(/^countersign: |\n$/g, '').split('; ')
}

describe('A setting', function () {
  this.timeout(20_000)

  it('comes from its flag before its variable, its file, and its default', async () => {
    const file = aFile('8094\n')
    expect(await effective('port', [])).to.include({ value: 8090, source: 'default', from: null })
    expect(await effective('port', [], { COUNTERSIGN_PORT: '' })).to.include({ value: 8090, source: 'default' })
    expect(await effective('port', [], { COUNTERSIGN_PORT_FILE: file })).to.include({
      value: 8094,
      source: 'file',
      from: 'COUNTERSIGN_PORT_FILE',
    })
    expect(await effective('port', [], { COUNTERSIGN_PORT: '8091' })).to.include({
      value: 8091,
      source: 'variable',
      from: 'COUNTERSIGN_PORT',
    })
    expect(await effective('port', ['--port', '8092'], { COUNTERSIGN_PORT: '8091' })).to.include({
      value: 8092,
      source: 'flag',
      from: '--port',
    })
  })

  it('of every kind is read from a variable', async () => {
    const lists = { COUNTERSIGN_TRUST_PROXY: '10.0.0.1, 10.1.0.0/16' }
    expect((await effective('trustProxy', [], lists)).value).to.deep.equal(['10.0.0.1', '10.1.0.0/16'])
    const flags = ['--trust-proxy', '10.0.0.1', '--trust-proxy', '10.0.0.2,10.0.0.3']
    expect((await effective('trustProxy', flags)).value).to.deep.equal(['10.0.0.1', '10.0.0.2', '10.0.0.3'])
    for (const [text, value] of [
      ['true', true],
      ['false', false],
    ] as const)
      expect((await effective('sandbox', [], { COUNTERSIGN_SANDBOX: text })).value).to.equal(value)
    const profile = aFile('{ "headerPrefix": "X-Acme" }')
    expect((await effective('profile', [], { COUNTERSIGN_PROFILE: profile })).value).to.equal(profile)
    expect((await effective('profile', [], { COUNTERSIGN_PROFILE_FILE: profile })).value).to.equal(profile)
    expect((await effective('logLevel', [], { COUNTERSIGN_LOG_LEVEL: 'warn' })).value).to.equal('warn')
  })

  it('that is secret is withheld, wherever it comes from', async () => {
    const secrets = SETTING_NAMES.filter((name) => flagOf(name).endsWith('-file'))
    expect(secrets.length).to.be.greaterThan(6)
    const whole = {
      COUNTERSIGN_SMTP_URL: 'smtp://clinic@mail.example',
      COUNTERSIGN_SMTP_FROM: 'a@b.example',
      COUNTERSIGN_PUBLIC_URL: 'https://sign.example.org',
      COUNTERSIGN_OIDC_ISSUER: 'https://login.example.org',
      COUNTERSIGN_OIDC_CLIENT_ID: 'countersign',
      COUNTERSIGN_TIMESTAMP_URL: 'https://clinic@time.example.org',
      COUNTERSIGN_PROXY: 'http://clinic@proxy.example.org:3128',
      COUNTERSIGN_DOCUMENTS: 's3://papers',
      COUNTERSIGN_DOCUMENTS_ENDPOINT: 'https://s3.example.org',
      COUNTERSIGN_DOCUMENTS_KEY_ID: 'key',
    }
    const secretOf = (name: string) =>
      name.endsWith('asterKey') || name === 'oldMasterKeys'
        ? Buffer.alloc(32, CANARY).toString('base64')
        : name === 'timestampHeader'
          ? `X-Key: ${CANARY}`
          : CANARY
    const byVariable = Object.fromEntries(secrets.map((name) => [variableOf(name), secretOf(name)]))
    const byFile = Object.fromEntries(secrets.map((name) => [fileVariableOf(name), aFile(`${secretOf(name)}\r\n`)]))
    const byFlag = secrets.flatMap((name) => [flagOf(name), aFile(secretOf(name))])
    for (const [args, env] of [
      [[], byVariable],
      [[], byFile],
      [byFlag, {}],
    ] as const) {
      const shown = await called(['config', '--json', ...args], { ...whole, ...env })
      expect(shown.stderr).to.equal('')
      const rows = (JSON.parse(shown.stdout) as { settings: Row[] }).settings
      for (const name of secrets) expect(rows.find((row) => row.name === name)?.value, name).to.equal('(withheld)')
      const people = await called(['config', ...args], { ...whole, ...env })
      for (const text of [shown.stdout, people.stdout]) {
        expect(text).not.to.include(CANARY)
        expect(text).not.to.include(secretOf('masterKey'))
      }
    }
  })

  for (const [data, shown] of [
    [`postgres://ann:${CANARY}@db.example/countersign`, 'postgres://ann:(withheld)@db.example/countersign'],
    [`postgres://ann:x@${CANARY}@db.example/c?password=${CANARY}`, 'postgres://ann:(withheld)@db.example/c?(withheld)'],
    [`postgresql:///c?host=/run&user=a&password=${CANARY}`, 'postgresql:///c?(withheld)'],
    ['postgres://ann@db.example/c', 'postgres://ann@db.example/c'],
    ['/var/lib/countersign', '/var/lib/countersign'],
  ] as const)
    it(`shows ${shown}`, async () => {
      expect((await effective('data', [], { COUNTERSIGN_DATA: data })).value).to.equal(shown)
    })

  it('is named as it was given when it is wrong, all of them at once', async () => {
    const missing = join(aFolder(), 'none')
    mkdirSync(missing)
    expect(
      await refused(['--port', 'http', '--smtp-password-file', missing, '--log-level', 'loud'], {
        COUNTERSIGN_HOST: '127.0.0.1',
        COUNTERSIGN_BODY_MEMORY: CANARY,
        COUNTERSIGN_SANDBOX: CANARY,
        COUNTERSIGN_OIDC_ISSUER_FILE: aFile(`http://${CANARY}.example`),
        COUNTERSIGN_MASTER_KEY: CANARY,
        COUNTERSIGN_DOCUMENTS_SECRET: CANARY,
        COUNTERSIGN_DOCUMENTS_SECRET_FILE: missing,
        COUNTERSIGN_DOCUMENTS: 's3://papers',
        COUNTERSIGN_SMTP_URL: 'smtp://clinic@mail.example',
      }),
    ).to.deep.equal([
      'COUNTERSIGN_DOCUMENTS_SECRET and COUNTERSIGN_DOCUMENTS_SECRET_FILE: give one of them',
      '--smtp-password-file: the file cannot be read (EISDIR)',
      '--port: a whole number from 0 to 65535',
      'COUNTERSIGN_BODY_MEMORY: a whole number from 1 to 65536',
      'COUNTERSIGN_SANDBOX: true or false',
      'COUNTERSIGN_MASTER_KEY: must hold 32 bytes, as 64 hexadecimal digits or as Base64',
      'COUNTERSIGN_OIDC_ISSUER_FILE: an https:// URL',
      'http:// on this machine alone',
      '--oidc-client-id: needed with COUNTERSIGN_OIDC_ISSUER_FILE',
      '--oidc-client-secret-file: needed with COUNTERSIGN_OIDC_ISSUER_FILE',
      '--public-url: needed with COUNTERSIGN_OIDC_ISSUER_FILE, and needed with COUNTERSIGN_SMTP_URL',
      '--smtp-from: needed with COUNTERSIGN_SMTP_URL',
      '--documents-endpoint: needed with COUNTERSIGN_DOCUMENTS',
      '--documents-key-id: needed with COUNTERSIGN_DOCUMENTS',
      '--log-level: one of error, warn, info, silent',
    ])
  })

  it('that is missing is named as a variable where only variables were given', async () => {
    const env = { COUNTERSIGN_SMTP_URL: 'smtp://mail.example', COUNTERSIGN_SMTP_FROM: 'a@b.example' }
    expect(await refused([], { ...env, COUNTERSIGN_MASTER_KEY: KEY })).to.deep.equal([
      'COUNTERSIGN_PUBLIC_URL: needed with COUNTERSIGN_SMTP_URL',
    ])
  })

  it('that is missing is asked for together with a master key', async () => {
    const [port, key] = await refused(['--port', 'http', '--data', join(aFolder(), 'none')])
    expect(port).to.equal('--port: a whole number from 0 to 65535')
    expect(key).to.match(/^Set COUNTERSIGN_MASTER_KEY to 32 random bytes/)
  })

  it('that does not exist is refused with the nearest name, by every command that reads settings', async () => {
    const env = { COUNTERSIGN_MASTERKEY: CANARY, COUNTERSIGN_DATE_FILE: '/none' }
    const sentences = [
      'COUNTERSIGN_MASTERKEY: there is no such setting',
      'did you mean COUNTERSIGN_MASTER_KEY?',
      'COUNTERSIGN_DATE_FILE: there is no such setting',
      'did you mean COUNTERSIGN_DATA_FILE?',
    ]
    expect(await refused(['--sandbox'], env)).to.deep.equal(sentences)
    for (const call of [['config'], ['organizations', 'list'], ['restore', 'x', '--data', 'y']])
      expect((await called(call, env)).stderr, call.join(' ')).to.include(sentences.join('; '))
  })

  it('is not looked for among the variables that Kubernetes sets for a service named countersign', async () => {
    const env = { COUNTERSIGN_SERVICE_HOST: '10.0.0.1', COUNTERSIGN_PORT_8090_TCP: 'tcp://10.0.0.1:8090' }
    expect((await refused(['--sandbox'], env)).join('; ')).to.include('set enableServiceLinks: false for the pod')
  })

  it('is read from a variable by the commands on a store', async () => {
    const data = aFolder()
    const env = { COUNTERSIGN_DATA: data, COUNTERSIGN_MASTER_KEY_FILE: aFile(`${KEY}\n`) }
    const made = await called(['organizations', 'create', '--name', 'Willow Creek'], env)
    expect(made).to.include({ code: 0, stderr: '' })
    const byFlag = ['organizations', 'list', '--data', data, '--master-key-file', aFile(KEY)]
    expect((await called(byFlag)).stdout).to.include('Willow Creek')
    const elsewhere = await called(['organizations', 'list'], { ...env, COUNTERSIGN_DATA: join(data, 'none') })
    expect(elsewhere.stderr).to.match(/^countersign: COUNTERSIGN_DATA: there is no store in /)
  })

  it('of the public address is where a start says that the inbox is', async () => {
    const service = await serve(['--sandbox', '--data', ':memory:', '--public-url', 'https://sign.example.org/'])
    expect(JSON.parse(service.lines()[0]!)).to.include({ inboxUrl: 'https://sign.example.org/inbox' })
    expect(await service.stop()).to.equal(0)
  })

  it('is in the help of the service, with its default', async () => {
    const { stdout } = await called(['serve', '--help'])
    for (const name of SETTING_NAMES) expect(stdout).to.match(new RegExp(`^  ${flagOf(name)}\\b`, 'm'))
    expect(stdout.replace(/\s+/g, ' ')).to.include('port to listen on; 0 takes a free port (default: 8090)')
  })

  it('has one name: its flag and its variable follow from it, and no two collide', () => {
    const variables = SETTING_NAMES.flatMap((name) => [variableOf(name), fileVariableOf(name)])
    expect(new Set(variables).size).to.equal(variables.length)
    for (const [name, { summary }] of Object.entries(SETTINGS)) expect(summary, name).to.match(/^\w/)
  })
})
