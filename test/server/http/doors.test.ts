/** Every row of the four tables: who is let through, whose things are found, and how what is asked wrongly is refused. */
import { expect } from 'chai'
import { scopeOf } from '../../../server/http/doors/operator.ts'
import { operator } from '../../../server/operations/operator/table.ts'
import type { Role, Row } from '../../../server/operations/row.ts'
import { sandbox } from '../../../server/operations/sandbox/table.ts'
import { sender } from '../../../server/operations/sender/table.ts'
import { plainWords } from '../../../server/operations/signer/plain-words.ts'
import { signer } from '../../../server/operations/signer/table.ts'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { aCreateBody, TEMPLATE } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

const PEOPLE = ['operator', 'administrator', 'signer'] as const
type Who = (typeof PEOPLE)[number]

const named = (table: object) =>
  Object.entries(table as Record<string, Row>).map(([name, row]) => ({ name, row, is: `${row.method} ${row.path}` }))
const ofKeys = [...named(sender), ...named(sandbox)]
const ofPages = [...named(signer), ...named(operator)].filter(({ row }) => !row.who.includes('anybody'))

/** What is asked for rightly, so that whose thing it is decides. */
const bodies: Readonly<Record<string, object>> = {
  signDocument: { sha256: '0'.repeat(64), values: {}, drawn: null, keep: false, timeZone: 'America/Chicago' },
  previewInk: { sha256: '0'.repeat(64), values: {}, drawn: null, isSigned: true, timeZone: 'America/Chicago' },
  previewPage: {
    ...{ sha256: '0'.repeat(64), values: {}, drawn: null, isSigned: true, timeZone: 'America/Chicago' },
    inkedSha256: '0'.repeat(64),
  },
  rejectDocument: { reason: 'Not mine' },
  setPassword: { password: 'correct horse battery staple' },
  updateAccount: { isActive: false },
  issueKey: { personName: 'Ann Vale' },
  rotateKey: { until: '2999-01-01' },
  updateReceiver: { isActive: false },
  addReceiverSecret: { until: '2999-01-01' },
  keepTemplateSample: Buffer.from('%PDF-1.7'),
}

describe('The doors of the four tables', () => {
  let service: TestService
  let receiver: TestReceiver
  const visits = {} as Record<Who, Visit>
  /** Ids that belong to another organization than the administrator's, and to another signer. */
  let foreign: Record<string, string | number>

  before(async () => {
    ;[service, receiver] = await Promise.all([aService({ staffDocuments: 'all' }), TestReceiver.start()])
    const names = { operator: 'Service operator', administrator: 'Willow Creek administrator', signer: 'Ian Voss MD' }
    for (const who of PEOPLE) {
      visits[who] = aVisit(service.baseUrl)
      await visits[who].signInAs(names[who])
    }
    const subscription = await service.other.createSubscription({ body: { url: receiver.url } })
    const { taskId } = await service.other.createTask({ body: aCreateBody() })
    await service.reaches(taskId, 'Pending', service.otherKey)
    await receiver.until(() => receiver.received.length > 0)
    const idOf = async (path: string, name?: string) => {
      const { body } = await visits.operator.ask<{ id: number; name: string }[]>('GET', `/admin/v1${path}`)
      return body.find((one) => name === undefined || one.name === name)!.id
    }
    foreign = {
      tasks: taskId,
      deliveries: await idOf('/deliveries'),
      receivers: subscription.id,
      organizations: await idOf('/organizations', 'Northfield Hospice'),
      accounts: await idOf('/accounts', 'Service operator'),
      templates: TEMPLATE.ofAnotherOrganization,
      documents: await aWaitingOrder(service),
      past: taskId,
      providers: '9999900019',
    }
  })
  after(async () => {
    await service?.stop()
    await receiver?.stop()
  })

  const pathOf = ({ path }: Row) => {
    const [, part = ''] = /^\/(?:admin\/v1|inbox\/api)\/([\w-]+)/.exec(path) ?? []
    return path
      .replace(/:(id|taskId|npi)/, String(foreign[part] ?? 1))
      .replace(':page', '1')
      .replace(':keyId', '1a2B3c4D5e6')
      .replace(':kind', 'received')
  }
  const ask = ({ name, row }: { name: string; row: Row }, visit: Visit, change = {}, search = '') =>
    visit.ask(row.method.toUpperCase(), pathOf(row) + search, row.body ? (bodies[name] ?? {}) : undefined, change)

  it('have one row for each path and method', () => {
    const all = [...ofKeys, ...named(signer), ...named(operator)].map(({ is }) => is)
    expect(new Set(all).size).to.equal(all.length)
    expect(all.length).to.be.greaterThan(60)
  })

  for (const of of ofKeys)
    it(`${of.is} is for ${of.row.who.join(' and ')}`, async () => {
      const method = of.row.method.toUpperCase()
      const withKey = (key: string | null) => service.ask(method, pathOf(of.row), { key })
      const isOpen = of.row.who.includes('anybody')
      expect((await withKey(null)).status, 'no key').to.equal(isOpen ? 200 : 401)
      expect((await withKey(`${service.key}x`)).status, 'a wrong key').to.equal(isOpen ? 200 : 403)
      if (!isOpen) expect((await visits.operator.ask(method, pathOf(of.row))).status, 'a session').to.equal(401)
    })

  for (const of of ofPages) {
    const may = (role: Role) => of.row.who.includes(role)
    const isChange = of.row.method !== 'get'

    it(`${of.is} is for ${of.row.who.join(' and ')} alone`, async () => {
      expect((await ask(of, aVisit(service.baseUrl))).status, 'nobody').to.equal(401)
      for (const role of PEOPLE)
        if (!may(role)) expect((await ask(of, visits[role])).status, role).to.equal(403)
        else if (isChange)
          for (const change of [{ 'x-page-token': '' }, { origin: 'https://evil.example' }])
            expect((await ask(of, visits[role], change)).status, `${role} without proof`).to.equal(403)
        else if (of.row.responses[200] !== 'stream')
          expect((await ask(of, visits[role])).status, role).to.be.oneOf([200, 404])
    })

    it(`${of.is} refuses a parameter that it does not have`, async () => {
      const visit = visits[of.row.who.includes('signer') ? 'signer' : 'operator']
      const { status, errors } = await ask(of, visit, {}, '?sort=up')
      expect(status).to.equal(400)
      const told = 'sort: unknown parameter'
      // The inbox speaks to a person.
      const ofSigner = plainWords({ kind: 'invalid', errors: [told], plain: null }).join()
      expect(errors.join()).to.include(of.row.path.startsWith('/inbox') ? ofSigner : told)
    })

    if (of.row.path.includes('/:') && (may('administrator') || may('signer')))
      it(`${of.is} finds nothing that belongs to others`, async () => {
        const { status } = await ask(of, may('signer') ? visits.signer : visits.administrator)
        // Signing answers as for a task that does not exist: nothing of this number waits.
        expect(status).to.equal(of.name === 'signDocument' ? 409 : 404)
      })
  }

  for (const path of new Set([...ofKeys, ...named(signer), ...named(operator)].map(({ row }) => row.path)))
    it(`${path} says which methods it has`, async () => {
      const { status, headers } = await service.ask('PUT', path, { key: null })
      expect(status).to.equal(405)
      const methods = [...ofKeys, ...named(signer), ...named(operator)]
        .filter(({ row }) => row.path === path)
        .map(({ row }) => row.method.toUpperCase())
      expect(headers.get('allow')!.split(', ')).to.include.members(methods)
    })

  it('take no path for the id of a thing: GET of one that is only posted to is 405', async () => {
    const { status, headers, errors } = await visits.operator.ask('GET', '/admin/v1/deliveries/redeliver')
    expect([status, headers.get('allow')]).to.deep.equal([405, 'POST'])
    expect(errors).to.deep.equal(['method: this path takes POST'])
  })

  it('let no administrator send again what belongs to another organization', async () => {
    const before = receiver.received.length
    const body = { deliveryId: foreign.deliveries }
    expect((await visits.administrator.ask('POST', '/admin/v1/deliveries/redeliver', body)).status).to.equal(409)
    expect(receiver.received).to.have.length(before)
  })

  it('show nothing to an administrator without an organization', () => {
    const visitor = { personId: 1, name: 'A', email: 'a@b', role: 'administrator', npi: null } as const
    expect(scopeOf({ ...visitor, organizationId: null })).to.equal(0)
    expect(scopeOf({ ...visitor, organizationId: 7 })).to.equal(7)
    expect(scopeOf({ ...visitor, role: 'operator', organizationId: null })).to.equal(null)
  })
})
