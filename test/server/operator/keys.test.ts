/** API keys of senders: replacing one with an overlap, and the requests of the last days. */
import { expect } from 'chai'
import type { ListedKey, MadeKey } from '../../../server/operations/operator/messages/keys.ts'
import { aFolder } from '../../support/a-folder.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { called } from '../../support/commands/called.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('the API keys of senders', function () {
  this.timeout(60_000)
  const data = aFolder()
  const clock = runningClock()
  let service: TestService
  let operator: Visit
  let id: number
  let keys: string

  async function start(): Promise<void> {
    service = await aService({ data, clock })
    operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
  }
  before(async () => {
    await start()
    const organizations = await operator.ask<{ id: number; name: string }[]>('GET', '/admin/v1/organizations')
    id = organizations.body.find(({ name }) => name === 'Willow Creek Home Health')!.id
    keys = `/admin/v1/organizations/${id}/keys`
  })
  after(() => service.stop())

  /** Sessions end sooner. */
  async function pass(ms: number): Promise<void> {
    clock.advance(ms)
    await operator.signInAs('Service operator')
  }
  const make = async (description: string) =>
    (await operator.ask<MadeKey>('POST', keys, { personName: 'Ann Vale', description })).body
  const rotate = (keyId: string, until: Date, visit = operator) =>
    visit.ask<MadeKey>('POST', `${keys}/${keyId}/rotate`, { until: until.toISOString() })
  const use = async (key: string) => (await service.ask('GET', '/api/v1/documenttypes', { key })).status
  const listed = async (keyId: string) =>
    (await operator.ask<ListedKey[]>('GET', '/admin/v1/keys')).body.find((key) => key.keyId === keyId)!

  it('are both valid until the chosen time, and the new one alone from then on', async () => {
    const old = await make('Nightly job')
    const until = new Date(clock.now() + 60 * 60 * 1000)
    const { status, body: next } = await rotate(old.keyId, until)
    expect(status).to.equal(201)
    expect([await use(old.key), await use(next.key)]).to.deep.equal([200, 200])
    expect((await listed(old.keyId)).expiresAt).to.equal(until.toISOString())
    const { personName, description, expiresAt } = await listed(next.keyId)
    expect([personName, description, expiresAt]).to.deep.equal(['Ann Vale', 'Nightly job', null])
    await pass(60 * 60 * 1000)
    expect([await use(old.key), await use(next.key)]).to.deep.equal([403, 200])
    expect((await rotate(old.keyId, new Date(clock.now() + DAY_MS))).status, 'of an expired key').to.equal(404)
  })

  it('never last longer by being replaced', async () => {
    const soon = new Date(clock.now() + 60_000).toISOString()
    const { body } = await operator.ask<MadeKey>('POST', keys, { personName: 'Ann Vale', expiresAt: soon })
    expect((await rotate(body.keyId, new Date(clock.now() + DAY_MS))).status).to.equal(201)
    expect((await listed(body.keyId)).expiresAt).to.equal(soon)
  })

  it('are not replaced once revoked, with a time that has passed, or by those whose they are not', async () => {
    const { keyId } = await make('Revoked')
    const later = new Date(clock.now() + DAY_MS)
    const past = await rotate(keyId, new Date(clock.now() - 1))
    expect([past.status, past.errors]).to.deep.equal([400, ['until: a time to come, such as 2027-01-01']])
    expect((await operator.ask('DELETE', `${keys}/${keyId}`)).status).to.equal(204)
    expect((await rotate(keyId, later)).status).to.equal(404)
    const all = (await operator.ask<ListedKey[]>('GET', '/admin/v1/keys')).body
    const foreign = all.find(({ organizationId, revokedAt }) => organizationId !== id && revokedAt === null)!
    expect((await rotate(foreign.keyId, later)).status, 'under another organization').to.equal(404)
    const administrator = aVisit(service.baseUrl)
    await administrator.signInAs('Willow Creek administrator')
    const path = `/admin/v1/organizations/${foreign.organizationId}/keys/${foreign.keyId}/rotate`
    expect((await administrator.ask('POST', path, { until: later.toISOString() })).status).to.equal(404)
    expect((await listed(foreign.keyId)).expiresAt).to.equal(foreign.expiresAt)
  })

  it('show how many requests each made on each of the last days, refused ones of others excluded', async () => {
    const { key, keyId } = await make('Counted')
    for (let n = 0; n < 3; n++) await use(key)
    await use(`${key.slice(0, -1)}x`)
    await pass(DAY_MS)
    await use(key)
    const { requests } = await listed(keyId)
    expect(requests.map(({ count }) => count)).to.deep.equal([...Array<number>(12).fill(0), 3, 1])
    expect(requests.at(-1)!.day).to.equal(new Date(clock.now()).toISOString().slice(0, 10))
    await service.stop()
    await start()
    expect((await listed(keyId)).requests).to.deep.equal(requests)
  })

  it('are replaced by the command line', async () => {
    const command = (...args: string[]) => called(['keys', ...args, '--data', data, '--sandbox', '--json'])
    const made = await command('create', '--organization', String(id), '--person', 'Ann Vale')
    const old = JSON.parse(made.stdout) as { keyId: string; key: string }
    const done = await command('rotate', old.keyId, '--until', '2999-01-01')
    expect(done.stderr).to.equal('')
    const next = JSON.parse(done.stdout) as { key: string; replaces: string; until: string }
    expect([next.replaces, next.until]).to.deep.equal([old.keyId, '2999-01-01T00:00:00.000Z'])
    expect([await use(old.key), await use(next.key)]).to.deep.equal([200, 200])
    expect((await command('rotate', old.keyId, '--until', '2001-01-01')).code).to.equal(2)
    expect((await command('rotate', 'nothing', '--until', '2999-01-01')).stderr).to.include('There is no key nothing.')
  })
})
