/** A page of another site cannot make the browser of a signer do anything here. */
import { expect } from 'chai'
import { aVisit, type Visit } from '../../support/browser/a-visit.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

describe('a change that no page of ours asked for', () => {
  let service: TestService
  let visit: Visit
  let taskId: number
  before(async () => {
    service = await aService()
    taskId = await aWaitingOrder(service)
    visit = aVisit(service.baseUrl)
    await visit.signInAs('Ruth Calder DO')
  })
  after(() => service.stop())

  const changes = () =>
    [
      ['POST', `/inbox/api/documents/${taskId}/sign`, {}],
      ['POST', `/inbox/api/documents/${taskId}/reject`, { reason: 'No' }],
      ['DELETE', '/inbox/api/signature', undefined],
      ['DELETE', '/account/api/session', undefined],
    ] as const

  const forgeries: [string, Record<string, string>][] = [
    ['from another site', { origin: 'https://evil.example' }],
    ['from another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['from a sandboxed frame', { origin: 'null' }],
    ['without an origin', { origin: '' }],
    ['without the token', { 'x-page-token': '' }],
    ['with a wrong token', { 'x-page-token': 'A'.repeat(43) }],
  ]
  for (const [name, change] of forgeries)
    it(`is refused ${name}, and nothing changes`, async () => {
      for (const [method, path, body] of changes()) {
        const { status } = await visit.ask(method, path, body, change)
        expect(status, `${method} ${path}`).to.equal(403)
      }
      expect((await visit.ask<unknown[]>('GET', '/inbox/api/documents')).body).to.have.length(1)
    })

  it('is refused at the console, too', async () => {
    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const place = { 'x-page-place': 'console' }
    const found = await operator.ask<{ id: number }[]>('GET', '/admin/v1/organizations', undefined, place)
    const [{ id } = { id: 0 }] = found.body
    for (const [name, change] of forgeries)
      for (const [method, path, body] of [
        ['POST', '/admin/v1/organizations', { name: 'Mallory' }],
        ['POST', `/admin/v1/organizations/${id}/keys`, { personName: 'Mallory' }],
        ['PATCH', `/admin/v1/organizations/${id}`, { name: 'Mallory' }],
      ] as const)
        expect(
          (await operator.ask(method, path, body, { ...place, ...change })).status,
          `${method} ${path} ${name}`,
        ).to.equal(403)
    const after = await operator.ask<{ id: number }[]>('GET', '/admin/v1/organizations', undefined, place)
    expect(after.body).to.deep.equal(found.body)
  })

  it('is refused with the token of another session', async () => {
    const other = await aVisit(service.baseUrl).signInAs('Ian Voss MD')
    const change = { 'x-page-token': other.body.token! }
    const path = `/inbox/api/documents/${taskId}/reject`
    expect((await visit.ask('POST', path, { reason: 'No' }, change)).status).to.equal(403)
  })

  it('cannot even sign in', async () => {
    const body = { personId: 1 }
    const { status } = await aVisit(service.baseUrl).ask('POST', '/account/api/session', body, {
      origin: 'https://evil.example',
    })
    expect(status).to.equal(403)
  })

  it('is refused as a form, which needs no permission to cross sites', async () => {
    const change = { 'content-type': 'text/plain' }
    const { status } = await visit.ask('POST', `/inbox/api/documents/${taskId}/reject`, { reason: 'No' }, change)
    expect(status).to.equal(415)
  })

  it('is refused over plain http from another machine', async () => {
    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'sign.example', origin: 'http://sign.example', 'content-type': 'application/json' }
      const sent = request(`${service.baseUrl}/account/api/session`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.end('{"personId":1}')
    })
    expect(status).to.equal(403)
  })
})

describe('the pages', () => {
  let service: TestService
  before(async () => {
    service = await aService()
  })
  after(() => service.stop())

  for (const path of ['/inbox', '/console', '/verify'])
    it(`${path} may load and run nothing but its own files`, async () => {
      const { status, headers, bytes } = await aVisit(service.baseUrl).ask('GET', path)
      expect(status).to.equal(200)
      const policy = headers.get('content-security-policy')!
      expect(policy).to.include("default-src 'none'").and.to.include("frame-ancestors 'none'")
      expect(policy).not.to.match(/unsafe|\*|https?:/)
      expect(headers.get('cache-control')).to.equal('no-store')
      expect(bytes.toString()).not.to.match(/<script(?![^>]*src=)|style=|https?:/)
    })
})
