/** Every route of the pages: who is let through, whose things are found, and that none changes anything without its token. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Delivery, OverviewTask } from '../../../server/console/messages.ts'
import { scopeOf } from '../../../server/console/task-routes.ts'
import { signer } from '../../../server/operations/signer/table.ts'
import { aService, type TestService } from '../../support/a-service.ts'
import { aTask, TEMPLATE } from '../../support/a-task.ts'
import { aVisit, type Visit } from '../../support/a-visit.ts'
import { aWaitingOrder } from '../../support/a-waiting-order.ts'
import { TestReceiver } from '../../support/test-receiver.ts'

type Who = 'operator' | 'administrator' | 'signer'
const STAFF: Who[] = ['operator', 'administrator']

/** Whom each route is for. */
const routes: Record<string, Who[]> = {
  ...ofAll(['signer'], '/inbox/api', [
    ...['get /documents', 'get /documents/:taskId', 'get /documents/:taskId/pdf'],
    ...['post /documents/:taskId/sign', 'post /documents/:taskId/reject'],
    ...['get /past', 'get /past/:taskId/pdf', 'get /signature', 'delete /signature'],
  ]),
  ...ofAll(STAFF, '/console/api', [
    ...['get /counts', 'get /tasks', 'get /tasks/:taskId'],
    ...['get /deliveries', 'get /deliveries/:id/attempts', 'post /deliveries/redeliver'],
    ...['get /senders', 'get /templates', 'post /templates'],
    ...['get /templates/:id', 'post /templates/:id', 'post /templates/:id/retire'],
    ...['get /organizations', 'get /organizations/:id', 'post /organizations/:id'],
    ...['post /organizations/:id/keys', 'post /organizations/:id/keys/revoke'],
    ...['get /accounts', 'post /accounts', 'post /accounts/:id/password'],
  ]),
  ...ofAll(['operator'], '/console/api', [
    ...['post /tasks/:taskId/cancel', 'post /tasks/:taskId/review', 'post /organizations'],
    ...['get /providers', 'post /providers', 'post /providers/active', 'post /providers/organizations'],
    ...['get /document-types', 'post /document-types'],
  ]),
}

function ofAll(who: Who[], prefix: string, paths: string[]): Record<string, Who[]> {
  return Object.fromEntries(paths.map((path) => [path.replace(' ', ` ${prefix}`), who]))
}

/** What is asked for rightly, where the body is looked at before whose thing it is. */
const bodies: Record<string, object> = {
  sign: { sha256: '0'.repeat(64), values: {}, drawn: null, keep: false, timeZone: 'America/Chicago' },
  reject: { reason: 'Not mine' },
}

describe('the routes of the pages', () => {
  let service: TestService
  let receiver: TestReceiver
  const visits = {} as Record<Who, Visit>
  /** Ids that belong to another organization than the administrator's, and to another signer. */
  let foreign: Record<string, number>

  before(async () => {
    ;[service, receiver] = await Promise.all([aService(), TestReceiver.start()])
    const names = { operator: 'Service operator', administrator: 'Willow Creek administrator', signer: 'Ian Voss MD' }
    for (const who of Object.keys(names) as Who[]) {
      visits[who] = aVisit(service.baseUrl)
      await visits[who].signInAs(names[who])
    }
    await service.other.createSubscription({ body: { url: receiver.url } })
    const { taskId } = await service.other.createTask({ body: aTask() })
    await service.reaches(taskId, 'Pending', service.otherKey)
    await receiver.until(() => receiver.received.length > 0)
    const ask = async <T>(path: string) => (await visits.operator.ask<T[]>('GET', `/console/api${path}`)).body
    const named = (name: string) => (known: { name: string }) => known.name === name
    foreign = {
      '/tasks': (await ask<OverviewTask>('/tasks'))[0]!.taskId,
      '/deliveries': (await ask<Delivery>('/deliveries'))[0]!.id,
      '/organizations': (await ask<{ id: number; name: string }>('/organizations')).find(named('Northfield Hospice'))!
        .id,
      '/accounts': (await ask<{ id: number; name: string }>('/accounts')).find(named('Service operator'))!.id,
      '/templates': TEMPLATE.ofAnotherOrganization,
      '/documents': await aWaitingOrder(service),
      '/past': taskId,
    }
  })
  after(async () => {
    await service?.stop()
    await receiver?.stop()
  })

  const split = (route: string) => {
    const [method = '', path = ''] = route.split(' ')
    const [, part = ''] = /^\/\w+\/api(\/[\w-]+)/.exec(path) ?? []
    return { method: method.toUpperCase(), path: path.replace(/:\w+/, String(foreign[part])) }
  }
  const statusOf = async (visit: Visit, route: string, change = {}) => {
    const { method, path } = split(route)
    const body = method === 'POST' ? (bodies[path.split('/').at(-1)!] ?? {}) : undefined
    return (await visit.ask(method, path, body, change)).status
  }

  it('are all here', () => {
    const root = join(import.meta.dirname, '../../..')
    const console = globSync('server/console/*routes.ts', { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/serve\(\s*'(\w+)',\s*'([^']+)'/g)].map(
        ([, method, path]) => `${method} /console/api${path}`,
      ),
    )
    const inbox = Object.values(signer).filter(({ who }) => who.includes('signer'))
    const found = [...console, ...inbox.map(({ method, path }) => `${method} ${path}`)]
    expect(found.sort()).to.deep.equal(Object.keys(routes).sort())
  })

  for (const [route, who] of Object.entries(routes)) {
    it(`${route} is for ${who.join(' and ')} alone`, async () => {
      expect(await statusOf(aVisit(service.baseUrl), route), 'nobody').to.equal(401)
      for (const role of ['operator', 'administrator', 'signer'] as const) {
        const status = await statusOf(visits[role], route, { 'x-page-token': '' })
        if (!who.includes(role)) expect(status, role).to.equal(403)
        else if (!route.startsWith('get ')) expect(status, `${role} without the token`).to.equal(403)
        else expect(status, role).to.be.oneOf([200, 404])
      }
    })

    if (route.includes('/:') && !(who.length === 1 && who[0] === 'operator'))
      it(`${route} finds nothing of others`, async () => {
        const own = who.includes('signer') ? visits.signer : visits.administrator
        // Signing answers as for a task that does not exist: nothing of this number waits.
        expect(await statusOf(own, route)).to.equal(route.endsWith('/sign') ? 409 : 404)
      })
  }

  it('lets no administrator send again what is not the own', async () => {
    const before = receiver.received.length
    const reply = await visits.administrator.ask('POST', '/console/api/deliveries/redeliver', {
      deliveryId: foreign['/deliveries'],
    })
    expect(reply.status).to.equal(409)
    expect(receiver.received).to.have.length(before)
  })

  it('tells of changes to staff alone', async () => {
    for (const visit of [aVisit(service.baseUrl), visits.signer])
      expect((await visit.ask('GET', '/console/api/changes')).status).to.be.oneOf([401, 403])
  })

  it('show nothing to an administrator of no organization', () => {
    const visitor = { personId: 1, name: 'A', email: 'a@b', role: 'administrator', npi: null } as const
    expect(scopeOf({ ...visitor, organizationId: null })).to.equal(0)
    expect(scopeOf({ ...visitor, organizationId: 7 })).to.equal(7)
    expect(scopeOf({ ...visitor, role: 'operator', organizationId: null })).to.equal(null)
  })
})
