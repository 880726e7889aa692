/** The service as it speaks with the profile of another host. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { RefusedError, UnauthorizedError } from '../../../lib/client/errors.ts'
import { listAll } from '../../../lib/client/list-all.ts'
import type { CreateTask } from '../../../lib/contract/task/task.ts'
import type { ProfileInput } from '../../../lib/profile/host-profile.ts'
import { parseProfile } from '../../../lib/profile/parse-profile.ts'
import { verifyWebhook } from '../../../lib/webhook/signature.ts'
import { TestReceiver } from '../../support/network/test-receiver.ts'
import { base64, orderPdf } from '../../support/pdf/order-pdf.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const file = join(import.meta.dirname, '../../support/foreign-host/acme.json')
const acme = JSON.parse(readFileSync(file, 'utf8')) as ProfileInput
const profile = parseProfile(acme)

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (failure: unknown) => failure,
  )

/** A field whose place is measured from the bottom of a page of 792 points. */
const field = { type: 'VisibleSignature', pageNumber: 1, left: 72, top: 192, right: 252, bottom: 156 } as const
const fromBottom: CreateTask['document']['annotations'] = { type: 'Json', data: [field] }
const body = (document: Partial<CreateTask['document']> = {}) =>
  aCreateBody({ document: { annotations: fromBottom, ...document } })

describe('A service that speaks as another host', () => {
  let service: TestService
  before(async () => {
    service = await aService({ profile: acme })
  })
  after(() => service.stop())

  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape, which each test looks into.
  const json = async (response: Response): Promise<any> => response.json()
  const get = (path: string, headers: Record<string, string> = { 'X-Acme-Key': service.key }) =>
    fetch(service.baseUrl + path, { headers })

  it('lies under its base path, the health check too', async () => {
    expect((await get('/partner/health-check', {})).status).to.equal(200)
    expect((await get('/health-check')).status).to.equal(404)
    expect((await get('/api/v1/documenttypes')).status).to.equal(404)
  })

  it('takes the key in its header, and answers a wrong one with its status', async () => {
    expect((await get('/partner/api/v1/documenttypes')).status).to.equal(200)
    const missing = await get('/partner/api/v1/documenttypes', { 'x-api-key': service.key })
    expect(missing.status).to.equal(401)
    expect(await json(missing)).to.deep.equal({ errors: ['X-Acme-Key: required; the API key of your organization'] })
    expect(await failureOf(service.clientOf('wrong').listTasks()))
      .to.be.instanceOf(UnauthorizedError)
      .that.includes({ status: 401 })
  })

  it('filters by parameters of its own, which the link to the next page keeps', async () => {
    const named = await aService({ profile: { list: { filterNames: { status: 'state', isFiled: 'filed' } } } })
    try {
      const [first] = [await named.create(aCreateBody()), await named.create(aCreateBody())]
      await named.reaches(first, 'Pending')
      await named.client.retractTask({ params: { id: first } })
      const list = (query: string) =>
        fetch(`${named.baseUrl}/api/v1/signature/tasks?${query}`, { headers: { 'x-api-key': named.key } })
      const retracted = await json(await list('state=Retracted'))
      expect(retracted.map(({ taskId }: { taskId: number }) => taskId)).to.deep.equal([first])
      expect((await list('filed=false&limit=1')).headers.get('link')).to.match(/[?&]filed=false&/)
      expect((await list('status=Retracted')).status).to.equal(400)
    } finally {
      await named.stop()
    }
  })

  it('wraps its lists', async () => {
    const answer = await json(await get('/partner/api/v1/documenttypes'))
    expect(answer).to.have.all.keys('results')
    expect(await service.client.listDocumentTypes()).to.deep.equal(answer.results)
  })

  it('pages in numbers, and ignores filters that it does not know', async () => {
    for (let number = 0; number < 5; number++) await service.create(body({ externalDocId: `PAGE-${number}` }))
    const page = async (query: string) => {
      const { results } = await json(await get(`/partner/api/v1/signature/tasks?${query}`))
      return results.map(({ externalDocId }: { externalDocId: string }) => externalDocId)
    }
    expect(await page('pageNo=0&perPage=2')).to.deep.equal(['PAGE-4', 'PAGE-3'])
    expect(await page('pageNo=1&perPage=2&externalDocId=PAGE-4')).to.deep.equal(['PAGE-2', 'PAGE-1'])
    const response = await get('/partner/api/v1/signature/tasks?pageNo=0&perPage=2')
    expect(response.headers.get('link')).to.equal(null)
    const found: unknown[] = []
    for await (const task of listAll(service.client, { externalDocId: 'PAGE-1' }, { pageSize: 2 }))
      found.push(task.externalDocId)
    expect(found).to.deep.equal(['PAGE-1'])
  })

  it('has its limits', async () => {
    const long = 'D'.repeat(1000)
    const taskId = await service.create(body({ externalDocId: long }))
    expect((await service.client.readTask({ params: { id: taskId } })).externalDocId).to.equal(long)
    const longer = await failureOf(service.create(body({ externalDocId: `${long}D` })))
    expect(longer).to.be.instanceOf(RefusedError)
    expect((longer as RefusedError).errors).to.deep.equal(['document.externalDocId: text of 1 to 1000 characters'])
    const large = Buffer.concat([Buffer.from('%PDF-1.4'), Buffer.alloc(1_048_577)]).toString('base64')
    expect(await failureOf(service.create(body({ attachment: large })))).to.include({ status: 413 })
  })

  it('answers an unknown id with its status', async () => {
    expect(await failureOf(service.client.retractTask({ params: { id: 999_999 } }))).to.include({ status: 404 })
  })

  it('measures coordinates from its origin', async () => {
    const upsideDown = { type: 'Json' as const, data: [{ ...field, top: 600, bottom: 636 }] }
    const refused = await failureOf(service.create(body({ annotations: upsideDown })))
    expect((refused as RefusedError).errors).to.deep.equal(['document.annotations.data[0].top: greater than bottom'])
    const taskId = await service.create(body())
    await service.reaches(taskId, 'Pending')
  })

  it('finds its tokens, and no others', async () => {
    const withToken = async (token: string) => {
      const attachment = base64(await orderPdf({ lines: ['Order', token] }))
      return service.create(body({ annotations: { type: 'SmartAnnotations' }, attachment }))
    }
    await service.reaches(await withToken('{ACME-signature-owner1}'), 'Pending')
    const { statusReason } = await service.reaches(await withToken('{SVC-signature-owner1}'), 'Failed')
    expect(statusReason).to.include('{ACME-signature-owner1}')
  })

  it('calls back with its headers, milliseconds and text as the key', async () => {
    const receiver = await TestReceiver.start()
    const { secret } = await service.client.createSubscription({ body: { url: receiver.url } })
    const taskId = await service.create(body())
    await service.reaches(taskId, 'Pending')
    const { headers, body: payload } = await receiver.until(() => true)
    expect(headers['x-acme-timestamp']).to.match(/^\d{13}$/)
    expect(headers).to.include.keys('x-acme-signature', 'x-acme-event-id', 'x-acme-event-type', 'x-acme-attempt')
    expect(Object.keys(headers).filter((name) => name.startsWith('x-service-'))).to.deep.equal([])
    expect(verifyWebhook({ payload, headers, secrets: secret, profile })).to.include({ taskId, status: 'Pending' })
    await receiver.stop()
  })

  it('describes itself so', async () => {
    const description = await json(await get('/openapi.json'))
    expect(description.components.securitySchemes.apiKey.name).to.equal('X-Acme-Key')
    expect(description.webhooks.statusChanged.post.parameters[0].name).to.equal('X-Acme-Signature')
    const list = description.paths['/partner/api/v1/signature/tasks'].get
    expect(list.parameters.map(({ name }: { name: string }) => name)).to.deep.equal(['pageNo', 'perPage'])
    expect(list.responses[200].content['application/json'].schema.properties).to.have.all.keys('results')
  })
})
