/** All commands in one style: each explains itself, answers in JSON, and says what is wrong without repeating a value. */
import { once } from 'node:events'
import { expect } from 'chai'
import { version } from '../../../server/version.ts'
import { aFolder } from '../../support/a-folder.ts'
import { called } from '../../support/commands/called.ts'
import { started } from '../../support/processes.ts'
import { countersign, MAIN } from '../../support/service/served.ts'

const env = { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  organizations: ['create', 'list', 'set-npi', 'set-ingestion', 'set-delegation', 'set-active-content'],
  keys: ['create', 'list', 'revoke'],
  'operator-keys': ['create', 'list', 'revoke'],
  providers: ['create', 'list', 'set-organizations', 'activate', 'deactivate'],
  'document-types': ['create', 'list'],
  templates: ['create', 'list', 'show', 'update', 'retire'],
  people: ['list', 'create', 'set-password'],
  delegations: ['list', 'end'],
  deliveries: ['list', 'show', 'redeliver'],
  audit: ['verify', 'head', 'export'],
  'master-key': ['rotate'],
  certificate: ['export'],
}

describe('every command', function () {
  this.timeout(60_000)

  it('is in the help of all', async () => {
    const { stdout } = await countersign(['--help'])
    for (const name of [...Object.keys(COMMANDS), 'serve', 'verify', 'conform', 'map', 'version'])
      expect(stdout).to.match(new RegExp(`^  ${name}\\b`, 'm'))
  })

  for (const [name, verbs] of [...Object.entries(COMMANDS), ['serve', []], ['verify', []]] as const)
    it(`${name} explains itself, and takes --data and --json`, async () => {
      const calls = [[name], ...verbs.map((verb) => [name, verb])]
      const answers = await Promise.all(calls.map((call) => called([...call, '--help'])))
      for (const [n, { code, stdout, stderr }] of answers.entries()) {
        const call = calls[n]!.join(' ')
        expect({ code, stderr }, call).to.deep.equal({ code: 0, stderr: '' })
        expect(stdout).to.match(new RegExp(`^Usage: countersign ${call}\\b`))
        for (const option of ['--data <', '--json', '--help']) expect(stdout, call).to.include(option)
      }
    })

  it('answers in JSON where it would answer in text', async () => {
    const data = aFolder()
    await called(['organizations', 'create', '--name', 'Willow Creek', '--data', data], env)
    const [head, inJson, before, after] = await Promise.all([
      called(['audit', 'head', '--data', data], env),
      called(['audit', 'head', '--data', data, '--json'], env),
      called(['organizations', '--json', '--data', data, 'list'], env),
      called(['organizations', 'list', '--data', data, '--json'], env),
    ])
    expect(JSON.parse(inJson.stdout)).to.deep.equal({ head: head.stdout.trim() })
    expect(JSON.parse(after.stdout)).to.have.length(1)
    expect(before, 'wherever the option stands').to.deep.equal(after)
  })

  for (const [what, call, message] of [
    ['a value', ['people', 'create', '--password=hunter2'], "Unknown option '--password'. --help lists the options."],
    ['a short option', ['people', 'create', '-phunter2'], "Unknown option '-p'. --help lists the options."],
    [
      'a value too much',
      ['keys', 'list', '--json=hunter2'],
      "Option '--json' takes no value. --help lists the options.",
    ],
    ['a word', ['people', 'list', 'hunter2'], 'Usage: countersign people list. --help lists the options.'],
    ['a URL', ['serve', 'postgres://a:hunter2@b/c'], 'Usage: countersign serve. --help lists the options.'],
    ['a verb', ['master-key', 'hunter2'], 'master-key takes rotate. --help explains it.'],
  ] as const)
    it(`refuses ${what} without repeating it`, async () => {
      expect(await called(call, env)).to.deep.equal({ code: 2, stdout: '', stderr: `countersign: ${message}\n` })
    })

  for (const [call, message] of [
    [['serve', '--sandbx'], "Unknown option '--sandbx'. Did you mean --sandbox? --help lists the options."],
    [
      ['serve', '--data', '--sandbox'],
      "Option '--data <DIR|:memory:|postgres://…>' argument missing. --help lists the options.",
    ],
    [['keys', 'create', '--organization', ' '], '--organization is required. --help lists the options.'],
    [
      ['keys', 'list', '--data'],
      "Option '--data <DIR|:memory:|postgres://…>' argument missing. --help lists the options.",
    ],
    [['verify'], 'Usage: countersign verify FILE. --help lists the options.'],
    [['deliveries', 'list', '--dry-run'], "Unknown option '--dry-run'. --help lists the options."],
  ] as const)
    it(`${call.join(' ')} → ${message}`, async () => {
      expect(await called(call, env)).to.deep.equal({ code: 2, stdout: '', stderr: `countersign: ${message}\n` })
    })

  it('shows its help when it is called without a command, which is no success', async () => {
    const { code, stdout, stderr } = await countersign([])
    expect([code, stdout, stderr.startsWith('Usage: countersign <command>')]).to.deep.equal([2, '', true])
  })

  it('shows what `help` asks for', async () => {
    const [all, one, same] = await Promise.all(
      [['help'], ['help', 'keys'], ['keys', '-h']].map((call) => countersign(call)),
    )
    expect([all!.code, all!.stderr]).to.deep.equal([0, ''])
    expect(all!.stdout).to.match(/^Usage: countersign <command>/)
    expect(one).to.deep.equal(same)
  })

  it('takes -h and -v, also after a command, and version --json', async () => {
    const [help, short, after, json] = await Promise.all(
      [['keys', '-h'], ['-v'], ['keys', 'list', '-v'], ['version', '--json']].map((call) => countersign(call)),
    )
    expect(help!.stdout).to.match(/^Usage: countersign keys/)
    expect([short, after]).to.deep.equal(Array(2).fill({ code: 0, stdout: `${version}\n`, stderr: '' }))
    const { build, ...others } = JSON.parse(json!.stdout)
    expect(others).to.deep.equal({ version })
    expect(build).to.match(/^[0-9a-f]{12}$/)
  })

  it('makes keys of the kind of the store, whether or not --sandbox is given', async () => {
    const data = aFolder()
    const organization = ['organizations', 'create', '--name', 'Willow Creek', '--sandbox', '--data', data]
    expect((await called(organization)).code).to.equal(0)
    const made = await called([
      'keys',
      'create',
      '--organization',
      'Willow Creek',
      '--person',
      'Ann Vale',
      '--data',
      data,
      '--json',
    ])
    expect(JSON.parse(made.stdout).mode).to.equal('test')
  })

  it('says nothing when its reader has seen enough', async () => {
    const child = started([MAIN, '--help'])
    child.stdout!.destroy()
    let said = ''
    child.stderr!.on('data', (chunk: Buffer) => {
      said += chunk
    })
    const [code] = (await once(child, 'close')) as [number | null]
    expect([code, said]).to.deep.equal([0, ''])
  })

  it('guesses the command that was meant', async () => {
    const { code, stderr } = await called(['organisations', 'list'])
    expect(code).to.equal(2)
    expect(stderr).to.match(/^countersign: There is no command organisations\. Did you mean organizations\? serve, /)
  })
})
