import { generateKeyPairSync } from 'node:crypto'
import { Agent } from 'node:https'
import { expect } from 'chai'
import { createFhirBase } from '../../../lib/fhir/fhir-base.ts'
import type { FhirSettingsInput } from '../../../lib/fhir/fhir-settings.ts'
import { writeOnce } from '../../../lib/fhir/write-once.ts'
import { type Answered, aFhirServer, type Given, type TestFhirServer } from '../../support/fhir/a-fhir-server.ts'
import { tlsIdentity } from '../../support/network/tls-identity.ts'

const patient = { resourceType: 'Patient', id: '7', name: [{ family: 'Rowan' }] }
const failed = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => expect.fail('nothing was refused'),
    (failure) => failure,
  )
const PDF = Buffer.from('%PDF-1.4 \u0000 bytes')

describe('A FHIR base', () => {
  const servers: TestFhirServer[] = []
  const serving = async (given: Given = {}) => {
    const server = await aFhirServer(given)
    servers.push(server)
    return server
  }
  afterEach(() => {
    for (const server of servers.splice(0)) server.stop()
  })
  const base = ({ baseUrl }: TestFhirServer, settings: Partial<FhirSettingsInput> = {}) =>
    createFhirBase({ baseUrl, ...settings })

  it('reads relative and absolute references, and the version that one names', async () => {
    const server = await serving({
      answers: {
        'GET /Patient/7': { body: patient },
        'GET /Patient/7/_history/2': { body: { ...patient, gender: 'male' } },
      },
    })
    const url = `${server.baseUrl}/Patient/7`
    const fhir = base(server)
    expect(await fhir.read('Patient/7')).to.deep.equal({ url, resource: patient })
    expect(await fhir.read(url)).to.deep.equal({ url, resource: patient })
    expect((await fhir.read('Patient/7/_history/2'))?.resource).to.include({ gender: 'male' })
    expect(await fhir.read('Patient/8')).to.equal(null)
  })

  it('follows no reference to elsewhere, or out of the base', async () => {
    const server = await serving()
    const nowhere = [
      '#p',
      'urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0',
      'https://other.example/fhir/Patient/7',
      `${server.origin}/Patient/7`,
      `${server.baseUrl}evil/Patient/7`,
      'Patient/..',
      'Patient/../_history/2',
      'Patient/7?_format=json',
      'Patient?identifier=7',
      '//other.example/Patient/7',
    ]
    for (const reference of nowhere) expect(await base(server).read(reference), reference).to.equal(null)
    expect(server.asked).to.deep.equal([])
  })

  it('takes a document as a file, and as a resource from a server that gives no files', async () => {
    const resource = { resourceType: 'Binary', id: '2', contentType: 'application/pdf', data: PDF.toString('base64') }
    const onlyJson = ({ accept = '' }): Answered =>
      accept === 'application/pdf' ? { status: 406 } : { body: resource }
    const server = await serving({
      answers: {
        'GET /Binary/1': { headers: { 'content-type': 'application/pdf' }, body: PDF },
        'GET /Binary/2': onlyJson,
      },
    })
    const { id: _, ...file } = resource
    expect((await base(server).read('Binary/1'))?.resource).to.deep.equal(file)
    expect((await base(server).read('Binary/2'))?.resource).to.deep.equal(resource)
    expect(server.asked.map(({ accept }) => accept)).to.deep.equal([
      'application/pdf',
      'application/pdf',
      'application/fhir+json',
    ])
  })

  it('asks for the resource where the answer to the file is empty, is not a PDF, or refuses the media type', async () => {
    const resource = { resourceType: 'Binary', id: '2', contentType: 'application/pdf', data: PDF.toString('base64') }
    const type = { 'content-type': 'application/pdf' }
    const answers: Answered[] = [
      { headers: type, body: Buffer.alloc(0) },
      { status: 204 },
      { headers: { 'content-type': 'text/html' }, body: Buffer.from('<html>Sign in</html>') },
      { headers: type, body: Buffer.from('not found') },
      { status: 400 },
      { status: 415 },
    ]
    for (const file of answers) {
      const server = await serving({
        answers: { 'GET /Binary/2': ({ accept = '' }) => (accept === 'application/pdf' ? file : { body: resource }) },
      })
      expect((await base(server).read('Binary/2'))?.resource).to.deep.equal(resource)
    }
    for (const status of [401, 403, 429, 500, 503]) {
      const server = await serving({ answers: { 'GET /Binary/2': { status } } })
      await failed(base(server).read('Binary/2'))
      expect(server.asked).to.have.length(1)
    }
  })

  it('writes and searches nowhere but at a type of the base, whatever the type is called', async () => {
    const server = await serving()
    for (const type of [
      '../admin',
      '..',
      'Patient/7',
      'Patient?x',
      '',
      'patient',
      '%2e%2e',
      'A/../../x',
      'Patient#x',
    ]) {
      const fhir = base(server, { bearer: 'secret-token' })
      expect((await failed(fhir.create({ resourceType: type }, 'identifier=1'))).message, type).to.match(
        /^resourceType/,
      )
      expect((await failed(fhir.find(type, 'identifier=1'))).message, type).to.match(/^resourceType/)
    }
    expect(server.asked).to.deep.equal([])
  })

  it('follows no redirect out of the base, where other programs may answer', async () => {
    const server = await serving()
    for (const location of [
      '/elsewhere',
      '../../elsewhere',
      '../%2e%2e/x',
      `${server.origin}/elsewhere`,
      `${server.baseUrl}evil/x`,
      '..%2f..%2felsewhere',
      '..%5Celsewhere',
    ]) {
      const redirecting = await serving({ answers: { 'GET /Patient/7': { status: 302, headers: { location } } } })
      expect((await failed(base(redirecting).read('Patient/7'))).message).to.contain('a redirect that is not followed')
      expect(redirecting.asked, location).to.have.length(1)
    }
  })

  it('follows redirects within the base, however its address is written', async () => {
    const server = await serving({
      answers: {
        'GET /Patient/1': { status: 302, headers: { location: '/fhir/Patient/7' } },
        'GET /Patient/7': { body: { ...patient, id: '1' } },
      },
    })
    const { port } = new URL(server.baseUrl)
    for (const baseUrl of [`HTTP://127.0.0.1:${port}/fhir`, `http://127.0.0.1:${port}/other/../fhir`])
      expect((await base({ ...server, baseUrl }).read('Patient/1'))?.resource.id, baseUrl).to.equal('1')
  })

  it('sends its token to the base alone, and follows redirects within the origin alone', async () => {
    const other = await serving({ answers: { 'GET /Patient/7': { body: patient } } })
    const moved = (location: string): Answered => ({ status: 302, headers: { location } })
    const server = await serving({
      answers: {
        'GET /Patient/1': moved('/fhir/Patient/7'),
        'GET /Patient/7': { body: { ...patient, id: '1' } },
        'GET /Patient/2': moved(`${other.baseUrl}/Patient/7`),
        'GET /Patient/3': moved('/fhir/Patient/3'),
      },
    })
    const fhir = base(server, { bearer: 'secret-token' })
    expect((await fhir.read('Patient/1'))?.resource.id).to.equal('1')
    for (const path of ['Patient/2', 'Patient/3']) {
      const failure = await failed(fhir.read(path))
      expect(failure).to.include({ name: 'FhirAnswerError', code: 'UNEXPECTED_RESPONSE', status: 302 })
    }
    expect(new Set(server.asked.map(({ authorization }) => authorization))).to.deep.equal(
      new Set(['Bearer secret-token']),
    )
    expect(other.asked).to.deep.equal([])
  })

  it('reads documents of the hosts that are named for it, over TLS and without its token', async () => {
    const { authority, server: tls } = await tlsIdentity()
    const file = { headers: { 'content-type': 'application/pdf' }, body: PDF }
    const files = await serving({ tls, answers: { 'GET /files/1?signature=x': file } })
    const server = await serving()
    const url = `${files.baseUrl}/files/1?signature=x`
    const settings = { bearer: 'secret-token', httpsAgent: new Agent({ ca: authority }) }
    expect(await base(server, settings).read(url)).to.equal(null)
    const documentHosts = [new URL(url).host]
    const found = await base(server, { ...settings, documentHosts }).read(url)
    expect(found).to.deep.equal({
      url,
      resource: { resourceType: 'Binary', contentType: 'application/pdf', data: PDF.toString('base64') },
    })
    expect(files.asked.map(({ authorization }) => authorization)).to.deep.equal([undefined])
    expect(await base(server, { documentHosts }).read(url.replace('https', 'http'))).to.equal(null)
  })

  it('waits no longer than its time limit, and ends with its signal', async () => {
    const server = await serving({ answers: { 'GET /Patient/7': { never: true } } })
    expect(await failed(base(server, { timeoutMs: 50 }).read('Patient/7'))).to.include({ code: 'ETIMEDOUT' })
    const ended = AbortSignal.abort(new Error('stopped'))
    expect((await failed(base(server).read('Patient/7', ended))).message).to.equal('stopped')
  })

  it('refuses another resource than the one that was asked for, and an answer that is too large', async () => {
    const server = await serving({
      answers: {
        'GET /Patient/7': { body: { ...patient, id: '8' } },
        'GET /Patient/9': { body: 'x'.repeat(2000) },
        'GET /Patient/10': { body: '<html>' },
      },
    })
    for (const [path, sentence] of [
      ['Patient/7', 'not the resource'],
      ['Patient/9', 'larger than 1000 bytes'],
      ['Patient/10', 'the answer is not JSON'],
    ] as const)
      expect((await failed(base(server, { maxBytes: 1000 }).read(path))).message).to.contain(sentence)
  })

  it('tells failures apart, and repeats no text of the server', async () => {
    const outcome = { resourceType: 'OperationOutcome', issue: [{ code: 'forbidden', diagnostics: 'Rowan may not' }] }
    const server = await serving({
      answers: {
        'GET /Patient/1': { status: 403, body: outcome },
        'GET /Patient/2': { status: 422, body: outcome },
        'GET /Patient/3': { status: 429, headers: { 'retry-after': '7' } },
        'GET /Patient/4': { status: 503 },
      },
    })
    const codes = []
    for (const id of [1, 2, 3, 4]) {
      const failure = await failed(base(server).read(`Patient/${id}`))
      codes.push((failure as Error & { code: string }).code)
      expect(failure.message).to.not.contain('Rowan').and.not.contain(server.baseUrl)
    }
    expect(codes).to.deep.equal(['UNAUTHORIZED', 'REFUSED', 'RATE_LIMITED', 'HTTP_503'])
    const gone = await serving()
    gone.stop()
    expect(await failed(base(gone).read('Patient/1'))).to.include({ code: 'ECONNREFUSED' })
  })

  const result = { resource: { resourceType: 'Task', status: 'rejected' }, ifNoneExist: 'identifier=urn%3Ax%7C1' }
  const searched = 'GET /DocumentReference?identifier=urn%3Ax%7C1&_count=1'

  it('writes a resource on the condition that there is none', async () => {
    const headers = { location: 'Task/9/_history/1' }
    const server = await serving({ answers: { 'POST /Task': { status: 201, headers } } })
    expect(await writeOnce(base(server), result)).to.deep.equal({ isNew: true, location: 'Task/9/_history/1' })
    expect(server.asked[0]).to.include({ ifNoneExist: result.ifNoneExist, body: JSON.stringify(result.resource) })
  })

  it('finds where a resource is that the server had already', async () => {
    const entry = [{ resource: { resourceType: 'OperationOutcome' } }, { resource: { resourceType: 'Task', id: '9' } }]
    const search = 'GET /Task?identifier=urn%3Ax%7C1&_count=1'
    const server = await serving({
      answers: { 'POST /Task': {}, [search]: { body: { resourceType: 'Bundle', entry } } },
    })
    expect(await writeOnce(base(server), result)).to.deep.equal({ isNew: false, location: 'Task/9' })
  })

  it('carries out a transaction once', async () => {
    const bundle = { ...result, resource: { resourceType: 'Bundle', type: 'transaction' } }
    const entry = [
      { response: { status: '201 Created' } },
      { response: { status: '201', location: 'DocumentReference/3' } },
    ]
    const nothing = { body: { resourceType: 'Bundle', total: 0 } }
    const found = {
      body: { resourceType: 'Bundle', entry: [{ resource: { resourceType: 'DocumentReference', id: '3' } }] },
    }
    let isThere = false
    const server = await serving({
      answers: {
        [searched]: () => (isThere ? found : nothing),
        'POST ': () => {
          isThere = true
          return { body: { resourceType: 'Bundle', entry } }
        },
      },
    })
    expect(await writeOnce(base(server), bundle)).to.deep.equal({ isNew: true, location: 'DocumentReference/3' })
    expect(await writeOnce(base(server), bundle)).to.deep.equal({ isNew: false, location: 'DocumentReference/3' })
    expect(server.asked.map(({ method }) => method)).to.deep.equal(['GET', 'POST', 'GET'])
  })

  describe('and what the result replaces', () => {
    const sent = {
      ...{ resourceType: 'DocumentReference', id: '1', meta: { versionId: '3' }, status: 'current' },
      extension: [{ url: 'urn:x', valueString: 'kept' }],
    }
    const location = { 'POST /DocumentReference': { status: 201, headers: { location: 'DocumentReference/9' } } }
    const replacing = (reference: string) => ({
      ...{ resource: { resourceType: 'DocumentReference' }, ifNoneExist: result.ifNoneExist, supersedes: reference },
    })
    /** A server that has the document, and takes changes of the version that it has. */
    async function serverWith(status: string, put: Answered = {}) {
      let kept = { ...sent, status }
      const server = await serving({
        answers: {
          ...location,
          'GET /DocumentReference/1': () => ({ body: kept }),
          'PUT /DocumentReference/1': ({ body }) => {
            if (put.status === undefined) kept = JSON.parse(body)
            return put
          },
        },
      })
      return { server, status: () => kept.status, puts: () => server.asked.filter(({ method }) => method === 'PUT') }
    }

    it('supersedes it, once, in the version that was read, and changes nothing else of it', async () => {
      const { server, puts } = await serverWith('current')
      for (const reference of [
        'DocumentReference/1',
        `${server.baseUrl}/DocumentReference/1`,
        'DocumentReference/1/_history/2',
      ])
        await writeOnce(base(server), replacing(reference))
      const [put, ...others] = puts()
      expect(others).to.deep.equal([])
      expect(put?.ifMatch).to.equal('W/"3"')
      expect(JSON.parse(put!.body)).to.deep.equal({ ...sent, status: 'superseded' })
    })

    for (const status of ['superseded', 'entered-in-error'])
      it(`leaves what is ${status} as it is`, async () => {
        const { server, puts } = await serverWith(status)
        await writeOnce(base(server), replacing('DocumentReference/1'))
        expect(puts()).to.deep.equal([])
      })

    it('leaves what is on another server, or is not there, as it is', async () => {
      const { server, puts } = await serverWith('current')
      for (const reference of ['https://other.example/fhir/DocumentReference/1', 'DocumentReference/2'])
        await writeOnce(base(server), replacing(reference))
      expect(puts()).to.deep.equal([])
    })

    it('fails where it was changed since, and is superseded by the next try', async () => {
      const refusal: Answered = { status: 412 }
      const { server, status } = await serverWith('current', refusal)
      expect(await failed(writeOnce(base(server), replacing('DocumentReference/1')))).to.include({ status: 412 })
      delete refusal.status
      await writeOnce(base(server), replacing('DocumentReference/1'))
      expect(status()).to.equal('superseded')
    })
  })

  it('names everything that is wrong with its settings', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
    const wrong = () => createFhirBase({ baseUrl: 'ftp://x', backend: { clientId: '', privateKey: 'x', scope: 'x' } })
    expect(wrong).to.throw(/baseUrl: an http or https URL.*backend.clientId/)
    const clear = { clientId: 'c', privateKey: pem, scope: 'x', tokenUrl: 'http://tokens.example/token' }
    expect(() => createFhirBase({ baseUrl: 'https://x', backend: clear })).to.throw(/backend.tokenUrl: an https URL/)
    const key = () =>
      createFhirBase({ baseUrl: 'https://x', backend: { clientId: 'c', privateKey: 'secret', scope: 'x' } })
    expect(key).to.throw(/backend.privateKey: a private key(?!.*secret)/)
  })

  for (const [kind, pair] of [
    ['RS384', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['ES384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
  ] as const)
    it(`signs for itself with ${kind}, keeps its token, and asks for another when that one is refused`, async () => {
      const { privateKey, publicKey } = pair()
      const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'k-1' }
      const server = await serving({
        answers: { 'GET /Patient/7': { body: patient } },
        client: { id: 'bridge', publicKey },
      })
      const backend = { clientId: 'bridge', privateKey: JSON.stringify(jwk), scope: 'system/*.read' }
      const fhir = base(server, { backend })
      await Promise.all([fhir.read('Patient/7'), fhir.read('Patient/7')])
      await fhir.read('Patient/7')
      expect(server.assertions).to.have.length(1)
      expect(server.assertions[0]?.protectedHeader).to.deep.equal({ alg: kind, typ: 'JWT', kid: 'k-1' })
      server.revoke()
      expect((await fhir.read('Patient/7'))?.resource).to.deep.equal(patient)
      expect(server.assertions).to.have.length(2)
    })

  it('asks for a token shortly before the end of the one it has', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const server = await serving({
      answers: { 'GET /Patient/7': { body: patient } },
      client: { id: 'bridge', publicKey, expiresIn: 60 },
    })
    const start = Date.now()
    let now = start
    const clock = { now: () => now, after: () => () => {}, sleep: async () => {} }
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
    const fhir = base(server, { clock, backend: { clientId: 'bridge', privateKey: pem, scope: 'system/*.read' } })
    await fhir.read('Patient/7')
    now = start + 28_000
    await fhir.read('Patient/7')
    expect(server.assertions).to.have.length(1)
    now = start + 31_000
    await fhir.read('Patient/7')
    expect(server.assertions).to.have.length(2)
  })

  it('says when the token server refuses the client', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const server = await serving({ client: { id: 'bridge', publicKey } })
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
    const backend = { clientId: 'bridge', privateKey: pem, scope: 'system/*.read', tokenUrl: `${server.origin}/token` }
    const failure = await failed(base(server, { backend }).read('Patient/7'))
    expect(failure).to.include({ code: 'UNAUTHORIZED', status: 400 })
    expect(failure.message).to.contain('invalid_client')
  })
})
