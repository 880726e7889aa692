/**
 * `npm run test:long`: docs/deployment/nginx.conf in front of a real service, by a real nginx, which must be installed: what
 * the service has to be told, and what must not be kept or logged on the way.
 */
import { expect } from 'chai'
import { largeOrder } from '../../scripts/soak/large-order.ts'
import { MAX_ATTACHMENT_BYTES } from '../../server/choices.ts'
import { createBodyLimit } from '../../server/http/bodies/body-rooms.ts'
import { aFolder } from '../support/a-folder.ts'
import { freePort } from '../support/network/free-port.ts'
import { type Nginx, nginxBefore } from '../support/network/nginx.ts'
import { overTls } from '../support/network/over-tls.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { countersign, type Served, serve } from '../support/service/served.ts'

const TASKS = '/api/v1/signature/tasks'
const json = { 'content-type': 'application/json' }

describe('The service behind nginx', function () {
  this.timeout(120_000)
  const data = aFolder()
  let served: Served
  let nginx: Nginx
  let key: { 'x-api-key': string }
  let web: ReturnType<typeof overTls>
  before(async () => {
    const ports = [await freePort(), await freePort()]
    const args = ['--data', data, '--sandbox', '--seed', 'demo', '--allow-http-webhooks']
    // Nobody listens at the other port: one of two instances is away all the time.
    served = await serve([...args, '--trust-proxy', '127.0.0.1', '--port', String(ports[0])])
    key = { 'x-api-key': served.apiKeys[0]!.key }
    nginx = await nginxBefore(ports)
    web = overTls(nginx.baseUrl, nginx.authority)
  })
  after(async () => {
    await nginx?.stop()
    await served?.stop()
  })

  it('answers at the instance that is there, and nobody hears of the other', async () => {
    for (let n = 0; n < 20; n++) expect((await web.ask('GET', '/health-check')).status).to.equal(200)
    const body = JSON.stringify(aCreateBody())
    for (let n = 0; n < 6; n++)
      expect((await web.ask('POST', TASKS, { headers: { ...key, ...json }, body })).status).to.equal(201)
  })

  it('sends plain http to https', async () => {
    const { status, headers } = await fetch(`${nginx.plainUrl}/inbox`, { redirect: 'manual' })
    expect([status, headers.get('location')]).to.deep.equal([308, 'https://127.0.0.1/inbox'])
  })

  it('takes the largest document, and leaves what is too large to the service', async () => {
    const attachment = Buffer.from(await largeOrder(MAX_ATTACHMENT_BYTES)).toString('base64')
    const send = (body: string) => web.ask('POST', TASKS, { headers: { ...key, ...json }, body })
    const { status } = await send(JSON.stringify(aCreateBody({ document: { attachment } })))
    expect(status).to.equal(201)
    const body = JSON.stringify(aCreateBody({ document: { attachment: attachment + 'A'.repeat(3_000_000) } }))
    expect(body.length).to.be.greaterThan(createBodyLimit(MAX_ATTACHMENT_BYTES))
    const refused = await send(body)
    expect(refused.status).to.equal(413)
    expect(JSON.parse(refused.text)).to.have.property('errors')
    expect(nginx.buffered()).to.deep.equal([])
  })

  const signIn = async (person: string) => {
    const session = '/account/api/session'
    const { demoPeople } = JSON.parse((await web.ask('GET', session)).text) as {
      demoPeople: { id: number; name: string }[]
    }
    const personId = demoPeople.find(({ name }) => name.startsWith(person))!.id
    const headers = { ...json, origin: nginx.baseUrl }
    const signedIn = await web.ask('POST', session, { headers, body: JSON.stringify({ personId }) })
    expect(signedIn.status).to.equal(200)
    const [cookie] = signedIn.headers['set-cookie']!
    expect(cookie).to.match(/^__Host-countersign=.*; Secure/)
    return cookie!.split(';')[0]!
  }

  for (const { page, person, path, first } of [
    { page: 'the console', person: 'Service operator', path: '/admin/v1/changes', first: 'event: workers' },
    { page: 'an inbox', person: 'Ruth Calder', path: '/inbox/api/changes', first: 'event: changed' },
  ])
    it(`passes on at once what ${page} follows, and lets a page change things`, async () => {
      const cookie = await signIn(person)
      const asked = performance.now()
      const stream = await web.open('GET', path, { headers: { cookie } })
      const chunks = stream[Symbol.asyncIterator]()
      const hears = async (event: string) => {
        for (let said = ''; !said.includes(event); ) {
          const { done, value } = await chunks.next()
          expect(done).to.not.equal(true)
          said += value
        }
      }
      await hears(first)
      await web.ask('POST', TASKS, { headers: { ...key, ...json }, body: JSON.stringify(aCreateBody()) })
      await hears('event: changed')
      stream.destroy()
      expect(performance.now() - asked).to.be.below(20_000)
    })

  it('tells the service who calls, and not what the caller says of itself', async () => {
    const body = JSON.stringify({ url: 'http://127.0.0.1:9/callbacks' })
    const headers = { ...key, ...json, 'x-forwarded-for': '203.0.113.9' }
    const made = await web.ask('POST', '/api/v1/signature/webhooks', { headers, body, from: '127.0.0.2' })
    expect(made.status).to.equal(201)
    const { stdout } = await countersign(['audit', 'export', '--data', data])
    const entries = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { action: string; ip: string })
    expect(entries.findLast(({ action }) => action === 'subscription.create')!.ip).to.equal('127.0.0.2')
  })

  it('logs no query', async () => {
    await web.ask('GET', `${TASKS}?externalDocId=SENDERS-OWN-ID`, { headers: key })
    await served.kill()
    // Now that nobody is there, the error is of the kind that nginx logs with the request.
    await web.ask('GET', `${TASKS}?externalDocId=SENDERS-OWN-ID`, { headers: key })
    expect(nginx.log()).to.contain(`"GET ${TASKS}" 200`).and.to.contain(`"GET ${TASKS}" 502`)
    expect(nginx.log()).not.to.contain('SENDERS-OWN-ID')
  })
})
