import { expect } from 'chai'
import { adviceFor, isCertificate, isTls } from '../../../lib/client/answers/no-answer.ts'
import { readAnswer } from '../../../lib/client/answers/read-answer.ts'
import { readJson } from '../../../lib/client/answers/read-json.ts'
import { sentencesOf } from '../../../lib/client/answers/sentences.ts'
import { UnreachableError } from '../../../lib/client/errors.ts'
import type { OperationName } from '../../../lib/contract/operations.ts'
import { defaultProfile, parseProfile } from '../../../lib/profile/parse-profile.ts'

const issues = (name: OperationName, body: unknown, profile = defaultProfile) => {
  const read = readAnswer(name, body, profile)
  return read.ok ? null : read.issues
}
const result = (name: OperationName, body: unknown, profile = defaultProfile) => {
  const read = readAnswer(name, body, profile)
  if (!read.ok) throw new Error(read.issues.join('; '))
  return read.result
}
const wrapping = parseProfile({ list: { envelope: 'results' } })

describe('an answer', () => {
  it('needs no more of a created task than its id', () => {
    expect(result('createTask', { taskId: 3_000_000_000, status: 'Queued' })).to.deep.equal({
      taskId: 3_000_000_000,
      status: 'Received',
      statusReason: null,
    })
    expect(issues('createTask', { status: 'Received' })).to.have.lengthOf(1)
  })

  it('has ids of any whole number that is kept exactly, and refuses one that would be rounded', () => {
    const task = (id: string) => JSON.parse(`{ "taskId": ${id}, "status": "Pending" }`)
    for (const id of ['0', '-7', '2147483648', '9007199254740991'])
      expect(result('readTask', task(id))).to.deep.include({ taskId: Number(id) })
    expect(issues('readTask', task('9007199254740993'))).to.deep.equal([
      'taskId: a whole number up to 9007199254740991',
    ])
    expect(issues('readTask', task('1.5'))).to.have.lengthOf(1)
  })

  it('may leave out, empty or misspell what nothing depends on', () => {
    const task = {
      taskId: 1,
      status: 'Pending',
      statusReason: { code: 7 },
      createdAt: 'yesterday',
      documentId: 'x',
      output: {},
    }
    expect(result('readTask', task)).to.deep.include({ statusReason: null, createdAt: null, documentId: null })
    expect(result('listDocumentTypes', [{ id: 1, category: null }])).to.deep.equal([{ id: 1, name: '', category: '' }])
    const [subscription] = result('listSubscriptions', [{ id: 1 }]) as object[]
    expect(subscription).to.include({ url: '', isActive: true })
  })

  it('may be wrapped, in the named property or in the only array', () => {
    const list = [{ id: 1, name: 'Order', category: 'Order' }]
    expect(result('listDocumentTypes', { results: list, warnings: [] }, wrapping)).to.deep.equal(list)
    expect(result('listDocumentTypes', { items: list, total: 1 }, wrapping)).to.deep.equal(list)
    expect(result('listDocumentTypes', list, wrapping)).to.deep.equal(list)
  })

  it('names a signer by what they sign with, or by their names', () => {
    const voss = { npi: '9999900027', firstName: 'Ian', lastName: 'Voss' }
    const organizations = [{ name: 'Lake', npi: '', addresses: [{ line: '1 Birch', postalCode: 55802 }] }]
    expect(result('findProvider', { ...voss, signingName: 'Ian Voss MD', organizations })).to.deep.equal({
      ...voss,
      signingName: 'Ian Voss MD',
      organizations: [{ name: 'Lake', npi: null, addresses: [{ line: '1 Birch', postalCode: '55802' }] }],
    })
    const named = (names: object) => result('findProvider', { npi: '9999900027', ...names })
    expect(named({ ...voss, signingName: '' })).to.deep.equal({ ...voss, signingName: 'Ian Voss', organizations: [] })
    expect(named({ lastName: 'Voss', organizations: [{ npi: '9999900035', addresses: [{}] }] })).to.deep.equal({
      ...{ npi: '9999900027', firstName: '', lastName: 'Voss', signingName: 'Voss' },
      organizations: [{ name: '', npi: '9999900035', addresses: [{ postalCode: '' }] }],
    })
    expect(issues('findProvider', { firstName: 'Ian' })).to.deep.equal(['npi: required; the NPI, as text'])
  })

  it('is the body itself where it is not a list in an envelope', () => {
    for (const body of [null, 'none', 7, {}, { a: [], b: [] }])
      expect(issues('listDocumentTypes', body)?.[0], JSON.stringify(body)).to.match(/^body: /)
    expect(issues('listDocumentTypes', null, wrapping)?.[0]).to.match(/^body: /)
    expect(issues('listDocumentTypes', {}, wrapping)?.[0]).to.match(/^results: /)
    expect(issues('listDocumentTypes', { a: [{}], b: 1 })?.[0]).to.match(/^a\[0\]\.id: /)
  })

  it('names twenty places and no more', () => {
    expect(issues('listDocumentTypes', Array(30).fill({}))).to.have.length(20)
  })

  it('that cannot be read names the place, and no value', () => {
    const tasks = [
      { taskId: 1, status: 'Pending' },
      { taskId: 'seven', status: 'Whitfield' },
    ]
    expect(issues('listTasks', { results: tasks }, wrapping)).to.deep.equal([
      'results[1].taskId: a whole number up to 9007199254740991',
      'results[1].status: one of Received, Processing, Pending, Completed, Rejected, Retracted, Failed, Cancelled',
    ])
    expect(issues('listTasks', { tasks: 'none' }, wrapping)?.[0]).to.match(/^results: /)
    expect(issues('readTask', { taskId: 1, status: 'Completed', output: { attachment: 7 } })).to.deep.equal([
      'output.attachment: a PDF encoded as Base64',
    ])
    expect(issues('readTask', undefined)).to.deep.equal(['the body is not the expected JSON'])
  })
})

describe('a refusal', () => {
  const said = (body: unknown, sent: string[] = []) => sentencesOf({ status: 400, text: JSON.stringify(body), sent })

  it('is read from any of its shapes, and says so when there is no reason', () => {
    expect(said({ errors: ['a', '', 7, 'b'], message: 'c', error: 'd', title: 'e' })).to.deep.equal([...'abcde'])
    for (const body of [{}, null, 'text', { message: '' }, { errors: [{ a: 1 }] }])
      expect(said(body)).to.deep.equal(['the service gave no reason for status 400'])
  })

  it('has a hundred sentences of 500 characters at most, also where a value that was sent is longer', () => {
    expect(said({ errors: Array(101).fill('a') })).to.have.length(100)
    expect(said({ message: 'x '.repeat(400) })[0]).to.have.length(500)
    const value = 'y '.repeat(400).trim()
    expect(said({ message: `${value} is wrong` }, [value])).to.deep.equal(['[…] is wrong'])
  })
})

describe('a body', () => {
  it('is JSON also after a byte order mark, which is kept elsewhere', () => {
    expect(readJson('\ufeff{"a":"\ufeffb"}')).to.deep.equal({ a: '\ufeffb' })
    expect(readJson('{"a":"\ufeffb"}')).to.deep.equal({ a: '\ufeffb' })
    expect(readJson('{')).to.equal(undefined)
  })
})

describe('a call without an answer', () => {
  const advice: Record<string, RegExp> = {
    ERR_TLS_CERT_ALTNAME_INVALID: /another name/,
    ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: /requires a client certificate/,
    ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: /requires a client certificate/,
    CERT_HAS_EXPIRED: /has expired/,
    DEPTH_ZERO_SELF_SIGNED_CERT: /not trusted/,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: /not trusted/,
    EPROTO: /no TLS is spoken/,
    ERR_SSL_WRONG_VERSION_NUMBER: /no TLS is spoken/,
    ECONNREFUSED: /nothing is listening/,
    ENOTFOUND: /name of the host/,
    EAI_AGAIN: /name of the host/,
    HTTP_407: /the proxy refuses/,
    HTTP_502: /not available at the moment/,
    HTTP_503: /not available at the moment/,
    HTTP_504: /not available at the moment/,
    HTTP_500: /the service failed/,
    HTTP_505: /the service failed/,
    ETIMEDOUT: /did not answer in time/,
    ECONNRESET: /the connection failed/,
    XEPROTO: /the connection failed/,
    EPROTOX: /the connection failed/,
  }
  for (const [code, right] of Object.entries(advice))
    it(`with ${code} has advice`, () => expect(adviceFor(code)).to.match(right))

  it('failed in TLS, or because of a certificate, by its code', () => {
    const tls = ['CERT_HAS_EXPIRED', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']
    const others = ['ECONNRESET', 'XEPROTO', 'EPROTOX', 'XERR_SSL_', 'NOT_UNABLE_TO_', 'ETIMEDOUT']
    expect(tls.map(isCertificate)).to.deep.equal([true, true, true])
    expect([...tls, 'EPROTO', 'ERR_SSL_X'].map(isTls)).to.deep.equal([true, true, true, true, true])
    expect([...others, 'EPROTO', 'ERR_SSL_X'].map(isCertificate)).to.not.include(true)
    expect(others.map(isTls)).to.not.include(true)
  })

  it('has a status when the host has failed, and none otherwise', () => {
    expect(new UnreachableError('readTask', 'HTTP_503', true).status).to.equal(503)
    expect(new UnreachableError('readTask', 'ETIMEDOUT', true).status).to.equal(undefined)
  })
})
