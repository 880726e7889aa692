/** spec: Errors. Every single rule of a create stands with its field; here is what holds for errors as such. */
import { request } from 'node:http'
import { expect } from 'chai'
import { ORDER } from '../support/pdf/order-pdf.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const TASKS = '/api/v1/signature/tasks'
const JSON_TYPE = { 'content-type': 'application/json' }

describe('Errors', () => {
  let service: TestService
  before(async () => {
    service = await aService({ maxAttachmentBytes: 100_000 })
  })
  after(() => service.stop())

  const post = (raw: string, headers: Record<string, string> = JSON_TYPE) =>
    service.ask('POST', TASKS, { raw, headers })

  it('400 { "errors": [string, …] }: every error of the request at once, each with its path, in the order of the body', async () => {
    const { status, body } = await service.ask('POST', TASKS, {
      body: {
        patient: {
          gender: 'F',
          names: [{ family: 'Whitfield' }],
          birthDate: '2999-01-01',
          addresses: [{}],
          identifiers: [{ authority: 'ssn4', value: 'x' }],
        },
        performers: [{ signer: { userNPI: '12' } }],
        document: {
          attachment: 'AAAA',
          effectiveDate: '1999-01-01',
          documentTypeId: 9,
          annotations: { type: 'Template', templateId: 201 },
        },
      },
    })
    expect(status).to.equal(400)
    const { errors } = body as { errors: string[] }
    expect(Object.keys(body as object)).to.deep.equal(['errors'])
    expect(errors.map((error) => error.split(': ')[0])).to.deep.equal([
      'patient.externalId',
      'patient.names[0].given',
      'patient.sex',
      'patient.addresses[0].postalCode',
      'patient.identifiers[0].value',
      'performers[0].signer.userNPI',
      'document.externalDocId',
      'patient.birthDate',
      'document.effectiveDate',
      'document.documentTypeId',
      'document.diagnosisCode',
      'document.attachment',
    ])
  })

  it('an empty body names the three required objects', async () => {
    const { errors } = await service.ask('POST', TASKS, { body: {} })
    expect(errors).to.deep.equal([
      'patient: required; an object',
      'performers: required; an array of exactly one performer',
      'document: required; an object',
    ])
  })

  it('no body at all is an empty object', async () => {
    expect((await post('')).errors).to.have.length(3)
  })

  it('no error repeats a value of the request', async () => {
    const secret = 'Zebulon-Quagmire'
    const body = aCreateBody({ patient: { externalId: secret.repeat(20), birthDate: secret } })
    const { text } = await service.ask('POST', TASKS, {
      body: { ...body, performers: [{ signer: { userNPI: secret } }] },
    })
    expect(text).not.to.include(secret)
    const query = await service.ask('GET', `${TASKS}?status=${secret}&${encodeURIComponent(`${secret} is a name`)}=1`)
    expect(query.status).to.equal(400)
    expect(query.text).not.to.include(secret)
  })

  for (const [what, raw] of [
    ['not JSON', '{"patient":'],
    ['text', '"patient"'],
    ['null', 'null'],
    ['an array', '[]'],
    ['a number', '7'],
    ['JSON with a comment', '{} // nothing'],
  ])
    it(`400: a body that is ${what}`, async () => {
      const { status, errors } = await post(raw!)
      expect(status).to.equal(400)
      expect(errors).to.have.length(1)
      expect(errors[0]).to.match(/^body: (not JSON|(required; )?an object)$/)
    })

  it('400: JSON nested deeper than the interface is', async () => {
    const { status, errors } = await post(`{"patient":${'['.repeat(100_000)}`)
    expect({ status, errors }).to.deep.equal({ status: 400, errors: ['body: nested more than 32 deep'] })
  })

  it('400: JSON with more values than the interface has', async () => {
    const { status, errors } = await post(`{"patient":[${'0,'.repeat(60_000)}0]}`)
    expect({ status, errors }).to.deep.equal({ status: 400, errors: ['body: more than 50000 values'] })
  })

  it('400: brackets and quotes inside of text are text', async () => {
    const family = `${'[{"'.repeat(80)}\\`
    const answer = await service.ask('POST', TASKS, {
      body: aCreateBody({ patient: { names: [{ family, given: ['A'] }] } }),
    })
    expect(answer.status, answer.text).to.equal(201)
  })

  it('400: thousands of errors make an answer of some hundred', async () => {
    const data = Array.from({ length: 400 }, () => ({}))
    const { document, ...rest } = aCreateBody()
    const body = { ...rest, document: { ...document, annotations: { type: 'Json', data } } }
    const { status, errors } = await service.ask('POST', TASKS, { body })
    expect(status).to.equal(400)
    expect(errors).to.have.length(501)
    expect(errors.at(-1)).to.equal('body: 1900 more errors')
  })

  it('names that objects inherit are fields like others: __proto__, constructor, toString', async () => {
    const sent = JSON.stringify(aCreateBody()).replace('{', '{"__proto__":{"patient":1},"constructor":1,"toString":1,')
    expect((await post(sent)).status).to.equal(201)
    const hidden = JSON.stringify({ document: aCreateBody().document }).replace('{', '{"__proto__":{"patient":{}},')
    const { errors } = await post(hidden)
    expect(errors).to.include('patient: required; an object').and.to.have.length(2)
  })

  it('a name that is written twice: the last one counts', async () => {
    const sent = JSON.stringify(aCreateBody()).replace('{"patient":', '{"patient":null,"patient":')
    expect((await post(sent)).status).to.equal(201)
  })

  for (const [what, headers] of [
    ['text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['compressed in a way that is not read', { ...JSON_TYPE, 'content-encoding': 'compress' }],
    ['compressed twice', { ...JSON_TYPE, 'content-encoding': 'gzip, gzip' }],
    ['of another type with +json in a parameter', { 'content-type': 'text/plain; a=b+json' }],
    ['in another charset', { 'content-type': 'application/json; charset=latin1' }],
  ] as const)
    it(`415: a body that is ${what}`, async () => {
      const { status, errors } = await post(JSON.stringify(aCreateBody()), headers)
      expect(status).to.equal(415)
      expect(errors).to.have.length(1)
    })

  it('415: a body without a Content-Type', async () => {
    const { status } = await service.ask('POST', TASKS, { raw: Buffer.from('{}') })
    expect(status).to.equal(415)
  })

  it('413: an attachment above the limit (choice: Attachment size), and a body above it', async () => {
    const large = Buffer.concat([Buffer.from(ORDER, 'base64'), Buffer.alloc(100_000)]).toString('base64')
    const { status, errors } = await service.ask('POST', TASKS, {
      body: aCreateBody({ document: { attachment: large } }),
    })
    expect({ status, errors }).to.deep.equal({ status: 413, errors: ['document.attachment: larger than 100000 bytes'] })
    const huge = await post(JSON.stringify({ attachment: 'A'.repeat(8_000_000) }))
    expect({ status: huge.status, errors: huge.errors }).to.deep.equal({ status: 413, errors: ['body: too large'] })
  })

  it('400: a path that is no URL', async () => {
    const { status, errors } = await service.ask('GET', `${TASKS}/%E0%A4%A`)
    expect({ status, errors }).to.deep.equal({ status: 400, errors: ['path: not a valid URL'] })
  })

  it('400: a body that ends before its Content-Length leaves the service unharmed', async () => {
    const { port } = new URL(service.baseUrl)
    const headers = { 'x-api-key': service.key, ...JSON_TYPE, 'content-length': '1000' }
    await new Promise<void>((resolve) => {
      const sent = request({ port, method: 'POST', path: TASKS, headers })
      sent.on('error', () => {})
      sent.on('close', resolve)
      sent.write('{"patient":', () => sent.destroy())
    })
    expect((await service.ask('GET', '/health-check')).status).to.equal(200)
  })

  it('the same shape everywhere (choice: One shape of errors)', async () => {
    for (const [status, answer] of [
      [401, await service.ask('GET', TASKS, { key: null })],
      [403, await service.ask('GET', TASKS, { key: 'x' })],
      [404, await service.ask('GET', `${TASKS}/1`)],
      [404, await service.ask('GET', '/nowhere')],
      [405, await service.ask('PUT', TASKS)],
    ] as const) {
      expect(answer.status).to.equal(status)
      expect(answer.body).to.have.all.keys('errors')
      expect(answer.errors).to.have.length(1)
      expect(answer.headers.get('content-type')).to.match(/^application\/json/)
    }
  })
})
