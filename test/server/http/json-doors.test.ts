/** Every door that takes JSON takes it as UTF-8 alone, and says so before it reads a body. */
import { expect } from 'chai'
import type { RefusalKind } from '../../../server/domain/refusal.ts'
import { plainWords } from '../../../server/operations/signer/plain-words.ts'
import { aVisit } from '../../support/browser/a-visit.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { anUpload } from '../../support/service/an-upload.ts'

const DEEP = '['.repeat(40) + ']'.repeat(40)

describe('the doors that take JSON', () => {
  let service: TestService
  const visits = new Map<string, ReturnType<typeof aVisit>>()
  before(async () => {
    service = await aService()
    for (const name of ['Ruth Calder DO', 'Service operator']) {
      const visit = aVisit(service.baseUrl)
      await visit.signInAs(name)
      visits.set(name, visit)
    }
  })
  after(() => service.stop())

  const keyed = (path: string) => async (raw: Uint8Array<ArrayBuffer>, type: string) =>
    service.ask('POST', path, { raw, headers: { 'content-type': type } })
  const visited = (path: string, name: string) => async (raw: Uint8Array<ArrayBuffer>, type: string) =>
    (visits.get(name) ?? aVisit(service.baseUrl)).ask('POST', path, raw, { 'content-type': type })

  const doors = {
    'a create': keyed('/api/v1/signature/tasks'),
    'a subscription': keyed('/api/v1/signature/webhooks'),
    'a fault of the sandbox': keyed('/sandbox/v1/faults'),
    'the console': visited('/admin/v1/organizations', 'Service operator'),
    'the inbox': visited('/inbox/api/documents/1001/sign', 'Ruth Calder DO'),
    'a sign-in': visited('/account/api/session', 'nobody'),
  }
  const bytes = (text: string, encoding: BufferEncoding = 'utf8') => new Uint8Array(Buffer.from(text, encoding))

  for (const [name, send] of Object.entries(doors))
    describe(name, () => {
      /** The inbox speaks to a person. */
      const told = (kind: RefusalKind, error: string) =>
        name === 'the inbox' ? plainWords({ kind, errors: [error], plain: null }) : [error]

      for (const type of [
        'application/json; charset=utf-16le',
        'application/json;charset=UTF-16',
        'application/json; charset="utf-16le"',
        'application/json; charset=utf-8; charset=utf-16le',
        'application/json; charset=utf-16le; charset=utf-8',
        'application/json; CHARSET=utf-7',
        'application/json; charset=utf-32',
        'application/json; charset=utf-8-',
        'application/json; charset=',
        "application/json; charset*=utf-8''utf-16le",
      ])
        it(`refuses ${type}`, async () => {
          const { status, errors } = await send(bytes('{}'), type)
          expect([status, errors]).to.deep.equal([
            415,
            told('wrongMediaType', 'content-type: the charset must be utf-8'),
          ])
        })

      for (const type of [
        'application/json; charset=utf-8',
        'application/json;charset="UTF-8"',
        'application/json; charset=utf8',
        'application/json',
        'application/fhir+json; fhirVersion=4.0',
        'application/vnd.api+json; charset=utf-8',
        'text/json',
      ])
        it(`reads ${type}, and guards it`, async () => {
          const { status, errors } = await send(bytes(DEEP), type)
          expect([status, errors]).to.deep.equal([400, told('invalid', 'body: nested more than 32 deep')])
        })

      it('reads no other encoding, with any byte-order mark', async () => {
        const deep = `"∀"${DEEP}`
        for (const raw of [
          bytes(`\ufeff${deep}`, 'utf16le'),
          bytes(`"é"`, 'latin1'),
          new Uint8Array([0x22, 0xc0, 0xa2, 0x22]),
        ]) {
          const { status, errors } = await send(raw, 'application/json')
          expect([status, errors]).to.deep.equal([400, told('invalid', 'body: not UTF-8')])
        }
        expect((await send(bytes(deep, 'utf16le'), 'application/json')).status).to.equal(400)
      })
    })

  it('say so before the body is there', async () => {
    const headers = { 'x-api-key': service.key, 'content-type': 'application/json; charset=utf-16le' }
    const upload = await anUpload(`${service.baseUrl}/api/v1/signature/tasks`, {
      ...headers,
      'content-length': '30000000',
    })
    expect((await upload.answer).statusCode).to.equal(415)
    await upload.abort()
  })
})
