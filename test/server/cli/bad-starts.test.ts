/** A service that cannot start says why and what to do, in one sentence, and ends with a code that is not 0. */

import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import type { StoreKind } from '../../../server/store/keepsakes/store-kind.ts'
import { openStore } from '../../../server/store/store.ts'
import { aFolder } from '../../support/a-folder.ts'
import { called } from '../../support/commands/called.ts'
import { listen, portOf } from '../../support/network/listening.ts'
import { countersign, type Spoken, serve } from '../../support/service/served.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')

const NEEDED =
  '--oidc-client-id: needed with --oidc-issuer; --oidc-client-secret-file: needed with --oidc-issuer; --public-url: needed with --oidc-issuer'

describe('countersign serve, started wrongly', function () {
  this.timeout(40_000)

  async function fails(
    code: number,
    message: string | RegExp,
    args: readonly string[],
    env: Record<string, string> = {},
  ) {
    refuses(await countersign(['serve', '--port', '0', ...args], env), code, message)
  }

  function refuses(ended: Spoken, code: number, message: string | RegExp) {
    expect(ended.stderr).to.match(message instanceof RegExp ? message : /^/)
    if (typeof message === 'string') expect(ended.stderr).to.equal(`countersign: ${message}\n`)
    expect(ended.stderr.split('\n').filter(Boolean), 'one line, no stack trace').to.have.length(1)
    expect(ended.stderr).not.to.match(/\n\s+at /)
    expect({ code: ended.code, stdout: ended.stdout }).to.deep.equal({ code, stdout: '' })
  }

  /** As a service leaves it that was started with the master key. */
  const makeStore = async (data: string, kind: StoreKind) =>
    (await openStore({ data, kind }, Buffer.from(KEY, 'base64'))).close()

  describe('a port that is in use', () => {
    let taken: Server
    let port: number
    before(async () => {
      taken = createServer()
      await listen(taken)
      port = portOf(taken)
    })
    after(() => taken.close())

    for (const option of ['--port', '--metrics-port'])
      it(`as ${option}, which leaves nothing behind`, async () => {
        const sentence = `Port ${port} of 127.0.0.1 is in use. Stop the program that has it, or choose another one with ${option}.`
        const data = join(aFolder(), 'data')
        const places = [data, ':memory:']
        await Promise.all(
          places.map((place) => fails(1, sentence, ['--data', place, '--sandbox', option, String(port)])),
        )
        expect(existsSync(data)).to.equal(false)
      })

    it('which leaves a store as it is that was there', async () => {
      const data = aFolder()
      await (await serve(['--data', data, '--sandbox'])).stop()
      await fails(1, /is in use/, ['--data', data, '--sandbox', '--port', String(port)])
      await (await serve(['--data', data, '--sandbox'])).stop()
    })
  })

  it('a data folder that cannot be written', async () => {
    const file = join(aFolder(), 'a-file')
    writeFileSync(file, '')
    const data = join(file, 'below')
    await fails(1, `The data folder ${data} cannot be written. Give --data a folder that this user may write to.`, [
      '--data',
      data,
      '--sandbox',
    ])
  })

  it('an address that is not of this machine', async () => {
    await fails(1, '203.0.113.1 is not an address of this machine. Choose another one with --host.', [
      '--data',
      ':memory:',
      '--sandbox',
      '--host',
      '203.0.113.1',
    ])
  })

  it('a database that does not answer', async () => {
    await fails(
      1,
      'The PostgreSQL server of --data does not answer (ECONNREFUSED).',
      ['--data', 'postgres://somebody:secret@127.0.0.1:1/none'],
      { COUNTERSIGN_MASTER_KEY: KEY },
    )
  })

  it('production without a master key', async () => {
    await fails(1, /^countersign: Set COUNTERSIGN_MASTER_KEY to 32 random bytes as Base64/, ['--data', aFolder()])
  })

  it('production with demo data and without a master key, which leaves nothing behind', async () => {
    const data = join(aFolder(), 'data')
    await fails(1, /^countersign: Set COUNTERSIGN_MASTER_KEY to 32 random bytes as Base64/, [
      '--seed',
      'demo',
      '--data',
      data,
    ])
    expect(existsSync(data)).to.equal(false)
  })

  it('demo data or a sandbox on production data, which gets no key beside it', async () => {
    const data = aFolder()
    await makeStore(data, 'production')
    const before = readdirSync(data)
    const missing = `What is stored in ${data} was sealed with a master key that does not lie there. Set COUNTERSIGN_MASTER_KEY to it, or give --data another folder.`
    const [listed] = await Promise.all([
      countersign(['organizations', 'list', '--sandbox', '--data', data]),
      fails(1, missing, ['--seed', 'demo', '--data', data]),
      fails(1, missing, ['--sandbox', '--data', data]),
    ])
    expect(listed.code).not.to.equal(0)
    expect(readdirSync(data)).to.deep.equal(before)
    await (await serve(['--data', data], { COUNTERSIGN_MASTER_KEY: KEY })).stop()
  })

  it('a sandbox on a production store, with its master key, and the other way round', async () => {
    const env = { COUNTERSIGN_MASTER_KEY: KEY }
    const [production, sandbox] = [aFolder(), aFolder()]
    await makeStore(production, 'production')
    await makeStore(sandbox, 'sandbox')
    const holdsProduction =
      '--data holds a production store, whose tasks test keys could complete: leave out --sandbox, or give --data another place for the sandbox.'
    const holdsSandbox =
      '--data holds the store of a sandbox: start with --sandbox, or give --data another place for production.'
    const [made] = await Promise.all([
      countersign(['organizations', 'list', '--sandbox', '--data', production], env),
      fails(1, holdsProduction, ['--sandbox', '--data', production], env),
      fails(1, holdsSandbox, ['--data', sandbox], env),
    ])
    expect([made.code, made.stderr]).to.deep.equal([1, `countersign: ${holdsProduction}\n`])
  })

  it('a file for the seal that is not there, which leaves nothing behind', async () => {
    const data = join(aFolder(), 'data')
    await fails(1, 'The P12 file nowhere.p12 cannot be read (ENOENT).', [
      '--sandbox',
      '--seal-p12',
      'nowhere.p12',
      '--data',
      data,
    ])
    expect(existsSync(data)).to.equal(false)
  })

  it('a folder that others may read and that holds other things', async () => {
    const data = aFolder()
    chmodSync(data, 0o755)
    writeFileSync(join(data, 'of somebody'), '')
    await fails(
      1,
      `Other users of this machine may read ${data}, which holds other things too. Give --data a folder below it, or close this one to others with chmod 700.`,
      ['--sandbox', '--data', data],
    )
    expect(readdirSync(data)).to.deep.equal(['of somebody'])
    expect(statSync(data).mode & 0o777).to.equal(0o755)
  })

  it('a master key of the wrong length', async () => {
    await fails(
      2,
      'COUNTERSIGN_MASTER_KEY: must hold 32 bytes, as 64 hexadecimal digits or as Base64',
      ['--data', aFolder()],
      { COUNTERSIGN_MASTER_KEY: 'short' },
    )
  })

  it('another master key than the store was written with', async () => {
    const data = aFolder()
    await makeStore(data, 'production')
    await fails(
      1,
      'The store was written with another master key. Give the service the key it was created with.',
      ['--data', data],
      { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') },
    )
  })

  for (const [what, args, message] of [
    ['an unknown option', ['--bogus'], "Unknown option '--bogus'. --help lists the options."],
    [
      'a wrong seed',
      ['--seed', 'production'],
      '--seed: the file cannot be read (ENOENT); give demo, or the name of a JSON file',
    ],
    ['a port that is none', ['--port', 'http'], '--port: a whole number from 0 to 65535'],
    ['a port beyond all', ['--port', '65536'], '--port: a whole number from 0 to 65535'],
    ['a limit of nothing', ['--rate-limit', '0'], '--rate-limit: a whole number from 1 to 1000000'],
    ['a webhook rate of nothing', ['--webhook-rate', '0'], '--webhook-rate: a whole number from 1 to 1000000'],
    ['a duty of nobody known', ['--second-factor', 'all'], '--second-factor: one of nobody, staff, everybody'],
    ['a proxy by its name', ['--trust-proxy', 'proxy.example'], '--trust-proxy: an address or a CIDR range each'],
    [
      'an issuer over plain http',
      ['--oidc-issuer', 'http://login.example.org'],
      /^countersign: --oidc-issuer: an https/,
    ],
    ['an issuer alone', ['--oidc-issuer', 'https://login.example.org'], NEEDED],
    ['a client without a provider', ['--oidc-client-id', 'countersign'], '--oidc-client-id: needs --oidc-issuer'],
    ['scopes without openid', ['--oidc-scopes', 'email'], /^countersign: --oidc-scopes: scopes .* openid among them/],
    [
      'a public URL with a path',
      ['--public-url', 'https://sign.example.org/inbox'],
      /^countersign: --public-url: an https/,
    ],
    [
      'a secret that cannot be read',
      ['--oidc-client-secret-file', '/none'],
      /--oidc-client-secret-file: the file cannot be read \(ENOENT\)/,
    ],
    ['no way in', ['--passwords', 'off'], '--passwords: needs --oidc-issuer, or no one could sign in'],
    ['a word too many', ['now'], 'Usage: countersign serve. --help lists the options.'],
  ] as const)
    it(what, async () => {
      // Refused before anything of the service is loaded.
      refuses(await called(['serve', '--port', '0', '--data', ':memory:', '--sandbox', ...args]), 2, message)
    })

  it('a command that there is not', async () => {
    const { code, stderr } = await countersign(['frobnicate'])
    expect({ code, stderr: stderr.slice(0, 44) }).to.deep.equal({
      code: 2,
      stderr: 'countersign: There is no command frobnicate.',
    })
  })

  it('help and version are no failures', async () => {
    const [help, serve, version] = await Promise.all([
      countersign(['--help']),
      countersign(['serve', '--help']),
      countersign(['version']),
    ])
    expect([help.code, serve.code, version.code]).to.deep.equal([0, 0, 0])
    expect(help.stdout).to.match(/^Usage: countersign <command>/)
    expect(serve.stdout).to.match(/^Usage: countersign serve/)
    expect(version.stdout).to.match(/^\d+\.\d+\.\d+ \(build [0-9a-f]{12}\)\n$/)
  })
})
