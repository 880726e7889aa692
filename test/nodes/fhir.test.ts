/** Orders in FHIR and their results, in a real Node-RED, with a FHIR server and the real service. */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { expect } from 'chai'
import { SIGNED_SYSTEM } from '../../lib/mapping/fhir/signed-system.ts'
import { aFhirServer, type TestFhirServer } from '../support/fhir/a-fhir-server.ts'
import { wrongInR4 } from '../support/fhir/valid-r4.ts'
import { aBundle, document, patient, practitioner } from '../support/hl7/a-bundle.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { fhirBase, flow, orderFromFhir, resultToFhir } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'

const map = { documentTypes: { '52030-8': { documentTypeId: 101 } } }
const signed = Buffer.from('%PDF-1.7 signed')
const OF_SIGNED = encodeURIComponent(`${SIGNED_SYSTEM}|${createHash('sha256').update(signed).digest('hex')}`)
const CANARIES = ['Rowan', '1952-06-07', 'WC100098', 'JVBERi0', 'a-fhir-token', '218-555-0198']

describe('the nodes of FHIR', function () {
  this.timeout(30_000)
  let red: NodeRed
  let fhir: TestFhirServer
  /** The document that was sent, as the server has it. */
  let kept: Record<string, unknown> = document
  let smart: TestFhirServer

  before(async () => {
    fhir = await aFhirServer({
      answers: {
        'GET /Patient/p1': { body: patient },
        'GET /Practitioner/d1': { body: practitioner },
        'GET /Patient/p2': { status: 403, body: { issue: [{ code: 'forbidden', diagnostics: 'Rowan' }] } },
        'GET /DocumentReference/doc1': () => ({ body: kept }),
        'PUT /DocumentReference/doc1': ({ body }) => {
          kept = JSON.parse(body)
          return {}
        },
        [`GET /DocumentReference?identifier=${OF_SIGNED}&_count=1`]: { body: { resourceType: 'Bundle', total: 0 } },
        'POST ': { body: { resourceType: 'Bundle', entry: [{}, { response: { status: '201' } }] } },
        'POST /DocumentReference': { status: 201, headers: { location: 'DocumentReference/9/_history/1' } },
      },
    })
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    smart = await aFhirServer({
      answers: { 'GET /Patient/p1': { body: patient }, 'GET /Practitioner/d1': { body: practitioner } },
      client: { id: 'bridge', publicKey },
    })
    // A field of a form keeps no line breaks.
    const pasted = (privateKey.export({ format: 'pem', type: 'pkcs8' }) as string).replaceAll('\n', ' ')
    red = await aNodeRed()
    await red.deploy([
      fhirBase(fhir.baseUrl, { authorization: 'bearer', credentials: { bearerToken: 'a-fhir-token' } }),
      fhirBase(smart.baseUrl, {
        id: 'smart',
        authorization: 'backend',
        clientId: 'bridge',
        credentials: { privateKey: pasted },
      }),
      ...flow(
        ...orderFromFhir(map, { fhir: 'smart' }, 'signing'),
        ...orderFromFhir(map, {}, 'order'),
        ...orderFromFhir(map, { fhir: '' }, 'alone'),
        ...orderFromFhir(map, { fhir: 'not-there' }, 'lost'),
        ...resultToFhir({}, 'result'),
        ...resultToFhir({ deliver: 'payload', content: 'binary' }, 'payload'),
        ...resultToFhir({ profile: 'mhd' }, 'mhd'),
      ),
    ])
  })
  after(async () => {
    await red?.stop()
    fhir?.stop()
    smart?.stop()
  })

  const given = (id: string, payload: unknown) => red.inject(id, { payload, topic: 'kept' })

  it('make an order of text and of objects, with what the server has', async () => {
    given('order', JSON.stringify(document))
    const message = await red.next('order.0')
    expect(message).to.include({ topic: 'kept', externalDocId: 'urn:lake:docs|DOC-000123' })
    expect(message.payload).to.have.keys('patient', 'performers', 'document')
    expect(message.origin).to.deep.include({ subject: { reference: 'Patient/p1' } })
    expect(new Set(fhir.asked.map(({ authorization }) => authorization))).to.deep.equal(
      new Set(['Bearer a-fhir-token']),
    )
    given('alone', aBundle(document, patient, practitioner))
    expect((await red.next('alone.0')).payload).to.deep.equal(message.payload)
  })

  it('sign for themselves at the server with the key of the form, and share the token', async () => {
    given('signing', document)
    given('signing', document)
    await red.next('signing.0')
    await red.next('signing.0')
    expect(smart.assertions).to.have.length(1)
    expect(smart.assertions[0]?.protectedHeader).to.include({ alg: 'ES384' })
  })

  it('send what was entered in error to the second output, and what cannot be used to the third one', async () => {
    given('alone', aBundle({ ...document, status: 'entered-in-error' }, patient))
    expect(await red.next('alone.1')).to.include({ externalDocId: 'urn:lake:docs|DOC-000123' })
    given('alone', document)
    const { held, payload } = await red.next('alone.2')
    expect(held).to.include('DocumentReference.subject: refers to a resource that is not in the message')
    expect(payload).to.deep.equal(document)
    given('alone', 'no JSON')
    expect((await red.next('alone.2')).held).to.deep.equal(['resourceType: the message is not JSON'])
  })

  it('tell failures of the server apart from what is wrong with the message', async () => {
    given('order', { ...document, subject: { reference: 'Patient/p2' } })
    const { error, statusCode } = await red.next('caught')
    expect([error?.code, statusCode]).to.deep.equal(['UNAUTHORIZED', 403])
    expect(error?.cause).to.deep.equal({ kind: 'unauthorized', retryable: false })
    given('lost', document)
    expect((await red.next('caught')).error).to.include({ code: 'NO_FHIR_BASE' })
  })

  it('write the result to the server, and give what “record outcome” takes', async () => {
    given('order', document)
    const { origin } = await red.next('order.0')
    const outcome = { taskId: 7, status: 'Completed', externalDocId: 'urn:lake:docs|DOC-000123', origin }
    red.inject('result', { ...outcome, payload: signed })
    const message = await red.next('result.0')
    expect(message).to.include({
      isNew: true,
      savedId: 'DocumentReference/9',
      location: 'DocumentReference/9/_history/1',
    })
    const { body, ifNoneExist } = fhir.asked.at(-1)!
    expect(ifNoneExist).to.equal(message.ifNoneExist)
    expect(wrongInR4(JSON.parse(body))).to.deep.equal([])
    expect(JSON.parse(body).content[0].attachment.data).to.equal(signed.toString('base64'))
    red.inject('payload', { ...outcome, payload: signed })
    expect((await red.next('payload.0')).payload).to.include({ resourceType: 'Bundle', type: 'transaction' })
  })

  it('supersede the document that was sent, by the profile of IHE MHD', async () => {
    given('order', document)
    const { origin } = await red.next('order.0')
    const outcome = { taskId: 7, status: 'Completed', externalDocId: 'urn:lake:docs|DOC-000123', origin }
    red.inject('mhd', { ...outcome, payload: signed })
    expect((await red.next('mhd.0')).supersedes).to.equal('DocumentReference/doc1')
    expect(kept).to.deep.equal({ ...document, status: 'superseded' })
  })

  it('say what a message without an outcome lacks', async () => {
    red.inject('result', { payload: signed })
    const { error, errors } = await red.next('caught')
    expect(error).to.include({ code: 'INVALID_INPUT' })
    expect((errors as string[]).map((sentence) => sentence.split(':')[0])).to.deep.equal(['taskId', 'status', 'origin'])
  })

  it('name no patient, document or token in statuses, errors and logs', async () => {
    const broken = [
      undefined,
      '{',
      { ...document, subject: { reference: 'Patient/p2' } },
      { ...document, date: 'Rowan' },
    ]
    for (const payload of broken) given('order', payload)
    given('lost', document)
    red.inject('result', { payload: signed, origin: { subject: 'Rowan' }, statusReason: 'Rowan' })
    const caught = [await red.next('caught'), await red.next('caught'), await red.next('caught')]
    const failures = caught.map(({ error, errors }) => ({ error, errors }))
    const held = [await red.next('order.2'), await red.next('order.2')].map((message) => message.held)
    const statuses = await Promise.all(
      ['order', 'alone', 'lost', 'result', 'payload'].map((id) => red.statusOf(id, /./)),
    )
    const said = JSON.stringify([statuses, failures, held, red.log])
    for (const canary of CANARIES) expect(said).to.not.contain(canary)
  })
})
