/** `countersign people` beside a running service: who it adds can sign in, and nobody's password is on a command line. */
import { expect } from 'chai'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { called } from '../../support/commands/called.ts'
import { countersign, serve } from '../../support/service/served.ts'

const PASSWORD = 'correct horse battery staple'
const env = { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }
const EASY = 'password: easy to guess, because it repeats itself; choose four words that are unrelated'

describe('countersign people', () => {
  const data = aFolder()
  const people = (command: string, options: string[] = [], input = '') =>
    called(['people', command, '--data', data, ...options], env, input)

  it('adds the first operator, who signs in, and ends the session with a new password', async () => {
    const service = await serve(['--data', data], env)
    try {
      const who = ['--email', 'op@example.org', '--name', 'Olga Prince', '--role', 'operator']
      const made = await countersign(['people', 'create', '--data', data, ...who], env, `${PASSWORD}\n`)
      expect(made.stderr).to.equal('')
      expect(made.code).to.equal(0)
      expect((await people('list')).stdout)
        .to.include('op@example.org')
        .and.not.to.include('scrypt')

      const visit = aVisit(service.baseUrl)
      expect((await visit.signIn('op@example.org', PASSWORD)).status).to.equal(200)
      expect((await visit.ask('GET', '/admin/v1/tasks')).status).to.equal(200)
      expect((await people('set-password', ['--email', 'Op@Example.org'], 'another long password\n')).code).to.equal(0)
      expect((await visit.ask('GET', '/admin/v1/tasks')).status).to.equal(401)
      expect((await visit.signIn('op@example.org', PASSWORD)).status).to.equal(401)
      expect((await visit.signIn('op@example.org', 'another long password')).status).to.equal(200)

      const last = await people('disable', ['--email', 'op@example.org'])
      expect([last.code, last.stderr]).to.deep.equal([
        2,
        'countersign: This is the last operator who can sign in. Add another one first.\n',
      ])
      const two = ['--email', 'two@example.org', '--name', 'Tom Reed', '--role', 'operator']
      await people('create', two, `${PASSWORD}\n`)
      const second = aVisit(service.baseUrl)
      const signIn = async () => (await second.signIn('two@example.org', PASSWORD)).status
      expect(await signIn()).to.equal(200)
      expect((await people('disable', two.slice(0, 2))).code).to.equal(0)
      expect((await second.ask('GET', '/admin/v1/tasks')).status).to.equal(401)
      expect(await signIn()).to.equal(401)
      expect((await people('enable', two.slice(0, 2))).code).to.equal(0)
      expect(await signIn()).to.equal(200)
      expect((await people('remove', two.slice(0, 2))).code).to.equal(0)
      expect((await second.ask('GET', '/admin/v1/tasks')).status).to.equal(401)
      expect((await people('list')).stdout).not.to.include('two@example.org')
      expect((await people('list', ['--removed'])).stdout).to.include('two@example.org')

      expect((await people('create', who, `${PASSWORD}\n`)).stderr).to.include(
        'another account has this e-mail address',
      )
      for (const [command, options] of [
        ['create', [...who.slice(2), '--email', 'two@example.org']],
        ['set-password', who.slice(0, 2)],
      ] as const) {
        const { code, stderr } = await people(command, [...options], 'aaaaaaaaaaaa\n')
        expect([code, stderr], command).to.deep.equal([2, `countersign: ${EASY}\n`])
      }
      const wrong = await people('create', ['--email', 'x', '--role', 'signer'], 'short\n')
      expect(wrong.code).to.equal(2)
      for (const part of ['email', 'name', 'npi', 'password']) expect(wrong.stderr).to.include(`${part}: `)
    } finally {
      await service.stop()
    }
  })

  it('takes the organization of an administrator by name or by id', async () => {
    const willow = ['organizations', 'create', '--name', 'Willow Creek', '--data', data, '--json']
    const { id } = JSON.parse((await called(willow, env)).stdout) as { id: number }
    const create = (email: string, organization: string) =>
      people(
        'create',
        ['--email', email, '--name', 'Ada Moss', '--role', 'administrator', '--organization', organization],
        `${PASSWORD}\n`,
      )
    expect((await create('name@example.org', 'Willow Creek')).stderr).to.equal('')
    expect((await create('id@example.org', String(id))).stderr).to.equal('')
    const listed = (await people('list')).stdout.split('\n').filter((line) => line.includes('Ada Moss'))
    expect(listed).to.have.length(2)
    for (const line of listed) expect(line).to.match(/Willow Creek|"organizationId":1\b/)
    const { code, stderr } = await create('no@example.org', 'Harbor')
    expect([code, stderr]).to.deep.equal([
      1,
      'countersign: There is no organization Harbor. countersign organizations list shows them.\n',
    ])
  })

  it('says what there is when it is called wrongly', async () => {
    const { code, stderr } = await people('forget')
    expect(code).to.equal(2)
    expect(stderr).to.include('list, create, set-password, disable, enable, remove, sign-out, unlock, unlink')
  })
})
