/** A production service set up by its commands alone, without any seeding, until a real task waits in an inbox. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { UnauthorizedError } from '../../lib/client/errors.ts'
import type { Task } from '../../lib/contract/task/task.ts'
import { aFolder } from '../support/a-folder.ts'
import { called } from '../support/commands/called.ts'
import { eventually } from '../support/eventually.ts'
import { aClient } from '../support/service/a-client.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { countersign, type Served, serve } from '../support/service/served.ts'

const NPI = '9999900019'
const env = { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }

describe('A production service that is set up by commands', function () {
  this.timeout(90_000)
  const data = aFolder()
  let running: Served | undefined
  after(() => running?.kill())

  const commandBy =
    (call: typeof called) =>
    async <T>(...args: string[]): Promise<T> => {
      const { code, stdout, stderr } = await call([...args, '--data', data, '--json'], env)
      expect({ code, stderr }, args.join(' ')).to.deep.equal({ code: 0, stderr: '' })
      return JSON.parse(stdout) as T
    }
  const command = commandBy(called)
  async function refused(code: number, message: string, ...args: string[]) {
    const ended = await called([...args, '--data', data], env)
    expect(ended).to.deep.equal({ code, stdout: '', stderr: `countersign: ${message}\n` })
  }

  it('takes a task from the key to the inbox', async () => {
    // Each in a process of its own, as an operator runs them.
    const setUp = commandBy(countersign)
    const sender = await setUp<{ id: number }>(
      'organizations',
      'create',
      '--name',
      'Willow Creek',
      '--npi',
      '9999901017',
    )
    const address = ['--line', '7 Mill Lane', '--city', 'Madison', '--state', 'WI', '--postal-code', '53703']
    await setUp('organizations', 'create', '--name', 'Harbor', '--npi', '9999901033', ...address)
    const fields = join(data, 'fields.json')
    const field = {
      type: 'VisibleSignature',
      required: true,
      pageNumber: 1,
      left: 72,
      top: 600,
      right: 252,
      bottom: 636,
    }
    writeFileSync(fields, JSON.stringify([field]))
    const names = ['--first-name', 'Helen', '--last-name', 'Marsh', '--signing-name', 'Helen Marsh MD']
    const [made, type, { templateId }] = await Promise.all([
      setUp<{ key: string; keyId: string; mode: string }>(
        'keys',
        'create',
        '--organization',
        'Willow Creek',
        '--person',
        'Ann Vale',
      ),
      setUp<{ id: number }>('document-types', 'create', '--name', 'Order', '--category', 'Orders'),
      setUp<{ templateId: number }>(
        'templates',
        'create',
        '--organization',
        'Willow Creek',
        '--summary',
        'Order',
        '--clinical-date-label',
        'Date',
        '--fields',
        fields,
        '--diagnosis-code',
        'required',
        '--days-before',
        '30',
        '--days-after',
        '0',
      ),
      setUp('providers', 'create', '--npi', NPI, ...names, '--organization', 'Harbor'),
    ])
    expect(made.mode).to.equal('live')

    running = await serve(['--data', data], env)
    expect(running).to.deep.include({ mode: 'production', apiKeys: [] })
    const client = aClient({ baseUrl: running.baseUrl, apiKey: made.key })
    expect(await client.listDocumentTypes()).to.deep.equal([{ id: type.id, name: 'Order', category: 'Orders' }])
    const [template] = await client.listTemplates()
    expect(template).to.include({ templateId, diagnosisCodeRequired: true, isCustomTemplate: true })
    const { organizations } = await client.findProvider({ params: { npi: NPI } })
    expect(organizations[0]).to.deep.include({ name: 'Harbor', npi: '9999901033' })

    const body = aCreateBody({
      performer: { signer: { userNPI: NPI } },
      document: {
        documentTypeId: type.id,
        diagnosisCode: 'I50.9',
        annotations: { type: 'Template', templateId },
      },
    })
    const outcome = async (): Promise<Task> => {
      const { taskId: id } = await client.createTask({ body })
      return eventually(async () => {
        const task = await client.readTask({ params: { id } })
        expect(task.status).not.to.be.oneOf(['Received', 'Processing'])
        return task
      })
    }
    // spec: What the service does › Prerequisites. Ingestion is enabled for the sender organization
    const failed = await outcome()
    expect(failed.status).to.equal('Failed')
    expect(failed.statusReason).to.match(/^Document ingestion is not enabled for the sending organization\./)

    // The commands work beside the running service.
    await command('organizations', 'set-ingestion', String(sender.id), 'on')
    expect((await outcome()).status).to.equal('Pending')

    await command('providers', 'deactivate', NPI)
    expect((await outcome()).status).to.equal('Failed')
    await command('providers', 'activate', NPI)
    expect((await outcome()).status).to.equal('Pending')

    const set = (...where: string[]) =>
      command<{ organizations: string[] }>('providers', 'set-organizations', NPI, ...where)
    const both = await set('--organization', 'Willow Creek', '--organization', 'Harbor')
    expect(both.organizations).to.deep.equal(['Willow Creek', 'Harbor'])
    const found = (await client.findProvider({ params: { npi: NPI } })).organizations
    expect(found.map(({ name }) => name)).to.deep.equal(['Willow Creek', 'Harbor'])
    expect((await set('--organization', 'Harbor')).organizations).to.deep.equal(['Harbor'])

    const inactive = await command('organizations', 'deactivate', 'Harbor')
    expect(inactive).to.include({ name: 'Harbor', isActive: false })
    expect((await client.findProvider({ params: { npi: NPI } })).organizations).to.deep.equal([])
    expect((await outcome()).statusReason).to.include('has no active organization')
    await command('organizations', 'activate', 'Harbor')
    expect((await outcome()).status).to.equal('Pending')

    const refusal = () => client.listTasks().catch((reason: unknown) => reason)
    const letsIn = async () => Array.isArray(await refusal())
    for (const end of [
      ['organizations', 'deactivate', 'Willow Creek'],
      ['keys', 'revoke', made.keyId],
    ]) {
      expect(await letsIn()).to.equal(true)
      await command(...end)
      expect(await refusal(), end.join(' '))
        .to.be.instanceOf(UnauthorizedError)
        .with.property('status', 403)
      await command('organizations', 'activate', 'Willow Creek')
    }
    expect(await running.stop()).to.equal(0)
  })

  it('lists everything that was set up, never a key', async () => {
    const keys = await command<{ personName: string; revokedAt: string | null }[]>('keys', 'list')
    expect(keys.map(({ personName }) => personName)).to.deep.equal(['Ann Vale'])
    expect(keys[0]!.revokedAt).to.be.a('string')
    expect(JSON.stringify(keys)).not.to.match(/csk_live|digest/)
    const organizations = await command<{ name: string; ingestionEnabled: boolean }[]>('organizations', 'list')
    expect(organizations.map(({ name, ingestionEnabled }) => [name, ingestionEnabled])).to.deep.equal([
      ['Willow Creek', true],
      ['Harbor', false],
    ])
    const [provider] = await command<object[]>('providers', 'list')
    expect(provider).to.deep.equal({
      npi: NPI,
      signingName: 'Helen Marsh MD',
      isActive: true,
      organizations: ['Harbor'],
    })
    expect(await command('templates', 'list', '--organization', 'Harbor')).to.deep.equal([])
    const { stdout } = await countersign(['document-types', 'list', '--data', data], env)
    expect(stdout).to.equal('id  name   category\n1   Order  Orders\n')
  })

  it('gives no organization the NPI of another one', async () => {
    const taken = 'npi: organization 2 has this NPI; no two have the same'
    await refused(2, taken, 'organizations', 'create', '--name', 'X', '--npi', '9999901033')
    await refused(2, taken, 'organizations', 'set-npi', 'Willow Creek', '9999901033')
    await refused(2, 'npi: exactly 10 digits', 'organizations', 'set-npi', 'Harbor', '12')
  })

  it('says what is wrong with a command, and what to do', async () => {
    await Promise.all([
      refused(2, '--name is required. --help lists the options.', 'organizations', 'create'),
      refused(2, 'npi: exactly 10 digits', 'organizations', 'create', '--name', 'X', '--npi', '12'),
      refused(2, 'name: an organization has this name already', 'organizations', 'create', '--name', 'Harbor'),
      refused(2, 'set-ingestion takes NAME|ID and on or off.', 'organizations', 'set-ingestion', 'Harbor', 'maybe'),
      refused(2, 'Usage: countersign keys revoke KEY-ID. --help lists the options.', 'keys', 'revoke'),
      refused(1, 'There is no key nothing. countersign keys list shows them.', 'keys', 'revoke', 'nothing'),
      refused(
        1,
        'There is no organization Nowhere. countersign organizations list shows them.',
        'keys',
        'create',
        '--organization',
        'Nowhere',
        '--person',
        'Ann Vale',
      ),
      refused(
        2,
        'expiresAt: a time to come, such as 2027-01-01',
        'keys',
        'create',
        '--organization',
        'Harbor',
        '--person',
        'Ann Vale',
        '--expires',
        '2001-01-01',
      ),
      refused(2, 'keys takes one of create, list, rotate, revoke. --help explains them.', 'keys', 'renew'),
      refused(2, 'npi: no provider of this service', 'providers', 'activate', '9999900027'),
    ])
  })
})
