/** A service whose documents are in object storage, on a real server: used, away, killed between two steps, backed up, and set up wrongly. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect } from 'chai'
import { pino } from 'pino'
import { INGEST_LEASE_MS, UNNAMED_OBJECT_LIFE_MS } from '../../server/choices.ts'
import { aFolder } from '../support/a-folder.ts'
import { eventually } from '../support/eventually.ts'
import { tlsIdentity } from '../support/network/tls-identity.ts'
import { aMutingProxy } from '../support/outages/a-muting-proxy.ts'
import { aCreateBody, TEMPLATE } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { countersign, serve } from '../support/service/served.ts'
import { aBucket, type TestBucket } from '../support/store/a-bucket.ts'

const TASKS = '/api/v1/signature/tasks'
const AWAY = 'The object storage does not answer. Nothing was changed; try again in 2 seconds.'

describe('A service whose documents are in object storage', function () {
  this.timeout(60_000)
  let bucket: TestBucket
  let service: TestService | undefined
  beforeEach(async () => {
    bucket = await aBucket()
  })
  afterEach(async () => {
    await service?.stop()
    service = undefined
    await bucket.stop()
  })

  const advance = (advanceSeconds: number) =>
    service!.ask('POST', '/sandbox/v1/clock', { body: { advanceSeconds } }).then(({ status }) => status)
  const signedPdf = async (taskId: number) => {
    const read = { params: { id: taskId }, query: { includeOutputAttachment: true } }
    const { output } = await service!.client.readTask(read)
    return Buffer.from(output!.attachment!, 'base64').subarray(0, 5).toString()
  }

  it('goes through create, signature and download, and through the reset of a sandbox', async () => {
    service = await aService(bucket.settings)
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    expect(bucket.names()).to.have.length(1)
    await service.signs(taskId)
    expect(bucket.names()).to.have.length(2)
    expect(await signedPdf(taskId)).to.equal('%PDF-')
    await service.ask('POST', '/sandbox/v1/reset', { body: {} })
    await advance(61)
    await eventually(() => expect(bucket.names()).to.deep.equal([]))
  })

  it('refuses what needs a document while the storage is away, says so, and goes on when it is back', async () => {
    const logged: { msg: string; reason?: string }[] = []
    const log = new Writable({
      write(line, _encoding, done) {
        logged.push(JSON.parse(String(line)))
        done()
      },
    })
    service = await aService({ ...bucket.settings, logger: pino({ base: null }, log) })
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    await bucket.stop()
    const asked = [
      ['POST', TASKS, { body: aCreateBody() }],
      ['POST', `/sandbox/v1/tasks/${taskId}/sign`, { body: {} }],
    ] as const
    for (const [method, path, asking] of asked) {
      const { status, headers, errors } = await service.ask(method, path, asking)
      expect([status, headers.get('retry-after'), errors]).to.deep.equal([503, '2', [AWAY]])
    }
    expect((await service.ask('GET', TASKS)).status, 'no document is needed').to.equal(200)
    const health = await service.ask('GET', '/health-check', { key: null })
    expect([health.status, health.errors]).to.deep.equal([
      503,
      ['The object storage of the documents does not answer.'],
    ])
    const ready = await service.ask('GET', '/ready', { key: null })
    expect([ready.status, ready.errors]).to.deep.equal([503, ['documents: the object storage does not answer']])

    await bucket.start()
    await eventually(async () => expect((await service!.ask('GET', '/ready', { key: null })).status).to.equal(200))
    await service.signs(taskId)
    expect(await signedPdf(taskId)).to.equal('%PDF-')
    await eventually(async () => {
      await service!.ask('GET', '/ready', { key: null })
      const told = logged.filter(({ msg }) => msg?.startsWith('the object storage'))
      expect(told.map(({ msg, reason }) => [msg, reason])).to.deep.equal([
        ['the object storage is away', 'ECONNREFUSED'],
        ['the object storage is back', undefined],
      ])
    })
  })

  it('gives up no task whose document could not be read for long, and takes it in when it can', async () => {
    const proxy = await aMutingProxy(Number(new URL(bucket.place.endpoint).port))
    service = await aService({ ...bucket.settings, documentsEndpoint: `http://127.0.0.1:${proxy.port}` })
    proxy.treat('GET ')
    // Its fields are those of a template, so ingestion reads it.
    const annotations = { type: 'Template', templateId: TEMPLATE.certification } as const
    const taskId = await service.create(aCreateBody({ document: { annotations, diagnosisCode: 'I50.9' } }))
    for (let lease = 0; lease < 8; lease++) expect(await advance(INGEST_LEASE_MS / 1000 + 1)).to.equal(202)
    expect((await service.client.readTask({ params: { id: taskId } })).status).to.equal('Processing')
    proxy.treat(null)
    await advance(INGEST_LEASE_MS / 1000 + 1)
    await service.reaches(taskId, 'Pending')
    await service.stop()
    service = undefined
    await proxy.close()
  })

  it('killed between the object and its task, leaves no task, and an object that is removed later', async () => {
    const proxy = await aMutingProxy(Number(new URL(bucket.place.endpoint).port))
    const data = join(aFolder(), 'data')
    const [id, key] = [bucket.settings.documentsKeyId, bucket.settings.documentsSecret]
    const env = { COUNTERSIGN_DOCUMENTS_SECRET: key }
    const options = ['--sandbox', '--data', data, '--documents', bucket.settings.documents, '--documents-key-id', id]
    const through = ['--documents-endpoint', `http://127.0.0.1:${proxy.port}`]
    const first = await serve([...options, ...through, '--seed', 'demo'], env)
    const headers = { 'x-api-key': first.apiKeys[0]!.key, 'content-type': 'application/json' }
    proxy.treat('PUT ', 'kept back')
    const answered = fetch(first.baseUrl + TASKS, {
      method: 'POST',
      headers,
      body: JSON.stringify(aCreateBody()),
    }).then(
      ({ status }) => status,
      () => 'no answer',
    )
    await eventually(() => expect(bucket.names()).to.have.length(1))
    await first.kill()
    expect(await answered).to.equal('no answer')
    await proxy.close()

    const second = await serve([...options, '--documents-endpoint', bucket.settings.documentsEndpoint], env)
    try {
      const listed = await fetch(second.baseUrl + TASKS, { headers }).then((answer) => answer.json())
      expect(listed).to.deep.equal([])
      expect(bucket.names()).to.have.length(1)
      const body = JSON.stringify({ advanceSeconds: UNNAMED_OBJECT_LIFE_MS / 1000 + 60 })
      await fetch(`${second.baseUrl}/sandbox/v1/clock`, { method: 'POST', headers, body })
      await eventually(() => expect(bucket.names()).to.deep.equal([]))
      expect(second.log() + first.log()).not.to.include(key)
    } finally {
      await second.stop()
    }
  })

  it('is backed up by name, and a restore counts what is not in the bucket any more', async () => {
    const data = join(aFolder(), 'data')
    const masterKey = randomBytes(32).toString('base64')
    service = await aService({ ...bucket.settings, data, masterKey })
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    await service.signs(taskId)
    const env = {
      COUNTERSIGN_MASTER_KEY: masterKey,
      COUNTERSIGN_DOCUMENTS_SECRET: bucket.settings.documentsSecret,
    }
    const file = join(aFolder(), 'backup')
    const taken = await countersign(['backup', file, '--data', data, '--json'], env)
    expect(JSON.parse(taken.stdout)).to.include({ tasks: 1, documents: 2, inObjectStorage: 2 })
    const { documents, documentsEndpoint, documentsKeyId } = bucket.settings
    const storage = ['--documents', documents, '--documents-endpoint', documentsEndpoint]
    const restore = (...more: string[]) =>
      countersign(['restore', file, '--data', join(aFolder(), 'restored'), '--json', ...more], env)
    const unseen = await restore()
    expect(JSON.parse(unseen.stdout)).to.deep.equal({ tasks: 1, documents: 2, inObjectStorage: 2 })
    expect(unseen.stderr).to.match(/were not looked for. Give --documents/)
    const whole = await restore(...storage, '--documents-key-id', documentsKeyId)
    expect(JSON.parse(whole.stdout)).to.deep.equal({ tasks: 1, documents: 2, inObjectStorage: 2, missing: 0 })
    bucket.remove(bucket.names()[0]!)
    const lacking = await restore(...storage, '--documents-key-id', documentsKeyId)
    expect(JSON.parse(lacking.stdout)).to.deep.equal({ tasks: 1, documents: 2, inObjectStorage: 2, missing: 1 })
    const wrong = await restore(...storage)
    expect([wrong.code, wrong.stderr]).to.deep.equal([2, 'countersign: --documents-key-id: needed with --documents\n'])
  })

  it('says at its start what is wrong with the bucket, and that it cannot do without', async () => {
    const data = join(aFolder(), 'data')
    const masterKey = randomBytes(32).toString('base64')
    const { settings } = bucket
    const { host } = new URL(settings.documentsEndpoint)
    const start = (change: object) =>
      aService({ ...settings, data, masterKey, ...change }).then(
        (started) => started.stop().then(() => 'started'),
        (failure: Error) => failure.message,
      )
    expect(await start({ documents: 's3://nowhere' })).to.equal(
      `There is no bucket nowhere at ${host}. Make it, or correct --documents. (NoSuchBucket)`,
    )
    expect(await start({ documentsSecret: 'not-this-one' })).to.equal(
      `${host} refuses the secret of the key TEST-KEY. Give the right one in COUNTERSIGN_DOCUMENTS_SECRET or --documents-secret-file. (SignatureDoesNotMatch)`,
    )
    expect(await start({ documentsKeyId: 'NOBODY' })).to.equal(
      `${host} does not know the key NOBODY. Correct --documents-key-id, or --documents-endpoint. (InvalidAccessKeyId)`,
    )
    expect(await start({ documentsEndpoint: 'http://127.0.0.1:1' })).to.equal(
      'The object storage at 127.0.0.1:1 does not answer. Start it, or correct --documents-endpoint. (ECONNREFUSED)',
    )
    expect(await start({ documentsEndpoint: 'http://storage.example.org' })).to.match(/documentsEndpoint: an https/)

    service = await aService({ ...settings, data, masterKey })
    await service.create(aCreateBody())
    await service.stop()
    service = undefined
    const without = { documents: undefined, documentsEndpoint: undefined, documentsKeyId: undefined }
    expect(await start({ ...without, documentsSecret: undefined })).to.match(/^Documents of this store are in object/)
    expect(await start({ newDocuments: 'database' })).to.equal('started')
  })

  it('trusts a server over TLS only when somebody vouches for it', async () => {
    const { authority, server } = await tlsIdentity()
    const overTls = await aBucket(server)
    try {
      const refused = await aService(overTls.settings).catch((failure: Error) => failure.message)
      expect(refused).to.match(/is not trusted. Give the PEM of who vouches for it in --documents-ca. \(UNABLE/)
      service = await aService({ ...overTls.settings, documentsCa: authority })
      await service.reaches(await service.create(aCreateBody()), 'Pending')
      expect(overTls.names()).to.have.length(1)
    } finally {
      await overTls.stop()
    }
  })
})
