/** Keys of the operator's interface: made, shown once and revoked by commands, and what they open beside a running service. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import type { Organization } from '../../../server/operations/operator/messages/organizations.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { called } from '../../support/commands/called.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { countersign } from '../../support/service/served.ts'

const HOUR_MS = 60 * 60 * 1000
const REQUESTS_PER_MINUTE = 200

interface Made {
  keyId: string
  key: string
  mode: string
  organization: string | null
}

describe('An operator key', function () {
  this.timeout(60_000)
  const data = aFolder()
  const clock = runningClock()
  let service: TestService
  let whole: Made
  let own: Made
  before(async () => {
    service = await aService({ data, clock, rateLimit: REQUESTS_PER_MINUTE })
    whole = await command<Made>('create', '--description', 'Nightly job', '--scope', 'accounts,keys')
    own = await command<Made>('create', '--organization', 'Willow Creek Home Health', '--scope', 'accounts, keys')
  })
  after(() => service.stop())

  async function command<T>(...args: string[]): Promise<T> {
    const all = ['operator-keys', ...args, '--data', data, '--sandbox', '--json']
    const { code, stdout, stderr } = await called(all)
    expect({ code, stderr }, args.join(' ')).to.deep.equal({ code: 0, stderr: '' })
    return JSON.parse(stdout) as T
  }
  const ask = <T>(method: string, path: string, key: string, body?: unknown) =>
    service.ask<T>(method, `/admin/v1${path}`, body === undefined ? { key } : { key, body })
  const names = async (key: string) =>
    (await ask<Organization[]>('GET', '/organizations', key)).body.map(({ name }) => name)
  const audited = async () => {
    const { stdout } = await called(['audit', 'export', '--data', data])
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  it('lets a program do what an operator does, without a session and without a token', async () => {
    expect(whole.key).to.match(/^cso_test_/)
    expect(whole.organization).to.equal(null)
    expect(await names(whole.key)).to.include.members(['Willow Creek Home Health', 'Northfield Hospice'])
    const body = { name: 'Elm Home Care', addresses: [], ingestionEnabled: true }
    const { status, body: made } = await ask<{ id: number }>('POST', '/organizations', whole.key, body)
    expect(status).to.equal(201)
    const again = await ask('POST', '/organizations', whole.key, body)
    expect([again.status, again.errors]).to.deep.equal([409, ['name: an organization has this name already']])
    const [last] = (await audited()).slice(-1)
    expect(last).to.include({
      action: 'organization.create',
      actor: 'operator',
      actorId: whole.keyId,
      organizationId: made.id,
    })
  })

  it('of one organization reaches no other organization, and nothing that only an operator may', async () => {
    expect(await names(own.key)).to.deep.equal(['Willow Creek Home Health'])
    const all = (await ask<Organization[]>('GET', '/organizations', whole.key)).body
    const foreign = all.find(({ name }) => name === 'Northfield Hospice')!.id
    expect((await ask('GET', `/organizations/${foreign}`, own.key)).status).to.equal(404)
    expect((await ask('POST', `/organizations/${foreign}/keys`, own.key, { personName: 'Ann Vale' })).status).to.equal(
      404,
    )
    const tried = await ask('POST', '/organizations', own.key, { name: 'Mine', addresses: [], ingestionEnabled: true })
    expect([tried.status, tried.errors]).to.deep.equal([
      403,
      ['This is not for the key of one organization; it needs the key of an operator.'],
    ])
    expect((await ask('GET', '/providers', own.key)).status).to.equal(403)
    const id = all.find(({ name }) => name === 'Willow Creek Home Health')!.id
    const denied = await ask('PATCH', `/organizations/${id}`, own.key, { npi: '9999901900' })
    expect(denied.errors).to.deep.equal(['npi: the operator of the service decides it'])
    expect((await ask('GET', `/deliveries?organizationId=${foreign}`, own.key)).body).to.deep.equal([])
  })

  it('is refused where the document of the interface names no key of its reach, and nowhere else', async () => {
    type Operation = Record<
      string,
      { 'x-callers': { keys: string[] }; responses: Record<string, { content?: object }> }
    >
    const { paths } = (await ask<{ paths: Record<string, Operation> }>('GET', '/openapi.json', own.key)).body
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
    )
    for (const { path, method, responses, 'x-callers': callers } of operations) {
      if ('text/event-stream' in (responses[200]?.content ?? {})) continue
      const { status } = await service.ask(method, path.replace(/\{\w+\}/g, '99999'), { key: own.key })
      expect(status === 403, `${method} ${path}`).to.equal(!callers.keys.includes('one-organization'))
    }
  })

  it('opens the operator’s interface alone, which a sender’s key does not', async () => {
    expect((await service.ask('GET', '/api/v1/signature/tasks', { key: whole.key })).status).to.equal(403)
    expect((await ask('GET', '/tasks', service.key)).status).to.equal(403)
    expect((await ask('GET', '/tasks', `${whole.key}x`)).status).to.equal(403)
    expect((await ask('GET', '/tasks', '')).status).to.equal(403)
    expect((await service.ask('GET', '/admin/v1/tasks', { key: null })).status).to.equal(401)
    expect((await service.ask('GET', '/inbox/api/documents', { key: whole.key })).status).to.equal(401)
  })

  it('makes nothing that lets others in, unless it was made for that', async () => {
    const { key, keyId } = await command<Made>('create')
    const [organization] = (await ask<Organization[]>('GET', '/organizations', key)).body
    const path = `/organizations/${organization!.id}/keys`
    const person = {
      email: 'kim@willow.example',
      name: 'Kim',
      role: 'operator',
      password: 'correct horse battery staple',
    }
    const tries = [
      ['POST', '/accounts', person, 'accounts'],
      ['POST', '/accounts/1/password', { password: 'correct horse battery staple' }, 'accounts'],
      ['PATCH', '/accounts/1', { isActive: true }, 'accounts'],
      ['DELETE', '/accounts/1', undefined, 'accounts'],
      ['POST', '/accounts/1/unlock', undefined, 'accounts'],
      ['POST', '/accounts/1/unlink', undefined, 'accounts'],
      ['DELETE', '/accounts/1/second-factor', undefined, 'accounts'],
      ['POST', path, { personName: 'Ann Vale' }, 'keys'],
    ] as const
    for (const [method, at, body, scope] of tries) {
      const { status, errors } = await ask(method, at, key, body)
      expect([status, errors], `${method} ${at}`).to.deep.equal([
        403,
        [`This key may not do this; it needs a key that was made with --scope ${scope}.`],
      ])
    }
    expect((await ask('GET', '/accounts', key)).status).to.equal(200)
    const { keyId: other, key: forKeys } = await command<Made>('create', '--scope', 'keys')
    expect((await ask('POST', path, forKeys, { personName: 'Ann Vale' })).status).to.equal(201)
    expect((await ask('POST', '/accounts', forKeys, person)).status).to.equal(403)
    const listed = await command<{ keyId: string; scopes: string }[]>('list')
    const scopes = Object.fromEntries(listed.map((one) => [one.keyId, one.scopes]))
    expect([scopes[keyId], scopes[other], scopes[whole.keyId]]).to.deep.equal(['', 'keys', 'accounts keys'])
    const wrong = await called(['operator-keys', 'create', '--scope', 'all', '--data', data, '--sandbox'])
    expect([wrong.code, wrong.stderr]).to.deep.equal([
      2,
      'countersign: --scope: accounts or keys, separated by commas\n',
    ])
  })

  describe('that was revoked', () => {
    const password = 'correct horse battery staple'
    const signIn = (email: string) => aVisit(service.baseUrl).signIn(email, password)

    it('names what it has made, and what was made by that, and on request leaves none of it a way in', async () => {
      const { key, keyId } = await command<Made>('create', '--scope', 'accounts,keys')
      const post = async (path: string, body: object) =>
        (await ask<{ id: number; keyId: string; key: string }>('POST', path, key, body)).body
      const account = { name: 'Backdoor', role: 'operator', password }
      const { id: organization } = await post('/organizations', {
        name: 'Shell',
        addresses: [],
        ingestionEnabled: true,
      })
      const { id: first } = await post('/accounts', { ...account, email: 'back@door.example' })
      const sent = await post(`/organizations/${organization}/keys`, { personName: 'Nobody' })
      const people = (await ask<{ id: number; email: string }[]>('GET', '/accounts', key)).body
      const victim =
        people.find(({ email }) => email === 'kim@northfield.example') ??
        (await post('/accounts', { ...account, email: 'kim@northfield.example' }))
      await post(`/accounts/${victim.id}/password`, { password })
      const subscription = await service.ask<{ id: number }>('POST', '/api/v1/signature/webhooks', {
        key: sent.key,
        body: { url: 'https://receiver.example/', description: 'theirs' },
      })
      expect(subscription.status).to.equal(201)
      // An account that the key made makes another one.
      const visit = aVisit(service.baseUrl)
      expect((await visit.signIn('back@door.example', password)).status).to.equal(200)
      const second = await visit.ask<{ id: number }>('POST', '/admin/v1/accounts', {
        ...account,
        email: 'second@door.example',
      })

      const npi = (await ask<{ npi: string }[]>('GET', '/providers', key)).body[0]!.npi
      const notices = { mode: 'soon', hour: 8, timeZone: 'America/Chicago', address: 'back@door.example' }
      expect((await ask('POST', `/providers/${npi}/notices`, key, notices)).status).to.equal(204)

      const shown = await command<{ made: Record<string, unknown>[] }>('revoke', keyId)
      const of = (made: Record<string, unknown>[]) => made.map(({ kind, id, by }) => `${kind} ${id} by ${by}`).sort()
      const expected = [
        `organization ${organization} by ${keyId}`,
        `account ${first} by ${keyId}`,
        `key ${sent.keyId} by ${keyId}`,
        `account ${victim.id} by ${keyId}`,
        `password ${victim.id} by ${keyId}`,
        `subscription ${subscription.body.id} by ${sent.keyId}`,
        `account ${second.body.id} by ${first}`,
        `notices ${npi} by ${keyId}`,
      ]
      expect(of(shown.made)).to.deep.equal(expected.sort())
      expect(shown.made.every(({ isDisabled }) => isDisabled === false)).to.equal(true)
      expect((await signIn('second@door.example')).status, 'so far it is only named').to.equal(200)

      const ended = await command<{ made: Record<string, unknown>[] }>('revoke', keyId, '--disable-made')
      expect(ended.made.every(({ isDisabled }) => isDisabled === true)).to.equal(true)
      for (const email of ['back@door.example', 'second@door.example', 'kim@northfield.example'])
        expect((await signIn(email)).status, email).to.equal(401)
      expect((await visit.ask('GET', '/admin/v1/organizations')).status, 'a session of theirs').to.equal(401)
      expect((await service.ask('GET', '/api/v1/signature/tasks', { key: sent.key })).status).to.equal(403)
      expect((await command<{ made: unknown[] }>('revoke', keyId, '--disable-made')).made).to.deep.equal([])
      const { key: another } = await command<Made>('create')
      const { address } = (await ask<{ address: string | null }>('GET', `/providers/${npi}/notices`, another)).body
      expect(address, 'where e-mails about waiting documents go').to.equal(null)
    })

    it('changes nothing when part of what it has made cannot be disabled', async () => {
      const { key, keyId } = await command<Made>('create', '--scope', 'accounts,keys')
      const post = async (path: string, body: object) =>
        (await ask<{ id: number; key: string }>('POST', path, key, body)).body
      const [organization] = (await ask<Organization[]>('GET', '/organizations', key)).body
      const account = { name: 'Backdoor', role: 'operator', password }
      await post('/accounts', { ...account, email: 'before@door.example' })
      const sent = await post(`/organizations/${organization!.id}/keys`, { personName: 'Nobody' })
      const { id } = await post('/accounts', { ...account, email: 'after@door.example' })
      const run = (sql: string) => {
        const database = new DatabaseSync(join(data, 'countersign.sqlite'))
        database.exec(sql)
        database.close()
      }
      run(`CREATE TRIGGER fails BEFORE UPDATE ON person WHEN NEW.id = ${id} BEGIN SELECT RAISE(ABORT, 'fails'); END`)
      const before = (await audited()).length
      const revoke = ['operator-keys', 'revoke', keyId, '--disable-made', '--data', data, '--sandbox']
      expect((await called(revoke)).code).not.to.equal(0)
      expect((await audited()).length).to.equal(before)
      expect((await ask('GET', '/organizations', key)).status, 'the key').to.equal(200)
      expect((await signIn('before@door.example')).status, 'its first account').to.equal(200)
      expect((await service.ask('GET', '/api/v1/signature/tasks', { key: sent.key })).status).to.equal(200)

      run('DROP TRIGGER fails')
      expect((await command<{ made: unknown[] }>('revoke', keyId, '--disable-made')).made).to.have.length(3)
      expect((await ask('GET', '/organizations', key)).status, 'the key').to.equal(403)
      expect((await signIn('before@door.example')).status, 'its first account').to.equal(401)
    })

    it('leaves nothing a way in when its account is the last operator, because it disabled all others', async () => {
      const { key, keyId } = await command<Made>('create', '--scope', 'accounts,keys')
      const post = async (path: string, body: object) =>
        (await ask<{ id: number; keyId: string; key: string }>('POST', path, key, body)).body
      const accounts = (await ask<{ id: number; role: string; disabledAt: string | null }[]>('GET', '/accounts', key))
        .body
      const operators = accounts.filter(({ role, disabledAt }) => role === 'operator' && disabledAt === null)
      const { id } = await post('/accounts', { name: 'Last', role: 'operator', password, email: 'last@door.example' })
      const [organization] = (await ask<Organization[]>('GET', '/organizations', key)).body
      const sent = await post(`/organizations/${organization!.id}/keys`, { personName: 'Nobody' })
      for (const operator of operators)
        expect((await ask('PATCH', `/accounts/${operator.id}`, key, { isActive: false })).status).to.equal(204)

      const { made } = await command<{ made: Record<string, unknown>[] }>('revoke', keyId, '--disable-made')
      expect(made.map(({ kind, id, isDisabled }) => [kind, id, isDisabled])).to.deep.equal([
        ['account', String(id), true],
        ['key', sent.keyId, true],
      ])
      expect((await signIn('last@door.example')).status).to.equal(401)
      expect((await service.ask('GET', '/api/v1/signature/tasks', { key: sent.key })).status).to.equal(403)
      const { key: remaining } = await command<Made>('create', '--scope', 'accounts')
      for (const operator of operators) await ask('PATCH', `/accounts/${operator.id}`, remaining, { isActive: true })
    })
  })

  it('follows changes until it is revoked', async () => {
    const { key, keyId } = await command<Made>('create')
    const stream = await fetch(`${service.baseUrl}/admin/v1/changes`, { headers: { 'x-api-key': key } })
    expect(stream.headers.get('content-type')).to.equal('text/event-stream')
    await command('revoke', keyId)
    // Ends by itself.
    expect(await stream.text()).to.match(/^retry: 5000\n\nevent: workers\n/)
    const after = await ask('GET', '/tasks', key)
    expect([after.status, after.errors]).to.deep.equal([403, ['x-api-key: this key was revoked']])
    const twice = await countersign(['operator-keys', 'revoke', keyId, '--data', data, '--sandbox'])
    expect([twice.code, twice.stderr]).to.deep.equal([
      2,
      'countersign: keyId: no operator key of this service, or revoked already\n',
    ])
    const actions = (await audited()).filter(({ subject }) => subject === keyId).map(({ action }) => action)
    expect(actions).to.deep.equal(['operator-key.issue', 'operator-key.revoke'])
  })

  it('is refused once it has expired', async () => {
    const refused = [2, 'countersign: expiresAt: a time to come, such as 2027-01-01\n']
    for (const expiry of ['2001-01-01', 'soon', '']) {
      const args = ['operator-keys', 'create', '--expires', expiry, '--data', data, '--sandbox']
      const { code, stderr } = await called(args)
      expect([code, stderr], expiry).to.deep.equal(refused)
    }
    const expiresAt = new Date(Date.now() + HOUR_MS)
    const { key } = await command<Made>('create', '--expires', expiresAt.toISOString())
    expect((await ask('GET', '/tasks', key)).status).to.equal(200)
    clock.advance(HOUR_MS)
    expect((await ask('GET', '/tasks', key)).errors).to.deep.equal(['x-api-key: this key has expired'])
  })

  it('is listed with its scope and its last use, never the key itself', async () => {
    const listed = await command<Record<string, unknown>[]>('list')
    const [first, second] = listed
    expect(first).to.include({ keyId: whole.keyId, organization: null, description: 'Nightly job' })
    expect(first!.lastUsedAt).to.be.a('string')
    expect(second).to.include({ keyId: own.keyId, organization: 'Willow Creek Home Health' })
    expect(JSON.stringify(listed)).not.to.match(/cso_test|digest/)
  })

  it('is held to the rate limit of a key', async () => {
    // Twice as many, because the limit is raised again while a busy machine answers them.
    const statuses = await Promise.all(
      Array.from({ length: 2 * REQUESTS_PER_MINUTE }, () =>
        ask('GET', '/senders', own.key).then(({ status }) => status),
      ),
    )
    expect(statuses).to.include(429)
  })
})
